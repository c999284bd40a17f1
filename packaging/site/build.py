"""Renders the documentation as static pages with search.

How it is run: `make docs-site`, or `python3 packaging/site/build.py [--to FOLDER] [--repository URL]`, by default to
`.build/site`. It needs markdown-it-py and Pygments from PyPI; where they are missing it makes a virtual environment in
`.build/site-venv`, installs them there and goes on in it.

The navigation is what `docs/README.md` lists. It ends with status 1 where a link or an anchor leads nowhere, or a page of
`docs/` is not in the navigation. Links to files that are no pages lead to the repository, where its URL is given.
"""

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NEEDED = ["markdown-it-py>=3,<5", "pygments>=2.14,<3"]

try:
    import pygments
    from markdown_it import MarkdownIt
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
except ImportError:
    venv = ROOT / ".build" / "site-venv"
    python = venv / "bin" / "python"
    if Path(sys.prefix) == venv:
        raise
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *NEEDED], check=True)
    os.execv(python, [str(python), *sys.argv])

INDEX = "docs/README.md"
LEXERS = {"sh": "bash", "console": "console", "yaml": "yaml", "json": "json", "swift": "swift", "js": "javascript"}


def pages():
    """The paths of all pages, from the root of the repository."""
    docs = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
    return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", *docs]


def address(page):
    """Where a page stands in the site: `docs/swift/README.md` is `docs/swift/index.html`."""
    folder, name = os.path.split(page)
    name = "index" if name == "README.md" else name[: -len(".md")].lower()
    return os.path.join(folder, name + ".html")


def slug(heading, taken):
    """The anchor that GitHub gives a heading."""
    text = "".join(c for c in heading.strip().lower() if c.isalnum() or c in "-_ ").replace(" ", "-")
    count = taken.get(text, 0)
    taken[text] = count + 1
    return f"{text}-{count}" if count else text


def plain(inline):
    """The text of an inline token, without its marks."""
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in inline.children or []
        if child.type in ("text", "code_inline", "softbreak", "hardbreak")
    )


class Page:
    def __init__(self, path, markdown):
        self.path = path
        self.tokens = markdown.parse((ROOT / path).read_text(encoding="utf-8"))
        self.headings = []  # (depth, text, anchor)
        self.links = []  # (token, target)
        self.sections = []  # [heading, anchor, words]
        self.title = path
        taken = {}
        for index, token in enumerate(self.tokens):
            if token.type == "heading_open":
                inline = self.tokens[index + 1]
                text = plain(inline)
                anchor = slug(text, taken)
                token.attrSet("id", anchor)
                depth = int(token.tag[1])
                self.headings.append((depth, text, anchor))
                if depth == 1 and self.title == path:
                    self.title = text
                self.sections.append([text, anchor, []])
            elif token.type == "inline":
                for child in token.children:
                    if child.type == "link_open":
                        self.links.append((child, child.attrGet("href")))
                if self.tokens[index - 1].type != "heading_open" and self.sections:
                    self.sections[-1][2].append(plain(token))
            elif token.type in ("fence", "code_block") and self.sections:
                self.sections[-1][2].append(token.content)

    @property
    def anchors(self):
        return {anchor for _, _, anchor in self.headings}


