"""The page's requests, in Chromium: list, filter, detail, keys, hostile names, accessibility.

    python3 Tests/UI/page_requests.py --url http://127.0.0.1:8080 [--binary .build/debug/stuntdouble] [--only NAME] [--files DIR]

The daemon at `--url` is changed and reset. `--binary` adds tests that start a daemon: sign-in, an empty folder, a restart. With
`--files`, the page comes from a folder, such as Sources/Admin/CResources/ui, in place of the daemon's. Needs playwright and
axe-playwright-python, and Chromium at /usr/bin/chromium or in the variable CHROMIUM.
"""

import argparse
import base64
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect, sync_playwright

import page_files

HOSTILE = "<img src=x onerror=alert(1)>"


class Daemon:
    def __init__(self, url):
        self.url = url
        self.host, self.port = urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port

    def call(self, method, path, body=None, session=None, token=None):
        base = self.url + (f"/__session/{session}" if session else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{base}/__admin/{path}", data=data, method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text[:1] in (b"{", b"[") else text

    def ask(self, target, method="GET", headers=(), body=b"", reads=True):
        """Sends a request as raw bytes, with any path and headers. Returns the status, or None if the connection broke."""
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self.host}:{self.port}", "Connection: close", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers]
        with socket.create_connection((self.host, self.port), timeout=20) as connection:
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            data = b""
            try:
                while reads and (piece := connection.recv(65536)):
                    data += piece
            except OSError:
                return None
        found = re.match(rb"HTTP/1.1 (\d+)", data)
        return int(found[1]) if found else None

    def reset(self):
        for session in self.call("GET", "sessions")["sessions"]:
            self.call("DELETE", f"sessions/{session['id']}")
        self.call("POST", "reset")
        self.call("DELETE", "mappings")
        self.call("DELETE", "requests")

    def stub(self, **mapping):
        return self.call("POST", "mappings", mapping)["id"]

    def requests(self):
        return self.call("GET", "requests?details=true")["requests"]


def until(test, what, seconds=30):
    end = time.monotonic() + seconds
    while True:
        value = test()
        if value:
            return value
        assert time.monotonic() < end, f"not in {seconds} s: {what}"
        time.sleep(0.05)


class Page:
    """A browser page that records every console message and dialog."""

    files = None

    def __init__(self, browser, url, width=1280, height=800, scheme="light", fragment="#/requests", **options):
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", **options)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        if Page.files:
            page_files.serve(self.context, Page.files, url)
        self.page = self.context.new_page()
        self.url, self.messages, self.origins = url, [], set()
        self.page.on("console", lambda m: self.messages.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.messages.append(f"error: {e}"))
        self.page.on("dialog", lambda d: (self.messages.append(f"dialog: {d.message}"), d.dismiss()))
        self.page.on("request", lambda r: self.origins.add("/".join(r.url.split("/")[:3])))
        self.go(fragment)

    def go(self, fragment):
        self.page.goto(f"{self.url}/__admin/ui/{fragment}")
        self.page.wait_for_selector("header.top")

    def check_quiet(self):
        """Checks that no script ran, nothing was loaded from elsewhere, and the policy blocked nothing. Rejected calls are allowed."""
        bad = [m for m in self.messages if not m.startswith("Failed to load resource")]
        assert not bad, bad[:5]
        assert self.origins <= {self.url, "blob:"} or all(o == self.url or o.startswith("blob:") for o in self.origins), self.origins

    def address(self):
        try:
            return self.page.evaluate("location.href")
        except PlaywrightError:
            return ""  # between two documents

    def rows(self, text=None):
        rows = self.page.locator(".grid-row:visible")
        return rows.filter(has_text=text) if text else rows

    def row(self, text):
        return self.rows(text).last

    def texts(self):
        self.page.wait_for_selector("header.top")
        return self.page.evaluate("[...document.querySelectorAll('.grid-row')].filter(r => !r.hidden).sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map(r => r.innerText.replace(/\\s+/g, ' '))")

    def filter(self, text):
        self.page.locator("input.filter").fill(text)

    def key(self, key):
        self.page.keyboard.press(key)

    def tab(self, name):
        self.page.get_by_role("tab", name=name).click()

    def panel(self):
        return self.page.locator("#detail-panel")

    def clipboard(self):
        return self.page.evaluate("navigator.clipboard.readText()")

    def axe(self, what):
        found = Axe().run(self.page).response["violations"]
        assert not found, what + "\n" + "\n".join(f"{v['id']}: {v['help']}: {[n['html'][:160] for n in v['nodes'][:3]]}" for v in found)

    def close(self):
        self.check_quiet()
        self.context.close()


TESTS = []


def test(function):
    TESTS.append(function)
    return function


def fill(daemon):
    """Requests of each kind, to stubs whose ids hold no digits that a filter looks for."""
    daemon.stub(id="00000000-0000-4000-8000-000000000001", name="dogs", request={"method": "GET", "urlPath": "/dogs"}, response={"status": 200, "jsonBody": {"dogs": ["rex"]}})
    daemon.stub(id="00000000-0000-4000-8000-000000000002", name="broken", request={"url": "/reset"}, response={"fault": "CONNECTION_RESET_BY_PEER"})
    daemon.stub(id="00000000-0000-4000-8000-000000000003", name="failing", request={"url": "/fails"}, response={"status": 200, "bodyFileName": "no-such-file"})
    daemon.stub(id="00000000-0000-4000-8000-000000000004", name="error", request={"url": "/error"}, response={"status": 503})
    daemon.stub(id="00000000-0000-4000-8000-000000000005", name="moved", request={"url": "/moved"}, response={"status": 302, "headers": {"Location": "/dogs"}})
    for target in ["/dogs", "/dogs?x=1", "/dgos", "/reset", "/fails", "/error", "/moved"]:
        daemon.ask(target)


@test
def a_request_appears_while_it_is_looked_at(daemon, browser, url):
    page = Page(browser, url)
    daemon.stub(request={"url": "/now"}, response={"status": 204})
    until(lambda: "live" in page.page.locator("header").inner_text(), "the stream")
    daemon.ask("/now")
    page.row("/now").wait_for()
    expect(page.row("/now")).to_contain_text("204")
    page.close()


@test
def every_row_says_what_the_client_got(daemon, browser, url):
    fill(daemon)
    page = Page(browser, url)
    page.row("/moved").wait_for()
    texts = page.texts()
    for target, words in {"/dgos": ["unmatched", "404"], "/reset": ["fault", "reset"], "/fails": ["failed", "500"], "/error": ["server error", "503"], "/moved": ["redirect", "302"]}.items():
        line = next(t for t in texts if target in t)
        for word in words:
            assert word in line, (word, line)
    reset = re.sub(r"\d\d:\d\d:\d\d\.\d+", "", next(t for t in texts if "/reset" in t))
    assert "200" not in reset, "a reset is no 200"
    assert not any(w in next(t for t in texts if "/dogs " in t) for w in ("unmatched", "error")), "quiet is good"
    expect(page.page.locator("a.tally.unmatched")).to_have_text("1 unmatched")
    page.close()


@test
def an_unmatched_request_is_two_clicks_from_the_differing_place(daemon, browser, url):
    fill(daemon)
    page = Page(browser, url)
    page.page.locator("a.tally.unmatched").click()
    page.row("/dgos").click()
    expect(page.page.get_by_role("tab", selected=True)).to_have_text("Why not")
    panel = page.panel()
    expect(panel.locator("tr.differs").first).to_contain_text("/dogs")
    assert panel.locator(".place").all_inner_texts() == ["og", "go"], panel.locator(".place").all_inner_texts()
    expect(panel).to_contain_text("1 condition is met: method")
    page.page.get_by_role("button", name="Make a stub of this").click()
    until(lambda: "#/stubs/new?from=" in page.address(), "the draft")
    page.page.go_back()
    expect(page.page.get_by_role("tab", selected=True)).to_have_text("Why not")
    page.close()


@test
def a_stub_that_is_off_is_switched_on(daemon, browser, url):
    stub = daemon.stub(request={"url": "/off"}, enabled=False)
    daemon.ask("/off")
    page = Page(browser, url)
    page.row("/off").click()
    expect(page.panel().locator(".ineligible")).to_contain_text("would match, but it is not enabled")
    page.panel().get_by_role("button", name="Switch on").click()
    until(lambda: daemon.ask("/off") == 200, "the stub is on")
    page.close()


@test
def a_stub_that_may_not_answer_is_told_apart_and_its_scenario_is_set(daemon, browser, url):
    daemon.stub(name="paid", scenarioName="cart", requiredScenarioState="full", newScenarioState="paid", request={"url": "/pay"}, response={"status": 200})
    daemon.ask("/pay")
    page = Page(browser, url)
    page.row("/pay").click()
    expect(page.panel().locator(".ineligible")).to_contain_text("would match, but its scenario")
    page.page.get_by_role("button", name="Set cart to full").click()
    until(lambda: daemon.call("GET", "scenarios")["scenarios"][0]["state"] == "full", "the state")
    expect(page.panel()).to_contain_text("A stub that is there now would answer it")
    page.close()


@test
def filters_choose_rows_and_say_how_they_were_understood(daemon, browser, url):
    fill(daemon)
    page = Page(browser, url)
    page.row("/moved").wait_for()
    for line, paths in {
        "is:unmatched": ["/dgos"], "status:>=500": ["/fails", "/error"], "is:fault": ["/reset"], "is:failed": ["/fails"], "path:/d*": ["/dogs", "/dogs?x=1", "/dgos"],
        "stub:dogs -x=1": ["/dogs"], "404|503": ["/dgos", "/error"], "POST": [], '"404"': [], "stauts:404": [],
    }.items():
        page.filter(line)
        until(lambda: [t for t in page.texts() if "/" in t] and len(page.texts()) == len(paths) if paths else not page.texts(), f"{line}: {page.texts()}")
        for path, text in zip(paths, page.texts()):
            assert path in text, (line, path, text)
    expect(page.page.locator(".chips")).to_contain_text("did you mean status?")
    page.filter("status:400-499")
    expect(page.page.locator(".chip")).to_contain_text("status 400–499")
    expect(page.page.locator(".tally-text")).to_have_text("1 of 7")
    page.page.get_by_role("button", name="Remove status 400–499").click()
    assert len(page.texts()) == 7
    page.close()


@test
def a_header_or_a_body_is_asked_of_the_daemon(daemon, browser, url):
    daemon.ask("/one", "POST", [("X-Id", "7")], b"rex the dog")
    daemon.ask("/two", "POST", [("X-Id", "8")], b"tom the cat")
    page = Page(browser, url)
    page.row("/two").wait_for()
    for line, path in {"header:x-id=7": "/one", "body:cat": "/two"}.items():
        page.filter(line)
        until(lambda: len(page.texts()) == 1 and path in page.texts()[0], f"{line}: {page.texts()}")
    page.close()


@test
def deep_links_and_the_back_button(daemon, browser, url):
    fill(daemon)
    page = Page(browser, url)
    page.filter("dogs")
    page.row("/dogs?x=1").click()
    page.tab("Request")
    until(lambda: "q=dogs" in page.address() and "&at=" in page.address() and "tab=request" in page.address(), f"the address {page.address()}")
    link = page.address()
    page.page.get_by_role("link", name="Stubs").first.click()
    until(lambda: page.address().endswith("#/stubs"), "stubs")
    page.page.go_back()
    until(lambda: page.address() == link, f"back to {link}, at {page.address()}")
    expect(page.page.get_by_role("tab", selected=True)).to_have_text("Request")
    assert page.page.locator("input.filter").input_value() == "dogs"
    page.page.go_back()
    expect(page.page.locator("aside.detail")).to_be_hidden()
    assert page.page.locator("input.filter").input_value() == "dogs", "the filter stays"
    other = Page(browser, url, fragment=link[link.index("#"):])
    expect(other.page.get_by_role("tab", selected=True)).to_have_text("Request")
    expect(other.panel()).to_contain_text("/dogs?x=1")
    other.go("#/requests?at=00000000-0000-4000-8000-000000000001&n=1")
    expect(other.panel()).to_contain_text("another run")
    other.go("#/nonsense")
    until(lambda: "#/requests" in other.address(), "the nearest view")
    expect(other.page.locator(".notice")).to_contain_text("There is no view nonsense")
    other.close()
    page.close()


@test
def scrolled_up_nothing_moves_and_the_pill_counts(daemon, browser, url):
    daemon.stub(request={"urlPathPattern": "/n/.*"}, response={"status": 200})
    page = Page(browser, url)
    for i in range(80):
        daemon.ask(f"/n/{i}")
    page.row("/n/79").wait_for()
    page.page.locator(".grid").hover()
    page.page.mouse.wheel(0, -900)
    page.page.wait_for_timeout(300)
    before = page.page.evaluate("document.querySelector('.grid').scrollTop"), page.texts()
    for i in range(80, 90):
        daemon.ask(f"/n/{i}")
    daemon.ask("/unknown")
    expect(page.page.locator(".list-pane > .pill")).to_have_text("11 new, 1 unmatched")
    after = page.page.evaluate("document.querySelector('.grid').scrollTop"), page.texts()
    assert before == after, "rows have moved"
    page.key("f")
    page.row("/unknown").wait_for()
    expect(page.page.locator(".list-pane > .pill")).to_be_hidden()
    daemon.ask("/n/last")
    page.row("/n/last").wait_for()
    page.close()


@test
def a_pause_freezes_the_picture_and_loses_nothing(daemon, browser, url):
    daemon.ask("/before")
    page = Page(browser, url)
    page.row("/before").wait_for()
    page.key("p")
    for i in range(120):
        daemon.ask(f"/p/{i}")
    expect(page.page.get_by_role("button", name="Resume: 120 waiting")).to_be_visible()
    assert len(page.texts()) == 1
    page.page.get_by_role("button", name="Resume").click()
    expect(page.page.locator(".tally-text")).to_have_text("121")
    page.key("p")
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="Sort by url").click()
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="Sort by url").click()
    expect(page.page.locator("[role=columnheader].url")).to_have_attribute("aria-sort", "descending")
    page.page.get_by_role("grid").focus()
    page.key("Home")
    expect(page.page.locator(".grid-row.active")).to_contain_text("/p/99")
    page.key("p")
    page.key("f")
    page.row("/p/119").wait_for()
    page.close()


