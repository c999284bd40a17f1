"""What the tests stand on: a session of the mock for each test, a browser that names it, and the shop."""
import json
import os
import re
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

from .browser import browser

MOCK = os.environ["STUNTDOUBLE_URL"]  # of `stuntdouble run`
FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Short waits, so that the tests are quick. The time limit is longer: on a busy machine it must not end what is fine.
PACE = {"PAYMENTS_TIMEOUT": "6", "PAYMENTS_BACKOFF": "0.05", "PAYMENTS_INTERVAL": "0.02", "PAYMENTS_POLLS": "5"}


def call(method, url, body=None):
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), method=method)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{method} {url}: {error.code} {error.read().decode()}") from None


class RunningShop:
    """The shop as a process of its own."""

    def __init__(self, payments):
        environment = {**os.environ, **PACE, "PAYMENTS_URL": payments, "PORT": "0"}
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-m", "shop.app"], cwd=FOLDER, env=environment, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Session:
    """The mock as one test has it: stubs, faults and requests of its own on top of the folder's."""

    def __init__(self, name, **more):
        facts = call("POST", MOCK + "/__admin/sessions", {"name": name, **more})
        self.url, self.cookie, self.id = facts["url"], facts["cookie"], facts["id"]
        # By the daemon's own address, which answers whatever becomes of the port of the session.
        self.admin = f"{MOCK}/__session/{self.id}/__admin"

    def stub(self, routes):
        call("POST", self.admin + "/mappings", routes)

    def switch_on(self, faults):
        """A set of faults.yaml."""
        call("PUT", f"{self.admin}/faults/sets/{faults}")

    def repair(self):
        call("DELETE", self.admin + "/faults")

    def events(self, method, path):
        """The requests of this test with their answers, the oldest first."""
        events = reversed(call("GET", self.admin + "/requests")["requests"])
        return [
            event for event in events
            if event["request"]["method"] == method and re.fullmatch(path, event["request"]["url"])]

    def requests(self, method, path):
        return [event["request"] for event in self.events(method, path)]

    def wait_until_idle(self):
        """Until all answers and webhooks are through."""
        call("POST", self.admin + "/requests/idle", {"quietMs": 100})

    def close(self):
        call("DELETE", f"{MOCK}/__admin/sessions/{self.id}")


class ShopTest(unittest.TestCase):
    mock_options = {}

    def setUp(self):
        self.mock = Session(self.id(), **self.mock_options)
        self.addCleanup(self.mock.close)
        self.browser = browser(self.shop_url(), self.mock.cookie)
        self.orders = set()

    def shop_url(self):
        """The shop that all workers share."""
        return os.environ["SHOP_URL"]

    def buy(self, **fields):
        """What the page of the order says, once the button is pressed."""
        self.browser.open("/")
        self.browser.fill(**fields)
        self.browser.press("buy")
        self.orders.add(self.browser.text("order"))
        return self.browser.text("state")

    def attempts(self):
        """The keys of the requests for a payment, the oldest first."""
        return [request["headers"].get("Idempotency-Key") for request in self.mock.requests("POST", "/v1/payments")]
