"""A web shop that sells books, on Python's standard library.

    PAYMENTS_URL=http://localhost:8080 PORT=3000 python3 -m shop.app

| request | |
|---|---|
| `GET /` | the form |
| `POST /buy` | pays, and leads to the order; the same `cart` again is the same order |
| `GET /orders/{id}` | what became of it |
| `POST /orders/{id}/refund` | pays back |
| `POST /webhooks/payments` | for the provider: a payment is done |
"""
import hashlib
import hmac
import html
import json
import os
import re
import threading
import urllib.parse
import uuid
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from .identity import ForwardBaggage
from .payments import Payments, Refused, Unavailable

PRICES = {"novel": 1200, "atlas": 5400}


class Shop:
    def __init__(self, payments, secret):
        self.payments, self.secret = payments, secret
        self.url = None  # the shop's own address, for the provider
        self.orders, self.lock = {}, threading.Lock()

    def __call__(self, environ, start_response):
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        size = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(size)
        order = re.fullmatch(r"/orders/([\w-]+)(/refund)?", path)
        if (method, path) == ("GET", "/"):
            status, fields, text = "200 OK", {}, self.form()
        elif (method, path) == ("POST", "/buy"):
            status, fields, text = self.buy(dict(urllib.parse.parse_qsl(body.decode())))
        elif (method, path) == ("POST", "/webhooks/payments"):
            status, fields, text = self.called_back(body, environ.get("HTTP_X_SIGNATURE", ""))
        elif order and order[1] in self.orders and method == ("POST" if order[2] else "GET"):
            status, fields, text = self.refund(order[1]) if order[2] else ("200 OK", {}, self.page(order[1]))
        else:
            status, fields, text = "404 Not Found", {}, "<h1 id=state>not found</h1>"
        start_response(status, [("Content-Type", "text/html; charset=utf-8"), *fields.items()])
        return [text.encode()]

    # Pages

    def form(self):
        return f"""<!DOCTYPE html><title>Books</title><h1>Books</h1><form method=post action=/buy>
            <input type=hidden name=cart value={uuid.uuid4()}>
            <input name=item value=novel> <input name=method value=card> <input name=card value=4242>
            <button id=buy>Buy</button></form>"""

    def page(self, order_id):
        order = self.orders[order_id]
        page = f"<!DOCTYPE html><title>Order</title><h1 id=state>{html.escape(order['state'])}</h1><p id=order>{order_id}</p>"
        if order["state"] == "paid":
            return page + f"<form method=post action=/orders/{order_id}/refund><button id=refund>Refund</button></form>"
        fields = "".join(
            f'<input type=hidden name="{html.escape(name)}" value="{html.escape(value)}">'
            for name, value in order["form"].items())
        return page + f"<form method=post action=/buy>{fields}<button id=again>Try again</button></form>"

    def see(self, order_id):
        return "303 See Other", {"Location": f"/orders/{order_id}"}, ""

    # What happens

    def buy(self, form):
        order_id = form["cart"]
        with self.lock:
            order = self.orders.setdefault(order_id, {"state": "new", "form": form})
        if order["state"] in ("paid", "refunded"):
            return self.see(order_id)
        # The order is the key: whoever clicks twice, or tries again after a failure, pays once.
        wanted = {
            "order": order_id, "amount": PRICES[form["item"]], "method": form["method"], "card": form["card"],
            "callback": self.url + "/webhooks/payments",
        }
        try:
            payment = self.payments.pay(wanted, key=order_id)
            order.setdefault("payment", payment["id"])
            if form["method"] == "card":
                payment = self.payments.wait_for(payment)
            self.set_state(order, payment["state"])
        except Refused as error:
            order["state"] = f"refused: {error}"
        except Unavailable as error:
            print(f"payment of {order_id}: {error}", flush=True)
            order["state"] = "not paid yet, please try again"
        return self.see(order_id)

    def set_state(self, order, state):
        with self.lock:
            # The provider's call may be here before its answer.
            if state == "succeeded":
                is_new, order["state"] = order["state"] != "paid", "paid"
            else:
                is_new = False
                order["state"] = "paid" if order["state"] == "paid" else "waiting for the bank"
        if is_new:
            self.ship(order)

    def ship(self, order):
        try:
            self.payments.shipped(order["payment"])
        except (Refused, Unavailable):
            pass  # It goes out all the same.

    def called_back(self, body, signature):
        expected = "sha256=" + hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected, signature):
            return "401 Unauthorized", {}, ""
        done = json.loads(body)
        order = self.orders.get(done["order"])
        if order is None:
            return "404 Not Found", {}, ""
        order.setdefault("payment", done["payment"])
        self.set_state(order, done["state"])
        return "204 No Content", {}, ""

    def refund(self, order_id):
        order = self.orders[order_id]
        try:
            self.payments.refund(order["payment"], key="refund-" + order_id)
            order["state"] = "refunded"
        except (Refused, Unavailable) as error:
            order["state"] = f"paid, and not refunded: {error}"
        return self.see(order_id)


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class Handler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


def main():
    given = os.environ
    payments = Payments(
        given["PAYMENTS_URL"], "webshop", "s3cret", timeout=float(given.get("PAYMENTS_TIMEOUT", "10")),
        backoff=float(given.get("PAYMENTS_BACKOFF", "0.2")), interval=float(given.get("PAYMENTS_INTERVAL", "0.5")),
        polls=int(given.get("PAYMENTS_POLLS", "20")))
    shop = Shop(payments, secret=given.get("WEBHOOK_SECRET", "whsec_test"))
    with make_server("127.0.0.1", int(given.get("PORT", "3000")), ForwardBaggage(shop), Server, Handler) as server:
        shop.url = f"http://127.0.0.1:{server.server_port}"
        print(f"listening on {shop.url}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
