"""The form of recorded JSON: one case a line, compact.

    python3 Tools/oracle/recording.py FILE...    # writes these files in this form; their values stay as they are

A top-level list has an element a line. Of a top-level object, a member that is too long for one line has its elements or members
on a line each. A very long case has the steps of its longest member on a line each. White space goes; the spelling of numbers
and texts, and the order of keys, stay.
"""

import json
import pathlib
import re
import sys

# The longest member of a top-level object that stays on one line.
WIDTH = 120
# The longest case of several steps that stays on one line.
CASE = 5_000
# A string, a mark, or a number or word.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def compact(text):
    """The text of a value without white space between its tokens."""
    return "".join(TOKEN.findall(text))


def split(text):
    """The texts of the elements of a compact list, or of the members of a compact object; nothing of another value."""
    parts, depth, start = [], 0, 1
    if text[0] not in "[{" or len(text) == 2:
        return parts
    for token in TOKEN.finditer(text):
        found = token.group()
        if found in ("[", "{"):
            depth += 1
        elif found in ("]", "}"):
            depth -= 1
        if (found == "," and depth == 1) or depth == 0:
            parts.append(text[start:token.start()])
            start = token.end()
    return parts


def broken(text):
    """A list or an object with each element or member on a line of its own."""
    return text[0] + "\n" + ",\n".join(map(case, split(text))) + "\n" + text[-1]


def case(text):
    """An element or a member, on a line of its own unless it is very long."""
    members = split(text) if len(text) > CASE else []
    longest = max(members, key=len, default="")
    content = longest[TOKEN.match(longest).end() + 1:] if text[0] == "{" and longest else ""
    steps = split(content) if content[:1] == "[" else []
    if len(steps) < 2:
        return text
    return text.replace(content, "[\n" + ",\n".join(steps) + "\n]", 1)


def one_a_line(value):
    """A value, or the text of one, in the form of recordings, with a newline at its end."""
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False)
    text = compact(value)
    if text[0] == "[":
        return broken(text) + "\n"
    members = []
    for member in split(text):
        name = TOKEN.match(member).group()
        content = member[len(name) + 1:]
        members.append(f"{name}:{broken(content)}" if len(member) > WIDTH and split(content) else member)
    return "{\n" + ",\n".join(members) + "\n}\n"


def pairs(text):
    """The value of a text, objects as lists of pairs, so that the order of keys counts."""
    return json.loads(text, object_pairs_hook=lambda found: ["{}", *map(list, found)], parse_float=str, parse_int=str)


def main():
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        old = path.read_text(encoding="utf-8")
        new = one_a_line(old)
        if pairs(old) != pairs(new):
            sys.exit(f"{name}: not the same values")
        path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