@test
def earlier_ones_are_hidden_and_the_journal_is_emptied_only_when_asked(daemon, browser, url):
    daemon.ask("/old")
    page = Page(browser, url)
    page.row("/old").wait_for()
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="Hide earlier ones").click()
    until(lambda: not page.texts(), "hidden")
    time.sleep(0.05)
    daemon.ask("/new")
    page.row("/new").wait_for()
    assert len(daemon.requests()) == 2, "the journal keeps them"
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="Show hidden ones").click()
    page.row("/old").wait_for()
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="Empty the journal…").click()
    expect(page.page.get_by_role("dialog")).to_contain_text("Tests that are running")
    page.page.get_by_role("button", name="Cancel").click()
    assert len(daemon.requests()) == 2
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="Empty the journal…").click()
    page.page.get_by_role("button", name="Empty the journal", exact=True).click()
    until(lambda: not daemon.requests(), "the journal is empty")
    until(lambda: not page.texts(), "so is the list")
    page.close()


@test
def bodies_are_shown_as_what_they_are(daemon, browser, url):
    gif = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
    daemon.stub(request={"url": "/gif"}, response={"base64Body": base64.b64encode(gif).decode(), "headers": {"Content-Type": "text/plain"}})
    daemon.stub(request={"url": "/sse"}, response={"body": "event: tick\ndata: 1\n\ndata: 2\n\n", "headers": {"Content-Type": "text/event-stream"}})
    daemon.stub(request={"url": "/xml"}, response={"body": "<a><b>1</b></a>", "headers": {"Content-Type": "application/xml"}})
    daemon.ask("/json", "POST", [("Content-Type", "application/json")], b'{"id":9007199254740993,"a":1,"a":2,"list":[1.0]}')
    daemon.ask("/form", "POST", [("Content-Type", "application/x-www-form-urlencoded")], b"a=1&b=x+y")
    daemon.ask("/parts", "POST", [("Content-Type", "multipart/form-data; boundary=B")], b'--B\r\nContent-Disposition: form-data; name="who"\r\n\r\nrex\r\n--B--\r\n')
    daemon.ask("/bytes", "POST", [("Content-Type", "application/octet-stream")], bytes(range(256)))
    for path in ("/gif", "/sse", "/xml"):
        daemon.ask(path)
    page = Page(browser, url)

    def request(path, tab="Request"):
        page.row(path).click()
        page.tab(tab)
        return page.panel()

    panel = request("/json")
    expect(panel.locator(".tree")).to_contain_text("9007199254740993")
    assert panel.locator(".tree .j-key").all_inner_texts().count('"a"') == 2
    panel.get_by_role("button", name="Laid out").click()
    expect(panel.locator("pre.code")).to_contain_text("1.0")
    panel.get_by_role("button", name="Raw").click()
    expect(panel.locator("pre.code")).to_contain_text('{"id":9007199254740993,"a":1,"a":2,"list":[1.0]}')
    panel.get_by_role("button", name="Bytes").click()
    expect(panel.locator("pre.hex")).to_contain_text("00000000  7b 22")
    expect(request("/form").locator("table.wide")).to_contain_text("x y")
    expect(request("/parts").locator(".body-part")).to_contain_text("rex")
    expect(request("/bytes").locator("pre.hex")).to_contain_text("000000f0")
    expect(request("/gif", "Response").locator("img")).to_be_visible()
    assert page.page.evaluate("document.querySelector('.picture img').src").startswith("blob:")
    expect(request("/sse", "Response").locator("table.wide")).to_contain_text("tick")
    panel = request("/xml", "Response")
    expect(panel.locator("pre.code")).to_contain_text("<b>1</b>")
    page.close()


