"""The views of the page beside Requests, in Chromium: every button does what it says, as the admin API sees it.

    python3 Tests/UI/page_views.py --url http://127.0.0.1:8080 [--only NAME] [--folder DIR] [--files DIR]

The daemon is one that may be changed at will; it is reset. With --folder, that of its stubs, it is also checked what a save writes.
Needs playwright and axe-playwright-python, and Chromium at /usr/bin/chromium or in the variable CHROMIUM.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import sys
import threading
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import page_files

HOSTILE = "<img src=x onerror=alert(1)>"
QUOTED = urllib.parse.quote(HOSTILE, safe="")


class Daemon:
    """The daemon by its admin API."""

    def __init__(self, url, session=None):
        self.base = url + (f"/__session/{session}" if session else "")

    def call(self, method, path, body=None, kind="application/json", ok=True):
        data = body if isinstance(body, (bytes, type(None))) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/__admin/{path}", data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            if ok:
                raise AssertionError(f"{method} {path}: {error.code} {error.read()[:500]}") from error
            return None
        return json.loads(text) if text[:1] in b"{[" and text else text

    def get(self, path, ok=True):
        return self.call("GET", path, ok=ok)

    def ask(self, path, method="GET", body=None, headers=None, timeout=20):
        """A request of a client: its status and text; (None, reason) if the connection broke."""
        request = urllib.request.Request(self.base + path, data=body, method=method, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except (OSError, http.client.HTTPException) as error:
            return None, str(error)

    def later(self, *arguments, **options):
        """A request in the background; `result()` waits for its answer."""
        return Later(lambda: self.ask(*arguments, **options))


class Later(threading.Thread):
    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.value = work, None
        self.start()

    def run(self):
        self.value = self.work()

    def result(self, seconds=15):
        self.join(seconds)
        assert not self.is_alive(), "no answer came"
        return self.value


def until(test, what, seconds=30):
    """Waits until `test()` is true, and answers it."""
    end = time.monotonic() + seconds
    while True:
        value = test()
        if value:
            return value
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.05)


class Check:
    """What a check has: the daemon, a browser, and pages of which nothing may go wrong unseen."""

    files = None

    def __init__(self, browser, url, folder):
        self.browser, self.url, self.folder = browser, url, folder
        self.daemon = Daemon(url)
        self.contexts, self.wrong, self.questions = [], [], 0

    def open(self, fragment, session=None, width=1280, height=900, scheme="light"):
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
        context.set_default_timeout(8000)
        if Check.files:
            page_files.serve(context, Check.files, self.url)
        self.contexts.append(context)
        page = context.new_page()
        page.on("dialog", self.asks)
        page.on("pageerror", lambda error: self.wrong.append(f"an error: {error}"))
        page.on("console", self.said)
        page.on("request", self.asked)
        base = self.url + (f"/__session/{session}" if session else "")
        page.goto(f"{base}/__admin/ui/#/{fragment}")
        return page

    def asks(self, dialog):
        """A dialog of the browser is wrong, but for the question whether to leave with text that is added nowhere."""
        if dialog.type == "beforeunload":
            self.questions += 1
        else:
            self.wrong.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def said(self, message):
        if message.type == "error" and "Failed to load resource" not in message.text or "Content Security Policy" in message.text:
            self.wrong.append(f"the console: {message.text[:500]}")

    def asked(self, request):
        if not request.url.startswith((self.url, "blob:", "data:")):
            self.wrong.append(f"a request to {request.url}")

    def close(self):
        for context in self.contexts:
            context.close()
        self.contexts = []
        assert not self.wrong, "\n".join(self.wrong)

    def confirm(self, page, words):
        """Presses the button of the question that is open."""
        page.locator("dialog[open] .actions").get_by_role("button", name=words, exact=True).click()

    def add(self, mapping):
        return self.daemon.call("POST", "mappings", mapping)["id"]


def button(scope, name):
    return scope.get_by_role("button", name=name, exact=True)


# Stubs.


def stubs_are_listed_and_found(check):
    hit = check.add({"name": "asked for", "request": {"method": "GET", "url": "/views/asked"}, "response": {"body": "a"}})
    check.add({"name": "not asked for", "request": {"method": "GET", "url": "/views/other"}})
    assert check.daemon.ask("/views/asked")[0] == 200
    page = check.open("stubs")
    row = page.locator("tr", has=page.get_by_role("link", name="GET /views/asked", exact=True))
    expect(row.locator(".hits")).to_have_text("1")
    expect(row.locator(".stub-file")).to_have_text("in memory")
    other = page.locator("tr", has=page.get_by_role("link", name="GET /views/other", exact=True))
    expect(other).to_contain_text("never used")
    page.get_by_role("searchbox", name="Search stubs").fill("views/asked")
    expect(page.locator(".stub-table tbody tr")).to_have_count(1)
    assert "q=views" in urllib.parse.unquote(page.url), page.url
    page.get_by_role("searchbox", name="Search stubs").fill("views")
    page.get_by_role("button", name=re.compile("^Never used")).click()
    expect(page.locator(".stub-table tbody tr")).to_have_count(1)
    expect(page.locator(".stub-table tbody tr")).to_contain_text("/views/other")
    page.reload()
    expect(page.locator(".stub-table tbody tr")).to_have_count(1)
    page.get_by_role("searchbox", name="Search stubs").fill("views/asked")
    check.daemon.ask("/views/asked")
    expect(page.locator(".stub-table tbody tr .hits")).to_have_text("2", timeout=5000)
    page.get_by_role("link", name="GET /views/asked", exact=True).click()
    assert page.url.endswith(f"#/stubs/{hit}")
    page.go_back()
    expect(page.get_by_role("searchbox", name="Search stubs")).to_have_value("views/asked")


def chosen_stubs_are_switched_and_removed(check):
    ids = [check.add({"request": {"url": f"/views/bulk/{i}"}}) for i in range(3)]
    page = check.open("stubs?q=views/bulk")
    expect(page.locator(".stub-table tbody tr")).to_have_count(3)
    page.get_by_role("checkbox", name="Choose all that are shown").check()
    expect(page.locator(".bulk")).to_contain_text("3 stubs chosen")
    button(page, "Switch off").click()
    until(lambda: all(check.daemon.get(f"mappings/{i}").get("enabled") is False for i in ids), "stubs are off")
    assert check.daemon.ask("/views/bulk/1")[0] == 404
    expect(page.locator(".stub-table tbody tr").first).to_contain_text("off")
    button(page, "Switch on").click()
    until(lambda: check.daemon.ask("/views/bulk/1")[0] == 200, "stubs are on")
    button(page, "Remove…").click()
    check.confirm(page, "Cancel")
    assert check.daemon.get(f"mappings/{ids[0]}")
    button(page, "Remove…").click()
    check.confirm(page, "Remove")
    until(lambda: check.daemon.get(f"mappings/{ids[0]}", ok=False) is None, "stubs are removed")
    expect(page.get_by_text("No stub is like that.")).to_be_visible()


def the_files_come_back(check):
    stub = check.add({"request": {"url": "/views/gone"}})
    page = check.open("stubs")
    button(page, "Back to the files…").click()
    for word in ("journal", "state", "faults", "collections"):
        expect(page.locator("dialog")).to_contain_text(word)
    check.confirm(page, "Reset")
    until(lambda: check.daemon.get(f"mappings/{stub}", ok=False) is None, "the reset")


def stubs_that_look_alike_are_told_apart(check):
    for value in ("one", "two"):
        check.add({"request": {"method": "GET", "url": "/views/alike", "headers": {"X-Kind": {"equalTo": value}, "Authorization": {"contains": "s3cret"}}}})
    page = check.open("stubs?q=views/alike")
    for value in ("one", "two"):
        row = page.locator(".stub-table tbody tr", has_text=f"header X-Kind = {value}")
        expect(row).to_have_count(1)
        expect(row).not_to_contain_text("s3cret")


def a_stub_of_a_collection_says_so(check):
    check.daemon.call("POST", "mappings", json.dumps({"CRUD /views/notes": {"data": [{"id": 1, "text": "first"}]}}))
    stub = next(s["id"] for s in check.daemon.get("requests/counters")["stubs"] if s["key"].endswith(" /views/notes"))
    page = check.open(f"stubs/{stub}")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile("first"))
    expect(page.locator("p.told").first).to_have_text("Good.")
    button(page, "Routes in YAML").click()
    expect(page.locator(".notices")).to_contain_text("one of the stubs of a collection")
    area.fill(area.input_value().replace("first", "second"))
    expect(page.locator("p.told").first).to_contain_text("Change them under Data")


def hidden_stubs_name_what_hides_them(check):
    check.add({"name": "one", "request": {"method": "GET", "url": "/views/hidden"}})
    all_of = check.add({"name": "all of it", "priority": 1, "request": {"method": "ANY", "urlPathPattern": "/views/hid.*"}})
    page = check.open("stubs?q=views/hidden")
    row = page.locator(".stub-table tbody tr")
    link = row.get_by_role("link", name="hidden by all of it")
    expect(link).to_be_visible()
    link.click()
    assert page.url.endswith(all_of)


def a_stub_is_added_in_yaml(check):
    page = check.open("stubs/new")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile("GET /hello"))
    area.fill("GET /views/new:\n  boddy: fresh\n")
    expect(page.locator(".problems li")).to_contain_text("boddy")
    expect(page.locator(".mirror .line.error")).to_contain_text("boddy")
    assert page.locator(".mirror .line.error").evaluate("n => n.style.top") == "28px", "at its line"
    expect(button(page, "Add until reset")).to_be_disabled()
    assert check.daemon.ask("/views/new")[0] == 404
    page.locator(".problems").get_by_role("button", name="Use body").click()
    expect(area).to_have_value("GET /views/new:\n  body: fresh\n")
    expect(page.locator(".problems li")).to_have_count(0)
    expect(page.get_by_text("This stub would answer it.")).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("fresh")
    assert check.daemon.ask("/views/new")[0] == 404, "nothing was added before"
    button(page, "Add until reset").click()
    until(lambda: check.daemon.ask("/views/new") == (200, "fresh"), "the stub answers")
    expect(page.get_by_role("heading", level=1)).to_have_text("GET /views/new")
    assert re.search(r"#/stubs/[0-9a-f-]{36}$", page.url), page.url


def syntax_errors_stand_at_their_lines(check):
    page = check.open("stubs/new")
    area = page.get_by_role("textbox", name="Text of the stub")
    button(page, "WireMock’s JSON").click()
    expect(area).to_have_value(re.compile(r'"request"'))
    area.fill('{\n  "request": {"url": "/x"},\n  "response": {"status": 200,,}\n}')
    expect(page.locator(".problems li")).to_contain_text("line 3")
    area.fill('{\n  "request": {"url": "/x"},\n  "respons": {"status": 200}\n}')
    page.locator(".problems").get_by_role("button", name="Use response").click()
    expect(area).to_have_value(re.compile('"response": {"status": 200}'))
    expect(page.locator(".problems li")).to_have_count(0)


def several_stubs_are_added_at_once(check):
    page = check.open("stubs/new")
    page.get_by_role("textbox", name="Text of the stub").fill("GET /views/a: { body: a }\nGET /views/b: { body: b }\n")
    expect(page.locator(".told").first).to_contain_text("2 stubs")
    button(page, "Add until reset").click()
    until(lambda: check.daemon.ask("/views/b") == (200, "b"), "both answer")


def several_stubs_are_saved_in_files_of_their_own(check):
    page = check.open("stubs/new")
    page.get_by_role("textbox", name="Text of the stub").fill("GET /views/one: { body: a }\nGET /views/two: { body: b }\n")
    button(page, "Save to 2 new files").click()
    until(lambda: check.daemon.ask("/views/two") == (200, "b"), "both answer")
    files = [s.get("file") for s in check.daemon.get("requests/counters")["stubs"] if "/views/" in s["key"]]
    assert len(set(files)) == 2 and None not in files, files
    for file in files:
        expect(page.locator(".notice")).to_contain_text(file)
    for mapping in check.daemon.get("mappings")["mappings"]:
        if mapping["request"].get("urlPath", "").startswith("/views/"):
            check.daemon.call("DELETE", f"mappings/{mapping['id']}")


def an_edit_says_what_it_no_longer_answers(check):
    stub = check.add({"request": {"method": "GET", "urlPath": "/views/hello"}, "response": {"body": "hello"}})
    page = check.open(f"stubs/{stub}")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile("GET /views/hello"))
    area.fill(area.input_value().replace("/views/hello", "/views/hello/7"))
    box = page.locator(".box.warn", has_text="It would no longer answer")
    expect(box).to_contain_text("GET /views/hello: nothing would answer it")
    area.fill(area.input_value().replace("/views/hello/7", "/views/hello").replace("hello\n", "bye\n"))
    expect(box).to_have_count(0)
    for _ in range(2):
        check.daemon.ask("/views/hello?name=Ann")
    check.add({"request": {"method": "GET", "urlPathPattern": "/views/h.*"}, "priority": 9, "response": {"body": "other"}})
    check.daemon.ask("/views/hello/7/8")
    page = check.open(f"stubs/{stub}")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile("GET /views/hello"))
    area.fill(area.input_value().replace("/views/hello", "/views/hallo"))
    expect(page.locator(".box.warn", has_text="It would no longer answer")).to_contain_text("GET /views/hello?name=Ann2 recent requests: answered by GET ~/views/h.*")


def a_stub_is_made_of_a_request(check):
    check.daemon.ask("/views/users/4711?page=2", method="POST", body=b'{"id": 9007199254740993, "name": "Ann"}', headers={"Content-Type": "application/json"})
    request = check.daemon.get("requests?limit=1")["requests"][0]["id"]
    page = check.open(f"stubs/new?from={request}")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile(r"POST /views/users/\{\w+\}"))
    expect(page.get_by_text("This stub would answer it.")).to_be_visible()
    page.get_by_role("combobox", name="Body").select_option("equal")
    expect(area).to_have_value(re.compile("9007199254740993"))
    page.get_by_role("checkbox", name="page").uncheck()
    expect(area).not_to_have_value(re.compile("page"))
    expect(page.get_by_text("This stub would answer it.")).to_be_visible()
    page.get_by_role("combobox", name="Body").select_option("structure")
    expect(area).to_have_value(re.compile(r"json-unit.any-number"))
    expect(page.locator(".told").first).to_contain_text("would answer")
    button(page, "Add until reset").click()
    until(lambda: check.daemon.ask("/views/users/12", method="POST", body=b'{"id": 1, "name": "Bob"}', headers={"Content-Type": "application/json"})[0] == 200, "the stub answers")
    assert check.daemon.ask("/views/users/12", method="POST", body=b'{"id": "a"}', headers={"Content-Type": "application/json"})[0] == 404


def the_nearest_stub_is_fitted_to_a_request(check):
    stub = check.add({"request": {"method": "GET", "urlPathTemplate": "/views/near/{id}/image"}, "response": {"body": "near"}})
    check.daemon.ask("/views/near/7/imagine", method="PUT")
    request = check.daemon.get("requests?limit=1")["requests"][0]["id"]
    page = check.open(f"stubs/{stub}?from={request}")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile(r"PUT /views/near/\{id\}/imagine"))
    expect(page.get_by_text("are changed here so that the request meets it")).to_be_visible()
    assert check.daemon.ask("/views/near/7/imagine", method="PUT")[0] == 404, "nothing was added"
    button(page, "Change until reset").click()
    until(lambda: check.daemon.ask("/views/near/8/imagine", method="PUT") == (200, "near"), "the stub answers")


def a_stub_is_edited_switched_and_removed(check):
    stub = check.add({"name": "edited", "request": {"method": "GET", "url": "/views/edit"}, "response": {"body": "one", "headers": {"X-Big": "9007199254740993"}, "transformerParameters": {"n": 9007199254740993}}})
    page = check.open(f"stubs/{stub}")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile("one"))
    expect(button(page, "Change until reset")).to_be_disabled()
    area.fill(area.input_value().replace("one", "two"))
    expect(button(page, "Change until reset")).to_be_enabled()
    page.keyboard.press("Control+s")
    until(lambda: check.daemon.ask("/views/edit") == (200, "two"), "the edit")
    assert check.daemon.get(f"mappings/{stub}")["response"]["transformerParameters"]["n"] == 9007199254740993
    button(page, "Switch off").click()
    until(lambda: check.daemon.ask("/views/edit")[0] == 404, "it is off")
    button(page, "Switch on").click()
    until(lambda: check.daemon.ask("/views/edit")[0] == 200, "it is on")
    button(page, "Remove…").click()
    check.confirm(page, "Remove")
    until(lambda: check.daemon.get(f"mappings/{stub}", ok=False) is None, "it is removed")
    expect(page.get_by_role("heading", level=1)).to_have_text("Stubs")


def two_pages_edit_one_stub(check):
    stub = check.add({"request": {"method": "GET", "url": "/views/two"}, "response": {"body": "zero"}})
    first, second = check.open(f"stubs/{stub}"), check.open(f"stubs/{stub}")
    areas = [page.get_by_role("textbox", name="Text of the stub") for page in (first, second)]
    for area in areas:
        expect(area).to_have_value(re.compile("zero"))
    areas[0].fill(areas[0].input_value().replace("zero", "first"))
    button(first, "Change until reset").click()
    expect(areas[1]).to_have_value(re.compile("first"), timeout=3000)
    areas[1].fill(areas[1].input_value().replace("first", "second"))
    areas[0].fill(areas[0].input_value().replace("first", "third"))
    expect(button(first, "Change until reset")).to_be_enabled()
    button(first, "Change until reset").click()
    expect(second.get_by_text("Changed meanwhile")).to_be_visible()
    expect(second.get_by_role("region", name="What was changed meanwhile")).to_contain_text("third")
    expect(areas[1]).to_have_value(re.compile("second"))
    button(second, "Keep mine, and overwrite it").click()
    button(second, "Change until reset").click()
    until(lambda: check.daemon.ask("/views/two") == (200, "second"), "the second wins, knowingly")
    expect(areas[0]).to_have_value(re.compile("second"))


def what_was_typed_stays(check):
    stub = check.add({"request": {"method": "GET", "url": "/views/typed"}, "response": {"body": "zero"}})
    page = check.open(f"stubs/{stub}")
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile("zero"))
    area.fill(area.input_value().replace("zero", "half done"))
    page.get_by_role("link", name="Live").click()
    page.evaluate("setTimeout(() => location.reload())")
    page.wait_for_timeout(500)
    assert check.questions == 1, "the browser asks before it is lost"
    page.go_back()
    expect(area).to_have_value(re.compile("half done"))
    button(page, "Discard it").click()
    expect(area).to_have_value(re.compile("zero"))
    page.reload()
    expect(area).to_have_value(re.compile("zero"))
    assert check.questions == 1


def a_save_writes_what_it_shows(check):
    if not check.folder:
        return print("    (without --folder)")
    page = check.open("stubs/new")
    page.get_by_role("textbox", name="Text of the stub").fill("GET /views/saved: { body: kept }\n")
    save = page.get_by_role("button", name=re.compile("^Save to"))
    expect(save).to_be_enabled()
    page.get_by_text(re.compile("^What a save writes")).click()
    expect(page.get_by_role("region", name="What a save writes")).to_contain_text("/views/saved")
    shown = page.get_by_role("region", name="What a save writes").inner_text()
    save.click()
    until(lambda: check.daemon.ask("/views/saved") == (200, "kept"), "the stub answers")
    written = until(lambda: next((f for f in pathlib.Path(check.folder).rglob("*.json") if "/views/saved" in f.read_text()), None), "the file")
    try:
        lines = [line[2:] for line in shown.split("\n") if line.startswith("+ ")]
        for line in written.read_text().strip().split("\n"):
            assert line in lines or "\"id\"" in line or "\"uuid\"" in line, f"{line!r} was not shown in {lines}"
        expect(page.get_by_text("Its file is removed with it")).to_have_count(0)
        button(page, "Remove…").click()
        expect(page.get_by_text("Its file is removed with it")).to_be_visible()
        check.confirm(page, "Remove")
        until(lambda: not written.exists(), "the file is removed with its stub")
    finally:
        written.unlink(missing_ok=True)


def files_of_routes_stay(check):
    stub = next((s for s in check.daemon.get("requests/counters")["stubs"] if s.get("file", "").endswith(".yaml") and s["key"].startswith("GET /")), None)
    if not stub:
        return print("    (the folder has no file of routes)")
    page = check.open(f"stubs/{stub['id']}")
    expect(page.get_by_text(f"{stub['file']}:{stub['line']}").first).to_be_visible()
    save = page.get_by_role("button", name=re.compile("^Save to"))
    expect(save).to_be_disabled()
    expect(page.get_by_text("never rewritten")).to_be_visible()
    expect(button(page, "Copy the text")).to_be_visible()


# Live.


def gates_are_released(check):
    check.add({"request": {"urlPath": "/views/pay"}, "response": {"hold": "pay", "body": "paid"}})
    page = check.open("live")
    waiting = [check.daemon.later(f"/views/pay?{i}") for i in range(4)]
    card = page.get_by_role("region", name="Gate pay")
    expect(card).to_contain_text("4 wait")
    rows = card.locator(".row")
    expect(rows).to_have_count(4)
    rows.filter(has_text="/views/pay?0").get_by_role("button", name="Release").click()
    assert waiting[0].result() == (200, "paid")
    rows.filter(has_text="/views/pay?1").get_by_role("button", name="Answer").click()
    page.get_by_label("Status").fill("402")
    page.get_by_role("textbox", name="Body", exact=True).fill('{"error": "no money"}')
    check.confirm(page, "Answer")
    assert waiting[1].result() == (402, '{"error": "no money"}')
    rows.filter(has_text="/views/pay?2").get_by_role("button", name="Break").click()
    page.get_by_label("How").select_option("EMPTY_RESPONSE")
    check.confirm(page, "Break")
    assert waiting[2].result()[0] is None
    button(card, "Release all at pay").click()
    assert waiting[3].result() == (200, "paid")
    expect(page.get_by_text("Nobody waits at a gate.")).to_be_visible()


def gates_of_sessions_are_released(check):
    session = check.daemon.call("POST", "sessions", {"name": "held one"})["id"]
    theirs = Daemon(check.url, session)
    theirs.call("POST", "mappings", {"request": {"url": "/views/theirs"}, "response": {"hold": "till", "body": "in"}})
    page = check.open("live")
    waiting = theirs.later("/views/theirs")
    card = page.get_by_role("region", name="Gate till")
    expect(card).to_contain_text("in session held one")
    expect(page.locator("header .tally.held")).to_have_text("1 held")
    page.get_by_label("Session", exact=True).select_option("own")
    expect(card).to_have_count(0)
    expect(page.locator("header .tally.held")).to_be_hidden()
    page.get_by_label("Session", exact=True).select_option("all")
    card.get_by_role("button", name="Answer GET /views/theirs with").click()
    page.locator("dialog textarea").fill('{"n": 1')
    check.confirm(page, "Answer")
    expect(page.locator("dialog [role=alert]")).to_contain_text("This is no JSON: line 1")
    page.locator("dialog textarea").fill('{"n": 1}')
    check.confirm(page, "Answer")
    assert waiting.result() == (200, '{"n": 1}')


def messages_are_shown_one_by_one(check):
    check.daemon.call("POST", "message-mappings", {"name": "greeter", "trigger": {"message": {"body": {"equalTo": "hi"}}}, "actions": []})
    check.daemon.call("POST", "channel-providers", {"name": "bus", "driverType": "in-memory"})
    page = check.open("messages")
    expect(page.get_by_text("No client has a WebSocket open.")).to_be_visible()
    expect(page.locator("details", has_text="greeter")).to_have_count(1)
    check.daemon.call("POST", "channels", {"providerName": "bus", "channelName": HOSTILE})
    send = page.get_by_role("textbox", name=f"Message to bus/{HOSTILE}")
    send.fill("hi")
    button(page, "Send").click()
    rows = page.locator("table[aria-label^=Messages] tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("greeter")
    send.fill(HOSTILE)
    button(page, "Send").click()
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("unmatched")
    button(page, "Unmatched only").click()
    expect(rows).to_have_count(1)
    rows.first.get_by_role("button").click()
    expect(page.get_by_text("Nearest: greeter. Only the message is")).to_be_visible()
    button(page, f"Close bus/{HOSTILE}").click()
    expect(page.get_by_text("No client has a WebSocket open.")).to_be_visible()
    assert check.daemon.get("channels")["channels"] == []
    button(page, "Forget all").click()
    expect(page.get_by_text("No message has come yet.")).to_be_visible()
    assert check.daemon.get("messages")["messageServeEvents"] == []


def gates_open_and_close(check):
    check.add({"request": {"url": "/views/door"}, "response": {"hold": "door", "body": "in"}})
    page = check.open("live")
    page.get_by_label("Gate to open before somebody waits there").fill("door")
    button(page, "Open it ahead").click()
    card = page.get_by_role("region", name="Gate door")
    expect(card).to_contain_text("open")
    assert check.daemon.ask("/views/door") == (200, "in")
    button(card, "Close door").click()
    until(lambda: not check.daemon.get("gates/door")["open"], "it is closed")
    waiting = check.daemon.later("/views/door")
    expect(card).to_contain_text("1 waits")
    button(card, "Open door").click()
    assert waiting.result() == (200, "in")
    check.daemon.call("POST", "gates/door/close")


def streams_are_pushed_to(check):
    check.add({"request": {"url": "/views/events"}, "response": {"stream": {"name": "orders"}}})
    page = check.open("live")
    reader = check.daemon.later("/views/events")
    card = page.get_by_role("region", name="Stream orders")
    expect(card).to_contain_text("1 reader")
    card.get_by_label("Event").fill("order")
    card.get_by_label("Data").fill('{"id": 7}')
    button(card, "Push").click()
    expect(card).to_contain_text("1 event sent")
    button(card, "Push").click()
    expect(card).to_contain_text("2 events sent")
    button(card, "Close the stream orders").click()
    status, text = reader.result()
    assert status == 200 and text.count('data: {"id": 7}') == 2 and text.count("event: order") == 2, text
    reader = check.daemon.later("/views/events")
    expect(card).to_contain_text("1 reader")
    expect(card.get_by_label("Event")).to_have_value("order")
    button(card, "Break the stream orders").click()
    check.confirm(page, "Break")
    assert reader.result()[0] in (None, 200)
    expect(page.get_by_text("Nobody reads a stream.")).to_be_visible()


def delayed_answers_end(check):
    check.add({"request": {"url": "/views/slow"}, "response": {"fixedDelayMilliseconds": 60000, "body": "late"}})
    page = check.open("live")
    waiting = check.daemon.later("/views/slow")
    row = page.locator(".row", has_text="/views/slow")
    expect(row).to_contain_text("of 1 m 00 s delay")
    row.get_by_role("button", name="End").click()
    assert waiting.result()[0] is None
    expect(page.get_by_text("No answer is delayed")).to_be_visible()


# Faults, state, data, scenarios.


def faults_act_and_go(check):
    check.add({"request": {"urlPathPattern": "/views/f.*"}, "response": {"body": "fine"}})
    page = check.open("faults")
    page.get_by_label("The next").fill("2")
    page.get_by_label("to", exact=True).fill("views/f/**")
    page.get_by_label("get", exact=True).select_option("503")
    button(page, "Add the fault").click()
    until(lambda: check.daemon.get("faults")["faults"], "the fault")
    assert [check.daemon.ask("/views/f/1")[0] for _ in range(3)] == [503, 503, 200]
    expect(page.locator(".row", has_text="next 2")).to_contain_text("acted on 2: over")
    expect(page.locator(".strip.faults")).to_have_count(0)
    page.get_by_label("The next").fill("")
    page.get_by_label("get", exact=True).select_option("status")
    page.get_by_role("textbox", name="Status").fill("418")
    button(page, "Add the fault").click()
    until(lambda: check.daemon.ask("/views/f/2")[0] == 418, "another status")
    page.locator(".row", has_text="status 418").get_by_role("button", name="Remove").click()
    until(lambda: check.daemon.ask("/views/f/2")[0] == 200, "it is removed")
    button(page, "By JSON…").click()
    page.locator("dialog textarea").fill('{"name": "mine", "delay": }')
    check.confirm(page, "Add")
    expect(page.locator("dialog [role=alert]")).to_contain_text("Line 1")
    page.locator("dialog textarea").fill('{"name": "mine", "delai": "5ms"}')
    check.confirm(page, "Add")
    expect(page.locator("dialog [role=alert]")).to_contain_text("delay")
    page.locator("dialog textarea").fill('{"name": "mine", "delay": "5ms"}')
    check.confirm(page, "Add")
    expect(page.locator(".row", has_text="mine")).to_be_visible()
    button(page, "Remove all…").click()
    check.confirm(page, "Remove")
    until(lambda: not check.daemon.get("faults")["faults"], "all are removed")


def sets_of_faults_are_switches(check):
    sets = check.daemon.get("faults")["sets"]
    if not sets:
        return print("    (the folder has no set of faults)")
    name = sets[0]["name"]
    page = check.open("faults")
    switch = page.get_by_role("switch", name=f"Set {name}")
    expect(switch).to_have_attribute("aria-checked", "false")
    switch.click()
    until(lambda: next(s for s in check.daemon.get("faults")["sets"] if s["name"] == name)["isOn"], "the set is on")
    expect(switch).to_have_attribute("aria-checked", "true")
    switch.click()
    until(lambda: not next(s for s in check.daemon.get("faults")["sets"] if s["name"] == name)["isOn"], "the set is off")


def state_is_edited(check):
    check.daemon.call("PUT", "state/cart", {"properties": {"owner": "Ann"}, "list": [{"item": "pen"}]})
    page = check.open("state/cart")
    card = page.get_by_role("region", name="Context cart")
    expect(card).to_contain_text("pen")
    card.get_by_role("button", name=re.compile("^Value of owner")).click()
    page.keyboard.type("Bob")
    page.keyboard.press("Enter")
    until(lambda: check.daemon.get("state/cart")["properties"]["owner"] == "Bob", "the value")
    card.get_by_role("button", name=re.compile("^Value of owner")).click()
    page.keyboard.type("nobody")
    page.keyboard.press("Escape")
    expect(card.get_by_role("button", name=re.compile("^Value of owner"))).to_have_text("Bob")
    card.get_by_label("New property of cart").fill("size")
    card.get_by_label("Its value").fill("3")
    button(card, "Set").click()
    until(lambda: check.daemon.get("state/cart")["properties"].get("size") == "3", "a new property")
    button(card, "cart as raw JSON").click()
    page.locator("dialog textarea").fill('{"properties": {"owner": "Eve"}, "list": []}')
    check.confirm(page, "Replace it")
    until(lambda: check.daemon.get("state/cart")["properties"] == {"owner": "Eve"}, "the whole")
    page.get_by_label("Name of a new context").fill("fresh one")
    button(page, "Make it").click()
    expect(page.get_by_role("region", name="Context fresh one")).to_be_visible()
    button(card, "Remove cart").click()
    check.confirm(page, "Remove")
    until(lambda: check.daemon.get("state/cart", ok=False) is None, "it is removed")
    button(page, "Empty it…").click()
    check.confirm(page, "Empty")
    until(lambda: not check.daemon.get("state")["contexts"], "it is empty")


def data_are_edited(check):
    records = [{"id": 1, "title": "One", "big": 9007199254740993, "tags": ["a"]}, {"id": 2, "title": "Two"}]
    check.daemon.call("POST", "mappings", json.dumps({"CRUD /views/books": {"data": []}}))
    check.daemon.call("PUT", "data/books", json.dumps(records))
    try:
        page = check.open("data")
        page.get_by_role("link", name="books").first.click()
        card = page.get_by_role("region", name="Collection books", exact=True)
        expect(card.locator("tbody tr")).to_have_count(2)
        card.get_by_role("button", name=re.compile("^title of 1")).click()
        page.keyboard.type("Uno")
        page.keyboard.press("Enter")
        until(lambda: check.daemon.get("data/books/1")["title"] == "Uno", "the cell")
        assert check.daemon.get("data/books/1")["big"] == 9007199254740993, "numbers stay as they are"
        card.get_by_role("button", name=re.compile("^tags of 1")).click()
        page.keyboard.type('["b"]')
        page.keyboard.press("Enter")
        until(lambda: check.daemon.get("data/books/1")["tags"] == ["b"], "a list")
        button(card, "Add a record…").click()
        page.locator("dialog textarea").fill('{"title": "Three"}')
        check.confirm(page, "Add")
        expect(card.locator("tbody tr")).to_have_count(3)
        card.get_by_role("button", name="Remove 2").click()
        check.confirm(page, "Remove")
        until(lambda: check.daemon.get("data/books/2", ok=False) is None, "the record is removed")
        expect(page.locator(".row", has_text="books").get_by_text("changed since its declaration")).to_be_visible()
        button(card, "Reset…").click()
        check.confirm(page, "Reset")
        until(lambda: all(record.get("title") != "Uno" for record in check.daemon.get("data/books")), "the reset")
        expect(button(card, "Reset…")).to_be_disabled()
        assert page.url.endswith("#/data/books")
    finally:
        check.daemon.call("POST", "data/books/reset", ok=False)


def scenarios_are_set(check):
    for start, end, method in (("Started", "filled", "POST"), ("filled", "paid", "PUT"), ("filled", None, "GET")):
        mapping = {"scenarioName": "cart", "requiredScenarioState": start, "request": {"method": method, "url": "/views/cart"}}
        check.add({**mapping, **({"newScenarioState": end} if end else {})})
    page = check.open("scenarios/cart")
    card = page.get_by_role("region", name="Scenario cart")
    expect(card.locator(".states-column")).to_have_count(3)
    expect(card.locator("tbody tr")).to_have_count(3)
    now = card.locator("button[aria-pressed=true]")
    expect(now).to_have_text("Started now")
    time.sleep(5.2)
    card.get_by_role("button", name="paid").click()
    until(lambda: check.daemon.get("scenarios")["scenarios"][0]["state"] == "paid", "the state")
    expect(now).to_have_text("paid now")
    button(page, "All to Started…").click()
    until(lambda: check.daemon.get("scenarios")["scenarios"][0]["state"] == "Started", "all to Started")
    check.daemon.ask("/views/cart", method="POST", body=b"")
    expect(now).to_have_text("filled now", timeout=5000)
    card.get_by_role("button", name="Started").click()
    expect(page.get_by_text("running tests notice")).to_be_visible()
    check.confirm(page, "Change it")
    until(lambda: check.daemon.get("scenarios")["scenarios"][0]["state"] == "Started", "after the question")


# Sessions and reports.


def sessions_begin_and_end(check):
    name = f"login test {time.time()}"
    page = check.open("sessions")
    page.get_by_label("Name of a new session").fill(name)
    button(page, "Begin a session").click()
    session = until(lambda: next((s for s in check.daemon.get("sessions")["sessions"] if s["name"] == name), None), "the session")
    row = page.get_by_role("row", name=re.compile(re.escape(name)))
    expect(row).to_contain_text("nothing yet")
    Daemon(check.url, session["id"]).ask("/views/nothing")
    expect(row).to_contain_text("failed")
    row.get_by_role("link", name=name, exact=True).click()
    assert page.url.endswith(f"#/sessions/{session['id']}")
    expect(page.locator(".headline")).to_contain_text("Failed: 1 request that nothing answered")
    expect(page.locator(".report-part").first).to_contain_text("/views/nothing")
    page.go_back()
    row.get_by_role("link", name=re.compile("^Open the page")).click()
    page.wait_for_url(f"**/__session/{session['id']}/__admin/ui/**")
    page.go_back()
    button(row, f"End {name}").click()
    check.confirm(page, "End it")
    until(lambda: not check.daemon.get("sessions")["sessions"], "the session has ended")
    ended = page.get_by_role("region", name="Sessions that have ended").get_by_role("row", name=re.compile(re.escape(name))).first
    expect(ended).to_contain_text("failed")
    ended.get_by_role("link", name=name, exact=True).click()
    expect(page.locator(".headline")).to_contain_text("Failed")
    page.go_back()
    for _ in range(2):
        check.daemon.call("POST", "sessions", {})
    button(page, "End all…").click()
    check.confirm(page, "End all")
    until(lambda: not check.daemon.get("sessions")["sessions"], "all have ended")


def sessions_share_one_document(check):
    session = check.daemon.call("POST", "sessions", {"name": "another"})["id"]
    Daemon(check.url, session).ask("/views/theirs")
    page = check.open("requests")
    page.evaluate("window.isSame = true")
    page.get_by_label("Session", exact=True).select_option(f"s:{session}")
    page.wait_for_url(f"**/__session/{session}/__admin/ui/#/requests")
    expect(page.locator(".grid-row:visible")).to_have_count(1)
    expect(page.locator("header .state")).to_have_text("live")
    page.goto(f"{check.url}/__session/{session}/__admin/ui/#/stubs/new")
    page.get_by_role("textbox", name="Text of the stub").fill("GET /views/of-session: { body: mine }\n")
    button(page, "Add until reset").click()
    until(lambda: Daemon(check.url, session).ask("/views/of-session") == (200, "mine"), "it is added to the session")
    assert check.daemon.ask("/views/of-session")[0] == 404
    page.get_by_label("Session", exact=True).select_option("all")
    page.wait_for_url(f"{check.url}/__admin/ui/#/requests")
    expect(page.locator(".grid-row:visible", has_text="/views/theirs")).to_be_visible()
    page.go_back()
    page.wait_for_url(f"**/__session/{session}/__admin/ui/**")
    expect(page.get_by_role("heading", level=1)).to_have_text("GET /views/of-session")
    assert page.evaluate("window.isSame"), "the document stays"
    check.daemon.call("DELETE", f"sessions/{session}")
    expect(page.locator(".strip.ended")).to_contain_text("This session has ended")
    late = check.open("stubs", session=session)
    late.wait_for_url(f"{check.url}/__admin/ui/#/sessions/{session}")
    expect(late.locator(".headline")).to_contain_text("Failed")
    expect(late.get_by_text("1 stub used")).to_be_visible()
    expect(late.get_by_role("button", name="End…")).to_have_count(0)


def the_report_is_laid_out(check):
    check.daemon.call("DELETE", "report")
    stub = check.add({"name": "used once", "request": {"method": "GET", "url": "/views/report"}})
    check.daemon.ask("/views/report")
    page = check.open("report")
    expect(page.locator(".headline")).to_contain_text("Passed")
    check.daemon.ask("/views/reportt")
    expect(page.locator(".headline")).to_contain_text("Failed: 1 request that nothing answered", timeout=6000)
    part = page.locator("details[data-key=unmatched]")
    expect(part).to_contain_text("/views/reportt")
    part.get_by_role("link", name="used once").click()
    assert page.url.endswith(stub)
    page.go_back()
    with page.expect_download() as download:
        button(page, "Download").click()
    assert download.value.suggested_filename == "report.html"
    button(page, "Begin anew…").click()
    check.confirm(page, "Begin anew")
    expect(page.locator(".headline")).to_contain_text("Passed", timeout=6000)


# Recording.


class Target(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = json.dumps({"path": self.path, "html": HOSTILE, **({"token": "t0ken-of-a-record"} if "token" in self.path else {})}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def recordings_are_kept_or_discarded(check):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Target)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    before = {f for f in pathlib.Path(check.folder).rglob("*")} if check.folder else set()
    stubs = {m["id"] for m in check.daemon.get("mappings")["mappings"]}
    check.daemon.call("POST", "recordings/stop?discard=true", ok=False)
    page = check.open("record")
    page.get_by_label("The server to record").fill("example")
    button(page, "Start").click()
    assert check.daemon.get("recordings/status")["status"] != "Recording"
    page.get_by_label("The server to record").fill(url.removeprefix("http://"))
    button(page, "Start").click()
    until(lambda: check.daemon.get("recordings/status")["status"] == "Recording", "the recording")
    assert check.daemon.ask("/views/recorded")[0] == 200
    expect(page.get_by_text("GET /views/recorded").first).to_be_visible()
    expect(page.locator("summary", has_text="/views/recorded")).to_contain_text("new")
    button(page, "Discard and stop…").click()
    check.confirm(page, "Discard")
    until(lambda: check.daemon.get("recordings/status")["status"] == "Stopped", "it has ended")
    # The stub that sends requests on goes last.
    until(lambda: {m["id"] for m in check.daemon.get("mappings")["mappings"]} == stubs, "no stub was added, none removed")
    if check.folder:
        assert {f for f in pathlib.Path(check.folder).rglob("*")} == before, "nothing was written"
    assert check.daemon.ask("/views/recorded")[0] == 404
    page.get_by_label("Only what no stub answers").check()
    check.add({"request": {"url": "/views/own"}, "response": {"body": "own"}})
    button(page, "Start").click()
    until(lambda: check.daemon.get("recordings/status")["status"] == "Recording", "the recording")
    assert check.daemon.ask("/views/own") == (200, "own")
    assert check.daemon.ask("/views/again")[0] == 200
    expect(page.locator("summary", has_text="/views/again")).to_be_visible()
    page.get_by_role("button", name=re.compile("and stop$")).first.click()
    expect(page.get_by_text("1 stub answers from now on")).to_be_visible()
    if check.folder:
        expect(page.locator("li", has_text="/views/again")).to_contain_text(".json")
    server.shutdown()
    assert json.loads(check.daemon.ask("/views/again")[1])["html"] == HOSTILE
    assert check.daemon.ask("/views/else")[0] == 404, "nothing is sent on any more"
    for mapping in check.daemon.get("mappings")["mappings"]:
        if mapping["id"] not in stubs:
            check.daemon.call("DELETE", f"mappings/{mapping['id']}")


def what_a_recording_hides_is_said(check):
    if not check.folder:
        return print("    (needs --folder)")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Target)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = check.open("record")
    page.get_by_label("The server to record").fill(f"http://127.0.0.1:{server.server_port}")
    button(page, "Start").click()
    until(lambda: check.daemon.get("recordings/status")["status"] == "Recording", "the recording")
    check.daemon.ask("/views/token")
    button(page, "Save and stop").click()
    expect(page.get_by_text("The running server answers with the real values until its next start")).to_be_visible()
    server.shutdown()
    page.locator("li", has_text="/views/token").get_by_role("link").click()
    area = page.get_by_role("textbox", name="Text of the stub")
    expect(area).to_have_value(re.compile("t0ken-of-a-record"))
    area.fill(area.input_value().replace("/views/token\\", "/views/other\\"))
    expect(page.get_by_text("The file has REDACTED in the place of secrets")).to_be_visible()
    expect(page.locator("details.fold", has_text="What a save writes")).to_have_attribute("open", "")
    check.daemon.call("DELETE", f"mappings/{page.url.rsplit('/', 1)[1]}")


# Everywhere.

VIEWS = ["stubs", "stubs/new", "live", "messages", "faults", "state", "data", "scenarios", "sessions", "report", "record"]


def hostile(check):
    """Everything that has a name has a hostile one; answers the views that show it."""
    stub = check.add({"name": HOSTILE, "request": {"method": "GET", "url": f"/views/{QUOTED}"}, "response": {"body": HOSTILE, "headers": {"X-A": HOSTILE}}})
    check.add({"request": {"url": "/views/gate"}, "response": {"hold": HOSTILE}})
    check.add({"request": {"url": "/views/stream"}, "response": {"stream": {"name": HOSTILE}}})
    check.add({"scenarioName": HOSTILE, "requiredScenarioState": "Started", "newScenarioState": HOSTILE + "2", "request": {"url": "/views/scenario"}})
    check.daemon.call("POST", "faults", {"name": HOSTILE, "request": {"urlPath": "/views/never"}, "status": 500})
    check.daemon.call("PUT", f"state/{QUOTED}", {"properties": {HOSTILE: HOSTILE, "__proto__": "p"}, "list": [{HOSTILE: HOSTILE}]})
    check.daemon.call("POST", "mappings", json.dumps({"CRUD /views/things": {"data": [{"id": HOSTILE, HOSTILE: HOSTILE, "__proto__": 1}]}}))
    session = check.daemon.call("POST", "sessions", {"name": HOSTILE})["id"]
    Daemon(check.url, session).ask(f"/views/{QUOTED}/unmatched")
    check.daemon.ask(f"/views/{QUOTED}/unmatched?{QUOTED}={QUOTED}", method="POST", body=HOSTILE.encode(), headers={"X-Hostile": HOSTILE})
    request = check.daemon.get("requests?limit=1")["requests"][0]["id"]
    check.daemon.call("POST", "message-mappings", {"name": HOSTILE, "trigger": {"message": {"body": {"equalTo": HOSTILE}}}})
    check.daemon.call("POST", "channel-providers", {"name": HOSTILE, "driverType": "in-memory"})
    check.daemon.call("POST", "channels", {"providerName": HOSTILE, "channelName": "a"})
    check.daemon.call("POST", "channels/send", {"type": "fixed", "providerName": HOSTILE, "channelName": "a", "message": HOSTILE})
    waiting = [check.daemon.later("/views/gate"), check.daemon.later("/views/stream")]
    until(lambda: check.daemon.get("gates")["gates"] and check.daemon.get("streams")["streams"], "they wait")
    return waiting, VIEWS + [f"stubs/{stub}", f"stubs/new?from={request}", "data/things", f"state/{QUOTED}", f"scenarios/{QUOTED}", f"sessions/{session}"]


def hostile_names_run_nothing(check):
    _, views = hostile(check)
    page = check.open("stubs")
    for view in views:
        page.goto(f"{check.url}/__admin/ui/#/{view}")
        page.wait_for_timeout(900)
        assert page.locator("main img").count() == 0, view
        page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
        text = page.locator("main").inner_text()
        if view in ("stubs", "live", "messages", "faults", "state", "data/things", "scenarios", "sessions", "report"):
            assert HOSTILE in text, f"{view} does not show it as it is: {text[:2000]}"


def axe_finds_nothing(check):
    _, views = hostile(check)
    found = []
    axe = Axe()
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 400)):
        page = check.open("stubs", scheme=scheme, width=width)
        for view in views:
            page.goto(f"{check.url}/__admin/ui/#/{view}")
            page.wait_for_timeout(900)
            if view == "stubs/new":
                page.get_by_role("textbox", name="Text of the stub").fill("GET /a: { boddy: x }\nget /b: {}\n")
                expect(page.locator(".problems li").first).to_be_visible()
            if view == "faults" and width == 1280:
                button(page, "By JSON…").click()
            for violation in axe.run(page).response["violations"]:
                for node in violation["nodes"][:3]:
                    found.append(f"{scheme} {width} {view}: {violation['id']}: {node['html'][:160]} {node['failureSummary'][:300]}")
            sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            nodes = page.evaluate("document.querySelectorAll('*').length")
            if sideways > 0:
                found.append(f"{scheme} {width} {view}: scrolls sideways by {sideways}")
            if nodes > 1500:
                found.append(f"{scheme} {width} {view}: {nodes} nodes")
            if page.locator("dialog[open]").count():
                page.keyboard.press("Escape")
    assert not found, "\n".join(found)


def addresses_lead_there(check):
    stub = check.add({"name": "linked", "request": {"method": "GET", "url": "/views/linked"}})
    check.daemon.call("PUT", "state/linked", {"properties": {"a": "b"}})
    check.daemon.call("POST", "mappings", json.dumps({"CRUD /views/linked": {"data": [{"id": "k7", "n": 1}]}}))
    for fragment, text in ((f"stubs/{stub}", "GET /views/linked"), ("state/linked", "linked"), ("data/linked/k7", "k7"), ("stubs?q=is:unused", "linked")):
        page = check.open(fragment)
        expect(page.locator("main")).to_contain_text(text)
    page = check.open("data/linked/k7")
    expect(page.locator("tr[aria-selected=true]")).to_contain_text("k7")
    page = check.open("stubs/00000000-0000-4000-8000-000000000000")
    expect(page.locator("main")).to_contain_text("no stub with this id")
    page = check.open("sessions/s99-nobody")
    expect(page.locator("main")).to_contain_text("no such session")


def a_page_of_a_session_is_its_own(check):
    session = check.daemon.call("POST", "sessions", {"name": "its own"})["id"]
    page = check.open("stubs/new", session=session)
    page.get_by_role("textbox", name="Text of the stub").fill("GET /views/mine: { body: mine }\n")
    expect(page.get_by_text("A session writes nothing to the disk.")).to_be_visible()
    button(page, "Add until reset").click()
    until(lambda: Daemon(check.url, session).ask("/views/mine") == (200, "mine"), "in the session")
    assert check.daemon.ask("/views/mine")[0] == 404
    other = check.daemon.call("POST", "sessions", {"name": "another"})["id"]
    page.get_by_role("combobox", name="Session").select_option(f"s:{other}", timeout=12_000)
    page.wait_for_url(f"**/__session/{other}/__admin/ui/**")
    for view in ("state", "data", "faults", "scenarios"):
        expect(check.open(view).get_by_text("the daemon’s own")).to_be_visible()
        expect(check.open(view, session=other).get_by_text("the daemon’s own")).to_be_hidden()


def jobs_are_done_by_keyboard(check):
    """A stub is written and added, and a held request released, with keys alone."""
    check.add({"request": {"url": "/views/held"}, "response": {"hold": "keys", "body": "go"}})
    page = check.open("requests")
    page.wait_for_timeout(500)
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page.get_by_role("heading", level=1)).to_have_text("Stubs")
    walk(page, lambda name: name == "New stub")
    page.keyboard.press("Enter")
    walk(page, lambda name: name == "Text of the stub")
    page.keyboard.press("Control+a")
    page.keyboard.type("GET /views/keys:\nstatus: 201\n")
    expect(page.get_by_role("textbox", name="Text of the stub")).to_have_value("GET /views/keys:\n  status: 201\n  ")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert focused(page) != "Text of the stub", "Esc, then Tab leaves"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+s")
    until(lambda: check.daemon.ask("/views/keys")[0] == 201, "the stub answers")
    waiting = check.daemon.later("/views/held")
    walk(page, lambda name: name.startswith("Live"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Gate keys")).to_contain_text("1 waits")
    walk(page, lambda name: name == "Release all at keys")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "focus is seen"
    page.keyboard.press("Enter")
    assert waiting.result() == (200, "go")
    until(lambda: page.evaluate("document.activeElement !== document.body"), "focus is not lost")


def focused(page):
    return page.evaluate("(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || '').trim()")


def walk(page, test, most=80):
    """Tabs until what has the focus is called so."""
    names = []
    for _ in range(most):
        page.keyboard.press("Tab")
        names.append(focused(page))
        if test(names[-1]):
            return
    raise AssertionError(f"not reached by Tab: {names}")


CHECKS = [
    stubs_are_listed_and_found, chosen_stubs_are_switched_and_removed, the_files_come_back,
    stubs_that_look_alike_are_told_apart, a_stub_of_a_collection_says_so, hidden_stubs_name_what_hides_them,
    a_stub_is_added_in_yaml, syntax_errors_stand_at_their_lines, several_stubs_are_added_at_once,
    several_stubs_are_saved_in_files_of_their_own, an_edit_says_what_it_no_longer_answers, a_stub_is_made_of_a_request, the_nearest_stub_is_fitted_to_a_request,
    a_stub_is_edited_switched_and_removed, two_pages_edit_one_stub, what_was_typed_stays, a_save_writes_what_it_shows, files_of_routes_stay,
    gates_are_released, gates_of_sessions_are_released, messages_are_shown_one_by_one, gates_open_and_close, streams_are_pushed_to, delayed_answers_end, faults_act_and_go, sets_of_faults_are_switches,
    state_is_edited, data_are_edited, scenarios_are_set, sessions_begin_and_end, sessions_share_one_document, the_report_is_laid_out, recordings_are_kept_or_discarded, what_a_recording_hides_is_said,
    hostile_names_run_nothing, addresses_lead_there, a_page_of_a_session_is_its_own, jobs_are_done_by_keyboard, axe_finds_nothing,
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--folder")
    parser.add_argument("--files", help="a folder with the page's files, in place of the daemon's")
    options = parser.parse_args()
    Check.files = options.files
    url = options.url.rstrip("/")
    failed = []
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        for test in CHECKS:
            name = test.__name__.replace("_", " ")
            if options.only and options.only not in test.__name__ and options.only not in name:
                continue
            # A browser on a busy machine may take longer than any limit here: what fails once is run again, and said.
            for last in (False, True):
                check = Check(browser, url, options.folder)
                check.daemon.call("POST", "reset")
                check.daemon.call("DELETE", "sessions")
                began = time.monotonic()
                try:
                    test(check)
                    check.close()
                    print(f"ok   {name} ({time.monotonic() - began:.1f} s)", flush=True)
                    break
                except Exception as error:  # each check is told, whatever it met
                    if last:
                        failed.append(name)
                    print(f"{'FAIL' if last else 'again:'} {name}: {str(error).split('Aria snapshot')[0]}", flush=True)
                    line = next((f for f in reversed(traceback.extract_tb(error.__traceback__)) if f.filename == __file__), None)
                    print(f"     at line {line and line.lineno}: {line and line.line}", flush=True)
                    for context in check.contexts:
                        context.close()
        browser.close()
        Daemon(url).call("POST", "reset")
        Daemon(url).call("DELETE", "sessions")
    print(f"{len(failed)} failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
