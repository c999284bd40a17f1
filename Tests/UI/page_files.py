"""Serves the page's files from a folder in place of the daemon's, so that a change needs no build."""

import pathlib
import re
import urllib.parse
import urllib.request

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def serve(context, folder, url):
    """Has a browser's context take the page's files from a folder, with the headers of the daemon at an address."""
    with urllib.request.urlopen(f"{url}/__admin/ui/") as page:
        kept = {k.lower(): v for k, v in page.headers.items() if k.lower() not in ("content-length", "content-encoding", "etag")}

    def answer(route):
        name = urllib.parse.urlsplit(route.request.url).path.rsplit("/", 1)[1] or "index.html"
        file = pathlib.Path(folder) / name
        headers = {**kept, "content-type": TYPES.get(file.suffix, "application/octet-stream") + ";charset=UTF-8"}
        route.fulfill(status=200 if file.is_file() else 404, headers=headers, body=file.read_bytes() if file.is_file() else b"")

    context.route(re.compile(r"/__admin/ui/[^/?#]*(#.*)?$"), answer)
