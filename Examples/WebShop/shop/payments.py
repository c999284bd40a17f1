"""The client of the payment provider. It expects that anything may break:

- A request that failed on the way, or with 429 or 5xx, is made again, up to `attempts` times in all. The wait between is
  drawn, and doubles; a `Retry-After` counts instead. A refusal (any other 4xx) is final.
- What makes something carries an idempotency key, which is the same in all attempts: the provider makes it once.
- `timeout` is the time for a whole answer, not for a read: one that drips does not last for ever.
- A token that has expired is renewed once.
- A success is one if it is JSON; another 200 says nothing, and the request is made again.
- A payment is asked for until it is done, up to `polls` times.
"""
import base64
import http.client
import json
import random
import time
import urllib.parse

from .identity import baggage

PASSING = {408, 425, 429, 500, 502, 503, 504}
LONGEST_WAIT = 10


class Unavailable(Exception):
    """Nothing certain is known: the payment may have been made, and the next attempt with its key will tell."""


class Refused(Exception):
    """The provider does not want it, and asking again will not help."""


class Unreadable(Exception):
    """An answer that is none of the provider's."""


class Payments:
    def __init__(self, url, user, password, timeout=10.0, attempts=4, backoff=0.2, polls=20, interval=0.5):
        self.url = urllib.parse.urlsplit(url)
        self.credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self.timeout, self.attempts, self.backoff = timeout, attempts, backoff
        self.polls, self.interval = polls, interval
        # By identity: what the shop caches is not to go from one test to another. In production there is one entry.
        self.tokens = {}

    # What the provider offers

    def pay(self, payment, key):
        return self.call("POST", "/v1/payments", payment, key)

    def refund(self, payment_id, key):
        return self.call("POST", "/v1/refunds", {"payment": payment_id}, key)

    def shipped(self, payment_id):
        self.call("POST", "/v1/shipments", {"payment": payment_id, "carrier": "bike"}, "shipment-" + payment_id)

    def wait_for(self, payment):
        """Asks until the payment is done, and returns it as it was last."""
        for _ in range(self.polls):
            if payment["state"] != "processing":
                break
            time.sleep(self.interval)
            payment = self.call("GET", f"/v1/payments/{payment['id']}")
        return payment

    # How it is asked

    def call(self, method, path, body=None, key=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if key:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        headers["Authorization"] = "Bearer " + self.token()
        status, answer = self.try_until_answered(method, path, data, headers)
        if status == 401:
            self.tokens.pop(baggage.get(), None)
            headers["Authorization"] = "Bearer " + self.token()
            status, answer = self.try_until_answered(method, path, data, headers)
        if status >= 400:
            raise Refused(answer.get("error", status))
        return answer

    def token(self):
        token, until = self.tokens.get(baggage.get(), (None, 0))
        if time.monotonic() >= until:
            headers = {"Authorization": "Basic " + self.credentials, "Content-Type": "application/x-www-form-urlencoded"}
            data = b"grant_type=client_credentials"
            status, answer = self.try_until_answered("POST", "/oauth/token", data, headers)
            if status != 200:
                raise Refused(answer.get("error", status))
            # A little before it ends, so that it does not end on the way.
            token, until = answer["access_token"], time.monotonic() + answer["expires_in"] * 0.9
            self.tokens[baggage.get()] = token, until
        return token

    def try_until_answered(self, method, path, data, headers):
        """The status and the JSON of the first answer that is one."""
        wait = 0
        for attempt in range(self.attempts):
            time.sleep(min(wait, LONGEST_WAIT))
            wait = random.uniform(0.5, 1) * self.backoff * 2**attempt
            try:
                status, said, content = self.exchange(method, path, data, headers)
                if status not in PASSING:
                    return status, self.read(status, said, content)
                why = f"status {status}"
                if said.get("Retry-After", "").isdigit():
                    wait = int(said["Retry-After"])
            except (OSError, http.client.HTTPException, Unreadable) as error:
                why = f"{type(error).__name__}: {error}"
        raise Unavailable(why)

    def exchange(self, method, path, data, headers):
        """One request: the status, the fields and the body of its answer, within the time for all of it."""
        until = time.monotonic() + self.timeout
        kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
        connection = kind(self.url.netloc, timeout=self.timeout)
        try:
            connection.connect()
            socket = connection.sock
            passed_on = {"baggage": baggage.get()} if baggage.get() else {}
            connection.request(method, self.url.path + path, data, {**headers, **passed_on})
            answer, content = connection.getresponse(), b""
            while True:
                left = until - time.monotonic()
                if left <= 0:
                    raise TimeoutError("the answer takes too long")
                socket.settimeout(left)
                part = answer.read1(65536)
                if not part:
                    break
                content += part
            if answer.length:
                raise http.client.IncompleteRead(content, answer.length)
            return answer.status, answer.headers, content
        finally:
            connection.close()

    @staticmethod
    def read(status, headers, content):
        if not content:
            return {}
        try:
            if headers.get_content_type() != "application/json":
                raise ValueError(headers.get_content_type())
            answer = json.loads(content)
            if not isinstance(answer, dict):
                raise ValueError("no object")
            return answer
        except ValueError as error:
            if status >= 400:
                return {}
            raise Unreadable(f"not the provider's JSON: {error}") from error
