"""What a user does in a browser: open a page, fill in a form, press a button, read.

`Chrome` is a real one, where `chromedriver` is installed (Debian: `apt install chromium-driver`). `Plain` has cookies,
forms and redirects, and needs nothing. Both send the cookie that names the session of the test with all that they ask.
"""
import atexit
import html.parser
import http.cookiejar
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request


def browser(shop, cookie):
    return Chrome(shop, cookie) if shutil.which("chromedriver") else Plain(shop, cookie)


class Plain:
    def __init__(self, shop, cookie):
        self.shop, self.jar = shop, http.cookiejar.CookieJar()
        self.http = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.jar))
        name, value = cookie.split("=")
        host = urllib.parse.urlsplit(shop).hostname
        self.jar.set_cookie(http.cookiejar.Cookie(
            0, name, value, None, False, host, False, False, "/", True, False, None, True, None, None, {}))

    def open(self, path, data=None):
        try:
            with self.http.open(self.shop + path, data, timeout=60) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode()
        self.page = Page()
        self.page.feed(text)

    def fill(self, **fields):
        self.page.fields.update(fields)

    def press(self, button):
        if button not in self.page.buttons:
            raise AssertionError(f"there is no button {button!r}, but {self.page.buttons} beside {self.page.texts}")
        self.open(self.page.action, urllib.parse.urlencode(self.page.fields).encode())

    def text(self, name):
        return self.page.texts.get(name)


class Page(html.parser.HTMLParser):
    """A page with one form at most."""

    def __init__(self):
        super().__init__()
        self.texts, self.fields, self.buttons, self.action, self.inside = {}, {}, [], None, None

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.inside = given.get("id")
        if tag == "form":
            self.action = given["action"]
        elif tag == "input":
            self.fields[given["name"]] = given["value"]
        elif tag == "button":
            self.buttons.append(given["id"])

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside] = data

    def handle_endtag(self, tag):
        self.inside = None


class Chrome:
    """Chromium without a window, by WebDriver: one for each worker, with the cookie of one test after the other."""

    driver = None

    def __init__(self, shop, cookie):
        self.shop = shop
        if Chrome.driver is None:
            Chrome.driver = Driver()
        # A cookie can be set once a page of its origin is open.
        self.open("/")
        name, value = cookie.split("=")
        self.driver.call("DELETE", "/cookie")
        self.driver.call("POST", "/cookie", {"cookie": {"name": name, "value": value}})

    def open(self, path):
        self.driver.call("POST", "/url", {"url": self.shop + path})

    def fill(self, **fields):
        for name, value in fields.items():
            element = self.driver.element(f"[name={name}]")
            self.driver.call("POST", element + "/clear", {})
            self.driver.call("POST", element + "/value", {"text": value})

    def press(self, button):
        page = self.driver.element("html")
        self.driver.call("POST", self.driver.element("#" + button) + "/click", {})
        # A click does not wait for what it begins.
        while self.driver.has(page):
            time.sleep(0.02)

    def text(self, name):
        return self.driver.call("GET", self.driver.element("#" + name) + "/text")


class Driver:
    """`chromedriver`, and the browser that it has started."""

    def __init__(self):
        self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        atexit.register(self.stop)
        self.url, lines = None, (line.strip() for line in self.process.stdout)
        port = next(filter(None, (re.search(r"on port (\d+)\.$", line) for line in lines)))[1]
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-proxy-server"]}
        # An element that is looked for may come a little later.
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "timeouts": {"implicit": 60000}}}}
        sessions = f"http://127.0.0.1:{port}/session"
        self.url = sessions + "/" + self.ask("POST", sessions, wanted)["sessionId"]

    def call(self, method, path, body=None):
        return self.ask(method, self.url + path, body)

    def ask(self, method, url, body=None):
        request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def element(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return "/element/" + next(iter(found.values()))

    def has(self, element):
        try:
            self.call("GET", element + "/name")
            return True
        except AssertionError:
            return False

    def stop(self):
        if self.url:
            self.call("DELETE", "")
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