@test
def a_long_body_is_cut_and_says_so(daemon, browser, url):
    daemon.ask("/long", "POST", [("Content-Type", "text/plain")], b"line of text\n" * 200_000)
    page = Page(browser, url)
    started = time.monotonic()
    page.row("/long").click()
    page.tab("Request")
    expect(page.panel()).to_contain_text("of 2.6 MB were kept")
    assert time.monotonic() - started < 6
    page.panel().get_by_role("button", name=re.compile("^Show more")).wait_for()
    page.panel().get_by_role("searchbox").or_(page.panel().locator("input[type=search]")).first.fill("of text")
    expect(page.panel().locator(".found")).to_contain_text("the first 100")
    page.close()


@test
def copies_can_be_pasted(daemon, browser, url):
    daemon.stub(request={"url": "/copy?it's=1"}, response={"jsonBody": {"a": 1}})
    daemon.ask("/copy?it's=1", "POST", [("X-Quote", "it's \"$(id)\"")], b"a'b")
    page = Page(browser, url)
    page.row("/copy").click()

    def copied(name):
        page.page.evaluate("navigator.clipboard.writeText('nothing yet')")
        page.page.get_by_role("button", name="Copy", exact=True).click()
        page.page.get_by_role("menuitem", name=name).click()
        return until(lambda: (text := page.clipboard()) != "nothing yet" and text, f"{name} has copied")

    before = len(daemon.requests())
    curl = copied("Copy as curl")
    subprocess.run(["sh", "-c", curl + " -s -o /dev/null"], check=True, timeout=20)
    again = until(lambda: daemon.requests() if len(daemon.requests()) > before else None, "curl has sent it")[0]["request"]
    assert (again["url"], again["body"], again["headers"]["X-Quote"]) == ("/copy?it's=1", "a'b", "it's \"$(id)\""), again
    mapping = json.loads(copied("Copy as WireMock's JSON"))
    assert mapping["request"] == {"method": "POST", "url": "/copy?it's=1"} and mapping["response"]["jsonBody"] == {"a": 1}
    added = daemon.call("POST", "mappings", mapping)
    assert added["id"]
    route = copied("Copy as route (YAML)")
    request = urllib.request.Request(f"{daemon.url}/__admin/mappings", data=route.encode(), method="POST", headers={"Content-Type": "application/yaml"})
    urllib.request.urlopen(request).read()
    before = len(daemon.requests())
    subprocess.run([sys.executable, "-c", copied("Copy as Python")], check=True, timeout=20, capture_output=True)
    until(lambda: len(daemon.requests()) > before and daemon.requests()[0]["request"]["body"] == "a'b", "Python has sent it")
    assert "fetch(" in copied("Copy as JavaScript") and "URLRequest" in copied("Copy as Swift")
    link = copied("Copy link")
    other = Page(browser, url)
    other.page.goto(link)
    expect(other.page.locator(".detail-title")).to_contain_text("/copy")
    other.close()
    page.close()


