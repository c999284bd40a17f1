"""Shows that the site's search finds what a reader looks for, and that its pages fit a telephone.

How it is run: `make verify-site` after `make docs-site`, or `python3 packaging/site/verify.py [FOLDER]`. It needs Chromium, which opens the
pages as files: no server, no network. With `--pictures FOLDER` it leaves screenshots there to look at.
"""

import html
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What is typed, and a page that is to be among the first three answers.
QUERIES = [
    ("webhook retry", "docs/webhooks.html"),
    ("max-body-size", "docs/command-line.html"),
    ("sessions", "docs/sessions.html"),
    ("kubernetes", "docs/cookbook/kubernetes.html"),
    ("equalToJson ignoreExtraElements", "docs/json-matching.html"),
    ("mockoon", "docs/moving/mockoon.html"),
    ("openapi", "docs/openapi.html"),
    ("prism", "docs/moving/prism.html"),
    ("client certificate", "docs/https.html"),
    ("port-file", "docs/clients.html"),
    ("cors", "docs/cookbook/cors.html"),
    ("fault reset", "docs/delays-and-faults.html"),
    ("zzzznothing", None),
]


def chromium(*words):
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        sys.exit("verify-site: Chromium is needed")
    with tempfile.TemporaryDirectory() as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        done = subprocess.run(
            [program, *flags, "--virtual-time-budget=3000", *words], capture_output=True, text=True, timeout=120)
    return done.stdout


def main():
    words = sys.argv[1:]
    pictures = Path(words.pop(words.index("--pictures") + 1)) if "--pictures" in words else None
    words = [word for word in words if word != "--pictures"]
    site = Path(words[0] if words else ROOT / ".build" / "site").resolve()
    failed = 0
    for query, page in QUERIES:
        dom = chromium("--dump-dom", f"{(site / 'docs' / 'index.html').as_uri()}?q={query.replace(' ', '+')}")
        results = dom.split('<div class="results"', 1)[-1].split("</form>", 1)[0]
        found = [html.unescape(link).lstrip("./") for link in re.findall(r'<a href="([^"]+)"', results)]
        places = [link.split("#")[0] for link in found[:3]]
        holds = page in places if page else "Nothing found" in results
        failed += not holds
        print(f"{'ok   ' if holds else 'FAILS'} {query}: {', '.join(found[:3]) or 'nothing'}")
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        for name, size, page in (
            ("wide", "1400,1000", "docs/routes.html"), ("home", "1400,1000", "index.html"),
            ("telephone", "400,900", "docs/cookbook/login.html"), ("search", "1400,900", "docs/sessions.html?q=webhook+retry"),
        ):
            chromium(f"--window-size={size}", f"--screenshot={pictures / (name + '.png')}", f"{site.as_uri()}/{page}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
