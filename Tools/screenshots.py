"""Takes the screenshots of docs/page.md, after making the traffic that they show.

    stuntdouble mocks --port 8080 &
    python3 Tools/screenshots.py --url http://127.0.0.1:8080 --out docs

Needs playwright (Tests/UI/requirements.txt) and Chromium at /usr/bin/chromium.
"""

import argparse
import json
import pathlib
import sys
import threading
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Tests" / "UI"))
import page_files


def ask(url, method="GET", body=None, headers=None):
    request = urllib.request.Request(url, data=body.encode() if body else None, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()
    except (urllib.error.URLError, OSError) as error:
        return str(error).encode()


def traffic(url):
    """Requests of a shop: most are answered, one gets a fault, one is held, and one path is nearly right."""
    add = lambda stub: ask(url + "/__admin/mappings", "POST", json.dumps(stub))
    add({"request": {"method": "POST", "urlPath": "/pay"}, "response": {"hold": "pay", "status": 201}})
    add({"request": {"method": "GET", "urlPath": "/till"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}})
    for _ in range(4):
        for path in ["/api/users", "/api/users/1", "/api/users/2", "/api/orders?state=open", "/api/books", "/api/users/404"]:
            ask(url + path)
        ask(url + "/api/users", "POST", '{"name": "Ada"}', {"Content-Type": "application/json"})
    ask(url + "/till")
    ask(url + "/api/breed/hound/imagine")
    threading.Thread(target=ask, args=(url + "/pay", "POST", '{"total": 12.5}'), daemon=True).start()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--url", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--files", help="a folder with the page's files, in place of the daemon's")
    options = parser.parse_args()
    ask(options.url + "/__admin/reset", "POST")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])

        def open_page(width, height, scheme, fragment=""):
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            if options.files:
                page_files.serve(page.context, options.files, options.url)
            page.goto(f"{options.url}/__admin/ui/{fragment}")
            page.wait_for_timeout(1_000)
            return page

        page = open_page(1360, 760, "light")
        traffic(options.url)
        page.wait_for_timeout(1_500)
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        page.wait_for_timeout(1_000)
        page.screenshot(path=f"{options.out}/page-requests.png")
        open_page(1360, 760, "dark", "#/stubs").screenshot(path=f"{options.out}/page-stubs.png")
        open_page(400, 760, "light").screenshot(path=f"{options.out}/page-narrow.png")
        browser.close()
    ask(options.url + "/__admin/reset", "POST")


if __name__ == "__main__":
    main()