@test
def copies_lead_into_their_session(daemon, browser, url):
    session = daemon.call("POST", "sessions", {"name": "copied"})["id"]
    daemon.ask(f"/__session/{session}/copy/in/session")
    page = Page(browser, url)
    page.row("/copy/in/session").click()
    for name in ("Copy as curl", "Copy as JavaScript"):
        page.page.evaluate("navigator.clipboard.writeText('nothing yet')")
        page.page.get_by_role("button", name="Copy", exact=True).click()
        page.page.get_by_role("menuitem", name=name).click()
        until(lambda: f"/__session/{session}/copy/in/session" in page.clipboard(), name)
    page.close()


@test
def hostile_names_and_bodies_are_text(daemon, browser, url):
    q = urllib.parse.quote(HOSTILE)
    daemon.stub(name=HOSTILE, request={"urlPathPattern": "/stub/.*"}, response={"status": 200, "body": HOSTILE + "<script>alert(2)</script>", "headers": {"Content-Type": "text/html"}})
    daemon.stub(name="svg", request={"url": "/svg"}, response={"status": 200, "body": "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(3)'><script>alert(4)</script><image href='http://127.0.0.1:1/x'/></svg>", "headers": {"Content-Type": "image/svg+xml"}})
    session = daemon.call("POST", "sessions", {"name": HOSTILE})["id"]
    daemon.ask(f"/{q}?{q}={q}", "POST", [("X-Evil", HOSTILE), ("Content-Type", "application/json")], json.dumps({HOSTILE: HOSTILE, "__proto__": {"x": 1}}).encode())
    daemon.ask(f"/stub/{q}", headers=[("X-StuntDouble-Session", session)])
    daemon.ask("/stub/rtl%E2%80%AE", "GET", [("X-A", "\u202eabc")])
    daemon.ask("/form", "POST", [("Content-Type", "application/x-www-form-urlencoded")], f"{q}={q}".encode())
    daemon.ask("/svg")
    page = Page(browser, url, width=1700)
    page.row("/svg").wait_for()
    count = page.rows().count()
    for i in range(count):
        page.rows().nth(i).click()
        page.page.wait_for_timeout(150)
        for tab in page.page.get_by_role("tab").all():
            tab.click()
            page.page.wait_for_timeout(60)
            for mode in page.panel().locator(".modes button").all():
                mode.click()
    page.row("/svg").click()
    page.tab("Response")
    page.panel().get_by_role("button", name="Drawing").click()
    page.panel().get_by_role("button", name="Draw it").click()
    expect(page.panel().locator("canvas, p")).not_to_have_count(0)
    page.filter(HOSTILE)
    page.filter(f'stub:"{HOSTILE}"')
    page.key("Escape")
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="By session").click()
    page.page.wait_for_timeout(300)
    page.go(f"#/{q}")
    page.go(f"#/requests?q={q}&at={q}&tab={q}")
    page.page.wait_for_timeout(500)
    assert page.page.evaluate("document.querySelectorAll('img[src=x], script:not([src])').length") == 0
    page.close()