class Site:
    def __init__(self, repository):
        self.repository = repository
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        self.markdown.renderer.rules["fence"] = self.fence
        self.markdown.renderer.rules["heading_close"] = self.heading_close
        self.pages = {path: Page(path, self.markdown) for path in pages()}
        self.problems = []

    # Code

    @staticmethod
    def fence(tokens, index, options, env):
        token = tokens[index]
        words = token.info.split()
        name = LEXERS.get(words[0], words[0]) if words else "text"
        try:
            lexer = get_lexer_by_name(name, stripnl=False)
        except pygments.util.ClassNotFound:
            lexer = get_lexer_by_name("text", stripnl=False)
        code = pygments.highlight(token.content, lexer, HtmlFormatter(nowrap=True))
        kind = "mistake" if token.info.endswith("-error") else "example"
        return f'<div class="{kind}"><pre tabindex="0"><code>{code}</code></pre></div>\n'

    @staticmethod
    def heading_close(tokens, index, options, env):
        anchor = tokens[index - 2].attrGet("id")
        return f' <a class="anchor" href="#{anchor}" aria-label="Link to this">#</a></{tokens[index].tag}>\n'

    # Links

    def resolve(self, page, target):
        """The link in the site for one in a page, or None where it leads to a file that the site does not have."""
        if re.match(r"[a-z]+:", target):
            return target
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page.path), unquote(file))) if file else page.path
        if not (ROOT / path).exists():
            self.problems.append(f"{page.path}: {target}: there is no {path}")
            return None
        other = self.pages.get(path)
        if other is None and (ROOT / path / "README.md").exists() and path + "/README.md" in self.pages:
            other = self.pages[path + "/README.md"]
        if other is None:
            return f"{self.repository}/{path}" if self.repository else None
        if anchor and anchor not in other.anchors:
            self.problems.append(f"{page.path}: {target}: {other.path} has no heading #{anchor}")
        place = os.path.relpath(address(other.path), os.path.dirname(address(page.path)) or ".")
        return place + ("#" + anchor if anchor else "")

    def rewrite_links(self, page):
        for token, target in page.links:
            link = self.resolve(page, target)
            if link is None:
                token.attrs.pop("href")
                token.attrSet("title", target)
            else:
                token.attrSet("href", link)

    # Navigation

    def navigation(self):
        """The groups of the index: (title, [(text, page)]), in its order."""
        groups = []
        index = self.pages[INDEX]
        title = None
        for position, token in enumerate(index.tokens):
            if token.type == "heading_open" and token.tag == "h2":
                title = plain(index.tokens[position + 1])
                groups.append((title, []))
            elif token.type == "inline" and title:
                text = None
                for child in token.children:
                    if child.type == "link_open":
                        text, target = "", child.attrGet("href")
                    elif text is not None and child.type in ("text", "code_inline"):
                        text += child.content
                    elif child.type == "link_close" and text is not None:
                        path = os.path.normpath(os.path.join("docs", target.partition("#")[0]))
                        if path in self.pages and "#" not in target:
                            groups[-1][1].append((text, path))
                        text = None
        listed = {path for _, entries in groups for _, path in entries}
        for path in self.pages:
            if path not in listed and path != INDEX:
                self.problems.append(f"{INDEX}: it does not list {path}")
        return groups

    def sidebar(self, page, groups):
        here = os.path.dirname(address(page.path)) or "."
        parts = []
        for title, entries in groups:
            is_open = any(path == page.path for _, path in entries)
            parts.append(f'<details{" open" if is_open else ""}><summary>{html.escape(title)}</summary><ul>')
            for text, path in entries:
                current = ' aria-current="page"' if path == page.path else ""
                link = os.path.relpath(address(path), here)
                parts.append(f'<li><a href="{link}"{current}>{html.escape(text)}</a></li>')
            parts.append("</ul></details>")
        return "\n".join(parts)

    def contents(self, page):
        entries = [(depth, text, anchor) for depth, text, anchor in page.headings if depth in (2, 3)]
        if len(entries) < 3:
            return ""
        items = "".join(f'<li class="d{d}"><a href="#{a}">{html.escape(t)}</a></li>' for d, t, a in entries)
        return f'<nav class="contents" aria-label="On this page"><p>On this page</p><ul>{items}</ul></nav>'

    # The site

    def write(self, folder):
        groups = self.navigation()
        order = list(dict.fromkeys(path for _, entries in groups for _, path in entries))
        template = (HERE / "page.html").read_text(encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        for page in self.pages.values():
            self.rewrite_links(page)
        if self.problems:
            return
        for page in self.pages.values():
            place = folder / address(page.path)
            place.parent.mkdir(parents=True, exist_ok=True)
            root = os.path.relpath(".", os.path.dirname(address(page.path)) or ".")
            body = self.markdown.renderer.render(page.tokens, self.markdown.options, {})
            body = body.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
            values = {
                "title": html.escape(page.title if page.path == "README.md" else f"{page.title} – Stunt Double"),
                "root": root,
                "sidebar": self.sidebar(page, groups),
                "contents": self.contents(page),
                "body": body,
                "neighbours": self.neighbours(page, order),
            }
            place.write_text(re.sub(r"\{\{(\w+)\}\}", lambda m: values[m[1]], template), encoding="utf-8")
        self.write_search(folder, order)
        light = HtmlFormatter(style="friendly").get_style_defs("pre")
        dark = HtmlFormatter(style="github-dark").get_style_defs("pre")
        css = (HERE / "site.css").read_text(encoding="utf-8")
        dark = f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
        (folder / "site.css").write_text("\n".join([light, dark, css]), encoding="utf-8")
        shutil.copy(HERE / "site.js", folder / "site.js")

    def neighbours(self, page, order):
        if page.path not in order:
            return ""
        here = os.path.dirname(address(page.path)) or "."
        position = order.index(page.path)
        parts = []
        for step, name, arrow in ((-1, "previous", "← {}"), (1, "next", "{} →")):
            if 0 <= position + step < len(order):
                other = self.pages[order[position + step]]
                text = arrow.format(html.escape(other.title))
                parts.append(f'<a rel="{name}" href="{os.path.relpath(address(other.path), here)}">{text}</a>')
        return "".join(parts)

    def write_search(self, folder, order):
        """A script, not JSON: a browser loads it from a folder of this machine, too."""
        entries = []
        for path in order:
            page = self.pages[path]
            for heading, anchor, words in page.sections:
                text = re.sub(r"\s+", " ", " ".join(words)).strip()
                entries.append([address(path) + "#" + anchor, page.title, heading, text])
        data = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
        (folder / "search-index.js").write_text(f"window.searchIndex={data};\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Renders the documentation as static pages with search.")
    parser.add_argument("--to", type=Path, default=ROOT / ".build" / "site")
    parser.add_argument("--repository", default="", help="the URL before the path of a file: https://…/blob/main")
    options = parser.parse_args()
    site = Site(options.repository.rstrip("/"))
    site.write(options.to)
    for problem in site.problems:
        print(f"docs-site: {problem}", file=sys.stderr)
    if site.problems:
        sys.exit(1)
    links = sum(len(page.links) for page in site.pages.values())
    print(f"{options.to}: {len(site.pages)} pages, {links} links, none dead")


if __name__ == "__main__":
    main()
