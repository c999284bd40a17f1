"""What the shop does when the provider has a bad day: of each fault, what the user sees and what the provider was asked."""
from .support import RunningShop, ShopTest


class Faults(ShopTest):
    def attempts_for_one_payment(self):
        """The number of attempts, all of which must have had the key of the order."""
        [order] = self.orders
        keys = self.attempts()
        self.assertEqual(set(keys), {order})
        return len(keys)

    def test_connection_reset(self):
        self.mock.switch_on("reset")
        self.assertEqual(self.buy(), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)

    def test_no_answer(self):
        self.mock.switch_on("timeout")
        self.assertEqual(self.buy(), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)

    def test_garbage(self):
        self.mock.switch_on("garbage")
        self.assertEqual(self.buy(), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)

    def test_body_that_breaks_off(self):
        self.mock.switch_on("truncated")
        self.assertEqual(self.buy(), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)
        # The first attempt has made the payment, the second one has found it.
        answers = [event["response"]["status"] for event in self.mock.events("POST", "/v1/payments")]
        self.assertEqual(answers, [201, 200])

    def test_body_that_drips(self):
        self.mock.switch_on("drip")
        self.assertEqual(self.buy(), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)

    def test_error_and_then_fine(self):
        self.mock.switch_on("error")
        self.assertEqual(self.buy(), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)

    def test_error_for_good(self):
        self.mock.switch_on("down")
        self.assertEqual(self.buy(), "not paid yet, please try again")
        self.assertEqual(self.attempts_for_one_payment(), 4)
        # The provider is well again: the user's second try is still the same payment.
        self.mock.repair()
        self.browser.press("again")
        self.assertEqual(self.browser.text("state"), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 5)

    def test_service_unavailable_with_a_time(self):
        self.assertEqual(self.buy(card="5030"), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)
        first, second = self.mock.requests("POST", "/v1/payments")
        self.assertGreaterEqual(second["loggedDate"] - first["loggedDate"], 1000)

    def test_token_that_has_expired(self):
        self.assertEqual(self.buy(card="4010"), "paid")
        self.assertEqual(self.attempts_for_one_payment(), 2)
        sent = [request["headers"]["Authorization"] for request in self.mock.requests("POST", "/v1/payments")]
        self.assertEqual(sent, ["Bearer token-1", "Bearer token-2"])

    def test_page_of_somebody_else(self):
        self.assertEqual(self.buy(card="2000"), "not paid yet, please try again")
        self.assertEqual(self.attempts_for_one_payment(), 4)


class ConnectionRefused(ShopTest):
    """What is about a port needs one that is the test's own, and so a shop of its own, too."""

    mock_options = {"port": 0}

    def shop_url(self):
        if not hasattr(self, "shop"):
            self.shop = RunningShop(self.mock.url)
            self.addCleanup(self.shop.stop)
        return self.shop.url

    def test_connection_refused(self):
        self.mock.switch_on("refused")
        self.assertEqual(self.buy(), "not paid yet, please try again")
        self.mock.repair()
        self.browser.press("again")
        self.assertEqual(self.browser.text("state"), "paid")
        self.assertEqual(self.attempts(), list(self.orders))