@test
def several_sessions_and_one(daemon, browser, url):
    session = daemon.call("POST", "sessions", {"name": "login test"})["id"]
    page = Page(browser, url, width=1600)
    until(lambda: "live" in page.page.locator("header").inner_text(), "the stream")
    daemon.ask("/own")
    daemon.ask("/theirs", headers=[("X-StuntDouble-Session", session)])
    expect(page.row("/theirs")).to_contain_text("login test")
    page.row("/theirs").click()
    expect(page.panel()).to_contain_text("There are no stubs")
    page.tab("Request")
    expect(page.panel()).to_contain_text(session)
    page.key("Escape")
    page.page.get_by_label("Session", exact=True).select_option("own")
    until(lambda: len(page.texts()) == 1 and "/own" in page.texts()[0], "the daemon's own")
    page.page.get_by_label("Session", exact=True).select_option("all")
    until(lambda: len(page.texts()) == 2, "both")
    page.page.get_by_role("button", name="List").click()
    page.page.get_by_role("menuitem", name="By session").click()
    expect(page.rows("Session login test")).to_contain_text("1 unmatched")
    page.page.get_by_label("Session", exact=True).select_option(f"s:{session}")
    until(lambda: f"/__session/{session}/__admin/ui/" in page.address(), "the session's page")
    until(lambda: len(page.texts()) == 1 and "/theirs" in page.texts()[0], f"its request: {page.texts()}")
    daemon.call("DELETE", f"sessions/{session}")
    expect(page.page.locator(".strip.ended")).to_contain_text("has ended")
    assert len([t for t in page.texts() if "/theirs" in t]) == 1, "rows stay"
    page.close()


