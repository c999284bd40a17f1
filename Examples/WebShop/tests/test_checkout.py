"""What the shop does on a good day."""
import json
import urllib.error
import urllib.request

from .support import ShopTest


class Checkout(ShopTest):
    def test_a_card_is_charged_once_and_asked_for_until_it_is_done(self):
        self.assertEqual(self.buy(), "paid")

        [payment] = self.mock.requests("POST", "/v1/payments")
        self.assertEqual(json.loads(payment["body"])["amount"], 1200)
        self.assertEqual(payment["headers"]["Authorization"], "Bearer token-1")
        [order] = self.orders
        self.assertEqual(len(self.mock.requests("GET", f"/v1/payments/pay-{order}")), 3)
        self.assertEqual(len(self.mock.requests("POST", "/v1/shipments")), 1)

    def test_one_token_does_for_several_orders(self):
        self.assertEqual([self.buy(), self.buy(item="atlas")], ["paid", "paid"])

        self.assertEqual(len(self.mock.requests("POST", "/oauth/token")), 1)
        self.assertEqual(len(set(self.attempts())), 2)

    def test_polling_has_a_limit(self):
        # What this test alone needs, it stubs itself.
        self.mock.stub({"GET /v1/payments/{id}": {"json": {"id": "{{path.id}}", "state": "processing"}}})

        self.assertEqual(self.buy(), "waiting for the bank")

        self.assertEqual(len(self.mock.requests("GET", "/v1/payments/.*")), 5)

    def test_a_card_that_is_declined_is_not_tried_again(self):
        self.assertEqual(self.buy(card="4020"), "refused: card_declined")

        self.assertEqual(len(self.attempts()), 1)

    def test_a_transfer_is_paid_once_the_provider_calls(self):
        self.assertIn(self.buy(method="transfer"), ["waiting for the bank", "paid"])
        self.mock.wait_until_idle()
        [order] = self.orders
        self.browser.open(f"/orders/{order}")

        self.assertEqual(self.browser.text("state"), "paid")
        self.assertEqual(self.mock.requests("GET", "/v1/payments/.*"), [])

    def test_a_call_that_the_provider_has_not_signed_changes_nothing(self):
        self.assertEqual(self.buy(card="4020"), "refused: card_declined")
        [order] = self.orders
        body = json.dumps({"payment": "pay-1", "order": order, "state": "succeeded"}).encode()
        forged = urllib.request.Request(self.shop_url() + "/webhooks/payments", body, {"X-Signature": "sha256=0"})

        with self.assertRaises(urllib.error.HTTPError) as refusal:
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(forged, timeout=60)

        refusal.exception.close()
        self.assertEqual(refusal.exception.code, 401)
        self.browser.open(f"/orders/{order}")
        self.assertEqual(self.browser.text("state"), "refused: card_declined")

    def test_refunds_wait_when_the_quota_is_used_up(self):
        for _ in range(3):
            self.assertEqual(self.buy(), "paid")
            self.browser.press("refund")
            self.assertEqual(self.browser.text("state"), "refunded")

        # The third one was refused, and made again after the second that the provider asked for.
        refunds = self.mock.requests("POST", "/v1/refunds")
        self.assertEqual(len(refunds), 4)
        self.assertEqual(refunds[2]["headers"]["Idempotency-Key"], refunds[3]["headers"]["Idempotency-Key"])
        self.assertGreaterEqual(refunds[3]["loggedDate"] - refunds[2]["loggedDate"], 1000)
