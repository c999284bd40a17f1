"""The rows of tables in docs/ that list members or words of the dialect.

    <!-- dialect: request url urlPath -->      the members of `request` that are named; all if none is
    <!-- dialect: matcher equalTo * -->        these, and those that no other table of the page names; options only if they are named
    <!-- dialect: @tlsFaults {"tls": "%"} -->  words, each in place of %

stands above such a table and `<!-- /dialect -->` below it. The head of the table is its page's own; under `options` stand those of an operator.

    <!-- names: matcher path -->               the members with `path` in parentheses, or those that `. path` lists

and `<!-- /names -->` enclose names within a sentence.
"""

import re
from pathlib import Path
from typing import Dict, List

from clients import sentence
from notation import Dialect
from type_notation import Member, NotationError

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
TABLE = re.compile(r"<!-- dialect: (\S+)(.*?) -->\n\n((?:\|.*\n){2})(?:\|.*\n)*\n<!-- /dialect -->")

NAMES = re.compile(r"(<!-- names: (\S+) (\S+) -->).*?(<!-- /names -->)", re.S)


def files(dialect: Dialect) -> Dict[str, str]:
    texts = {path: path.read_text() for path in sorted(DOCS.rglob("*.md"))}
    return {
        str(path.relative_to(DOCS.parent)): _printed(dialect, path.name, text)
        for path, text in texts.items()
        if "<!-- dialect: " in text or "<!-- names: " in text
    }


def _printed(dialect: Dialect, page: str, text: str) -> str:
    tables = list(TABLE.finditer(text))
    if len(tables) != text.count("<!-- dialect: "):
        raise NotationError(f"docs/{page}: expected a table with a head between <!-- dialect: NAME --> and <!-- /dialect -->")
    named = {(found[1], name.lstrip("-")) for found in tables for name in found[2].split()}

    def table(found: "re.Match[str]") -> str:
        name, words, head = found[1], found[2].split(), found[3]
        if name.startswith("@"):
            rows = _words(dialect, name[1:], found[2].strip() or "%")
        else:
            if name not in dialect.definitions:
                raise NotationError(f"docs/{page}: there is no {name}")
            members = dialect.members(name)
            for word in words:
                if word != "*" and word.lstrip("-") not in members:
                    raise NotationError(f"docs/{page}: {name} has no member {word}")
            rest = [one for one, member in members.items() if (name, one) not in named and "option" not in member.attributes]
            chosen = [one for word in words for one in (rest if word == "*" else [word] if word[0] != "-" else [])] or [one for one in members if one != "$schema"]
            rows = [_row(members[one], "options" in head) for one in chosen]
        return f"<!-- dialect: {name}{found[2]} -->\n\n{head}" + "".join(rows) + "\n<!-- /dialect -->"

    def names(found: "re.Match[str]") -> str:
        begin, name, word, end = found.groups()
        if name not in dialect.definitions:
            raise NotationError(f"docs/{page}: there is no {name}")
        listed = dialect[name].attributes.get(word, "").split()
        chosen = listed or [one.name for one in dialect.members(name).values() if word in one.attributes]
        if not chosen:
            raise NotationError(f"docs/{page}: {name} has no member with ({word})")
        return begin + ", ".join(f"`{one}`" for one in chosen) + end

    if len(NAMES.findall(text)) != text.count("<!-- names: "):
        raise NotationError(f"docs/{page}: expected <!-- /names --> behind <!-- names: NAME WORD -->")
    return NAMES.sub(names, TABLE.sub(table, text))


def _words(dialect: Dialect, name: str, shape: str) -> List[str]:
    if name not in dialect.words:
        raise NotationError(f"there is no @{name}")
    words = dialect.words[name].words
    return [f"| `{shape.replace('%', word)}` | {sentence(text).replace('|', chr(92) + '|')} |\n" for word, _, text in words]


def _row(member: Member, has_options: bool) -> str:
    row = f"| `{member.name}` | {sentence(member.marked)} |"
    if has_options:
        options = ", ".join(f"`{one}`" for one in member.attributes.get("options", "").split())
        row += f" {options or '–'} |"
    return row + "\n"