@test
def two_can_be_compared_and_many_copied(daemon, browser, url):
    daemon.ask("/a", "POST", [("X-A", "1")], b'{"n":1}')
    daemon.ask("/a", "POST", [("X-A", "2")], b'{"n":2}')
    page = Page(browser, url)
    page.rows("/a").first.click(modifiers=["Control"])
    page.rows("/a").last.click(modifiers=["Control"])
    expect(page.page.locator(".picked.toolbar")).to_contain_text("2 selected")
    page.page.get_by_role("button", name="Compare").click()
    dialog = page.page.get_by_role("dialog")
    expect(dialog).to_contain_text("header X-A")
    assert dialog.locator(".place").all_inner_texts()[:2] == ["1", "2"]
    page.key("Escape")
    page.page.get_by_role("button", name="Copy as HAR").click()
    expect(page.page.locator(".notice").last).to_contain_text("Copied 2 requests")
    assert len(json.loads(page.clipboard())["log"]["entries"]) == 2
    page.close()


@test
def held_requests_count_their_time(daemon, browser, url):
    daemon.stub(name="slow", request={"url": "/slow"}, response={"status": 200, "fixedDelayMilliseconds": 60_000})
    page = Page(browser, url)
    until(lambda: "live" in page.page.locator("header").inner_text(), "the stream")
    threading.Thread(target=daemon.ask, args=("/slow",), daemon=True).start()
    expect(page.row("/slow")).to_contain_text("open")
    expect(page.row("/slow")).to_contain_text(re.compile(r"[12]\.\d+ s"))
    page.row("/slow").click()
    expect(page.page.locator(".request-outcome")).to_contain_text("Still open")
    daemon.call("DELETE", "in-flight")
    expect(page.row("/slow")).to_contain_text("cancelled")
    expect(page.panel()).to_contain_text("cancelled by a caller")
    page.close()


@test
def the_first_job_by_keyboard_alone(daemon, browser, url):
    fill(daemon)
    page = Page(browser, url)
    page.row("/moved").wait_for()
    page.key("/")
    assert page.page.evaluate("document.activeElement.className") == "filter"
    page.page.keyboard.type("is:unmatched")
    page.key("Enter")
    page.key("Enter")
    expect(page.page.get_by_role("tab", selected=True)).to_have_text("Why not")
    page.key("Enter")
    assert page.page.evaluate("document.activeElement.getAttribute('role')") == "tab"
    page.key("]")
    expect(page.page.get_by_role("tab", selected=True)).to_have_text("Request")
    page.key("[")
    page.key("Tab")
    page.key("Escape")
    expect(page.page.locator("aside.detail")).to_be_hidden()
    assert page.page.evaluate("document.activeElement.getAttribute('role')") == "grid", "back at the row"
    page.key("u")
    assert page.page.locator("input.filter").input_value() == ""
    page.key("Home")
    page.key("j")
    page.key("k")
    page.key("n")
    expect(page.page.locator(".grid-row.active")).to_contain_text("/dgos")
    page.key(" ")
    expect(page.page.locator(".picked.toolbar")).to_contain_text("1 selected")
    page.key("y")
    until(lambda: "curl" in page.clipboard(), "a copy")
    page.key(".")
    expect(page.page.get_by_role("menu")).to_be_visible()
    page.key("Escape")
    page.key("?")
    dialog = page.page.get_by_role("dialog")
    for text in ("Follow the newest", "Pause the picture", "Only unmatched ones", "Stubs", "is:unmatched"):
        expect(dialog).to_contain_text(text)
    page.key("Escape")
    page.key("m")
    until(lambda: "#/stubs/new?from=" in page.address(), "a draft")
    page.page.keyboard.press("Escape")
    page.page.evaluate("document.activeElement.blur()")
    page.key("g")
    page.key("r")
    until(lambda: "#/requests" in page.address(), "the requests")
    page.close()


@test
def rows_are_said_with_their_place_and_only_few_exist(daemon, browser, url):
    daemon.stub(request={"urlPathPattern": "/m/.*"}, response={"status": 200})
    page = Page(browser, url)
    until(lambda: "live" in page.page.locator("header").inner_text(), "the stream")
    connection = http.client.HTTPConnection(daemon.host, daemon.port)
    for n in range(3000):
        connection.request("GET", f"/m/{n}")
        connection.getresponse().read()
    page.row("/m/2999").wait_for(timeout=15000)
    grid = page.page.get_by_role("grid")
    assert grid.get_attribute("aria-rowcount") == "3001", grid.get_attribute("aria-rowcount")
    assert page.row("/m/2999").get_attribute("aria-rowindex") == "3001"
    assert page.page.evaluate("document.querySelectorAll('*').length") < 1500
    page.key("Home")
    page.row("/m/0").wait_for()
    assert page.page.evaluate("document.querySelector('.grid').getAttribute('aria-activedescendant')") == "row-0"
    connection.close()
    page.close()


@test
def it_is_clean_for_readers_in_light_and_dark_empty_and_full(daemon, browser, url):
    for scheme in ("light", "dark"):
        daemon.reset()
        page = Page(browser, url, scheme=scheme)
        page.page.get_by_role("heading", name="Waiting for the first request").or_(page.page.get_by_role("heading", name="The journal is empty")).wait_for()
        page.axe(f"{scheme}, empty")
        fill(daemon)
        daemon.ask("/json", "POST", [("Content-Type", "application/json")], b'{"a":[1,{"b":null}],"c":"d"}')
        page.row("/json").wait_for()
        page.axe(f"{scheme}, full")
        page.row("/dgos").click()
        page.panel().locator("tr.differs").first.wait_for()
        page.axe(f"{scheme}, why not")
        page.row("/json").click()
        for tab in ("Request", "Response", "Timing"):
            page.tab(tab)
            page.axe(f"{scheme}, {tab}")
        page.row("/dogs").click()
        for tab in ("Overview", "Stub"):
            page.tab(tab)
            page.axe(f"{scheme}, {tab}")
        page.filter("stauts:404 GET")
        page.page.wait_for_timeout(500)
        page.axe(f"{scheme}, filtered")
        page.filter("")
        page.page.get_by_role("button", name="List").click()
        page.axe(f"{scheme}, menu")
        page.key("Escape")
        page.page.locator("body").click(position={"x": 5, "y": 5})
        page.page.get_by_role("button", name="Keys and settings").click()
        page.axe(f"{scheme}, help")
        page.close()


@test
def narrow_windows_do_not_scroll_sideways(daemon, browser, url):
    fill(daemon)
    for width in (320, 400, 700, 1000, 1280):
        page = Page(browser, url, width=width, height=700)
        page.row("/dgos").wait_for()
        for _ in range(2):
            wide = page.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1], (width, wide)
            if page.page.locator("aside.detail").is_hidden():
                page.row("/dgos").click()
                page.panel().locator("tr.differs").first.wait_for()
        page.axe(f"{width} px, detail")
        if width < 700:
            expect(page.page.locator(".list-pane")).to_be_hidden()
            page.page.get_by_role("button", name="Back to the list").click()
            page.row("/dgos").wait_for()
            small = page.page.evaluate("[...document.querySelectorAll('button, a, select, input')].filter(e => e.offsetParent && e.getBoundingClientRect().height < 43.5 && !e.closest('.skip')).map(e => e.outerHTML.slice(0, 90))")
            assert not small, small
        page.close()


@test
def a_hidden_tab_gives_its_connection_back_and_catches_up(daemon, browser, url):
    daemon.ask("/before")
    page = Page(browser, url)
    page.row("/before").wait_for()

    def hide(hidden):
        page.page.evaluate("hidden => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden}); document.dispatchEvent(new Event('visibilitychange')); }", hidden)

    hide(True)
    page.page.wait_for_timeout(5600)
    daemon.ask("/meanwhile")
    page.page.wait_for_timeout(700)
    assert not any("/meanwhile" in t for t in page.texts()), "the stream is closed"
    hide(False)
    page.row("/meanwhile").wait_for()
    assert len(page.texts()) == 2, page.texts()
    page.close()


@test
def colours_follow_the_setting(daemon, browser, url):
    page = Page(browser, url, scheme="light")
    page.page.get_by_role("button", name="Keys and settings").click()
    page.page.get_by_label("Colours").select_option("dark")
    until(lambda: page.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 28)", "dark")
    page.page.evaluate("localStorage.setItem('stuntdouble-page', JSON.stringify({theme: '<img>', keys: 7}))")
    page.page.reload()
    until(lambda: page.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", "what is strange is as the system")
    page.close()


# --- With a separate daemon

class Own:
    """A separate daemon of the binary, with the binary's page."""

    def __init__(self, binary, *options, folder=None, port=0):
        self.folder = folder or tempfile.mkdtemp()
        self.process = subprocess.Popen([binary, self.folder, "--port", str(port), *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        while "ready on" not in line:
            assert line, "the daemon has ended"
            line = self.process.stdout.readline()
        self.url = re.search(r"ready on (http://\S+)", line)[1]
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.daemon = Daemon(self.url)
        Own.running.append(self)

    running = []

    def stop(self, kill=False):
        Own.running.remove(self)
        self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        self.process.wait()


def an_empty_daemon_leads_to_a_first_answer(binary, browser):
    own = Own(binary)
    page = Page(browser, own.url)
    expect(page.page.get_by_text("export BASE_URL=http://")).to_be_visible()
    text = page.page.get_by_label("The first stub, as JSON")
    text.fill(text.input_value().replace('"jsonBody"', '"jsonBoddy"'))
    page.page.get_by_role("button", name="Add this stub").click()
    expect(page.page.get_by_role("alert").filter(has_text="Line 6")).to_contain_text("jsonBody")
    text.fill(text.input_value().replace('"jsonBoddy"', '"jsonBody"'))
    page.page.get_by_role("link", name="Open in the editor").click()
    expect(page.page.get_by_role("textbox", name="Text of the stub")).to_have_value(re.compile('"hello": "world"'))
    page.page.go_back()
    page.page.get_by_role("button", name="Add this stub").click()
    line = until(lambda: next((t for t in page.page.locator(".copyable code").all_inner_texts() if t.startswith("curl")), None), "a line for curl")
    assert "world" in subprocess.run(["sh", "-c", line + " -s"], capture_output=True, text=True, check=True).stdout
    page.row("/hello").wait_for()
    page.close()
    own.stop()


def signing_in(binary, browser):
    own = Own(binary, "--admin-token", "s3cret")
    page = Page(browser, own.url)
    page.page.locator("dialog input[type=password]").fill("wrong")
    page.key("Enter")
    expect(page.page.get_by_role("dialog")).to_contain_text("refused these credentials")
    page.page.locator("dialog input[type=password]").fill("s3cret")
    page.page.get_by_role("button", name="Sign in").click()
    until(lambda: "live" in page.page.locator("header").inner_text(), "signed in")
    own.daemon.ask("/x")
    page.row("/x").wait_for()
    page.row("/x").click()
    expect(page.panel()).to_contain_text("There are no stubs")
    session = own.daemon.call("POST", "sessions", {"name": "another"}, token="s3cret")["id"]
    page.go("#/sessions")
    page.page.get_by_role("link", name="Open the page of another").click()
    page.page.wait_for_url(f"**/__session/{session}/**")
    until(lambda: "live" in page.page.locator("header").inner_text(), "signed in there, too")
    assert page.page.get_by_role("dialog").count() == 0
    stored = page.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])")
    assert "s3cret" not in stored, stored
    page.page.reload()
    page.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Not signed in")
    page.page.get_by_role("link", name="Stubs").click()
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Not signed in")
    page.page.get_by_role("button", name="Sign in").click()
    page.page.locator("dialog input[type=password]").fill("s3cret")
    page.key("Enter")
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Stubs")
    page.close()
    own.stop()


def a_restart_is_one_line(binary, browser):
    own = Own(binary)
    port = own.daemon.port
    page = Page(browser, own.url, fragment="#/requests?q=path:/")
    until(lambda: "live" in page.page.locator("header").inner_text(), "the stream")
    own.daemon.ask("/before")
    page.row("/before").wait_for()
    page.page.goto(f"{own.url}/__admin/ui/#/requests")
    page.row("/before").wait_for()
    own.stop(kill=True)
    expect(page.page.locator(".strip.lost")).to_contain_text("does not answer", timeout=10_000)
    page.row("/before").wait_for()
    own = Own(binary, folder=own.folder, port=port)
    expect(page.page.locator(".strip.lost")).to_have_count(0, timeout=20_000)
    own.daemon.ask("/after")
    page.row("/after").wait_for(timeout=20_000)
    texts = page.texts()
    assert len([t for t in texts if "daemon restarted" in t]) == 1, texts
    assert len([t for t in texts if "/before" in t]) == 1 and len([t for t in texts if "/after" in t]) == 1, texts
    page.row("/before").click()
    expect(page.panel()).to_contain_text("another run")
    page.close()
    own.stop()


def secrets_are_masked_until_asked(binary, browser):
    own = Own(binary, "--redact")
    page = Page(browser, own.url)
    own.daemon.ask("/in?access_token=abc123", "POST", [("Authorization", "Bearer abc123"), ("Content-Type", "application/json")], b'{"password":"abc123","n":1}')
    page.row("/in").click()
    page.tab("Request")
    expect(page.panel()).to_contain_text("(redacted)")
    for mode in page.panel().locator(".modes button").all():
        mode.click()
        assert "abc123" not in page.page.locator("body").inner_text(), mode.inner_text()
    for name in ("Copy as curl", "Copy as JavaScript", "Copy as route (YAML)"):
        page.page.get_by_role("button", name="Copy", exact=True).click()
        page.page.get_by_role("menuitem", name=name).click()
        page.page.wait_for_timeout(300)
        assert "abc123" not in page.clipboard(), name
    page.page.get_by_role("button", name="Show them").click()
    page.tab("Request")
    expect(page.panel()).to_contain_text("Bearer abc123")
    page.close()
    own.stop()


OWN = [an_empty_daemon_leads_to_a_first_answer, signing_in, a_restart_is_one_line, secrets_are_masked_until_asked]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--binary")
    parser.add_argument("--only", default="")
    parser.add_argument("--files")
    options = parser.parse_args()
    Page.files = options.files
    url = options.url.rstrip("/")
    daemon = Daemon(url)
    failed = []
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        runs = [(t, lambda t=t: (daemon.reset(), t(daemon, browser, url))) for t in TESTS]
        runs += [(t, lambda t=t: t(options.binary, browser)) for t in OWN] if options.binary else []
        for function, run in runs:
            name = function.__name__.replace("_", " ")
            if options.only.replace("_", " ") not in name:
                continue
            # A browser on a busy machine may take longer than any limit here: what fails once is run again, and said.
            for last in (False, True):
                started = time.monotonic()
                try:
                    run()
                    print(f"ok    {name} ({time.monotonic() - started:.1f} s)", flush=True)
                    break
                except Exception:
                    if last:
                        failed.append(name)
                    print(f"{'FAILED' if last else 'again:'} {name}\n{traceback.format_exc(limit=4)}", flush=True)
                finally:
                    for own in Own.running:
                        own.process.kill()
                    Own.running.clear()
        browser.close()
    print(f"{len(failed)} failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
