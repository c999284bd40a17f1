import re
from typing import Any, Dict, List
from urllib.parse import quote, unquote, unquote_plus

Pattern = Dict[str, Any]

_KEY = re.compile(r"([!#$%&'*+.^_`|~0-9A-Z-]+)[ \t]+(\S.*)", re.DOTALL)
_VARIABLE = re.compile(r"(\{[^{}/?]+\})")
# What a key writes plainly and clients send as %XX: blanks, quotes and what is beyond ASCII.
_PLAIN = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"<>')


def pattern_of(key: str) -> Pattern:
    """The request pattern of a route's key, such as ``GET /users/{id}?page={any}``, as the daemon reads it: see docs/routes.md."""
    __tracebackhide__ = True
    found = _KEY.fullmatch(key.strip(" \t"))
    if not found:
        raise ValueError(_complaint(key))
    methods, target = found.groups()
    names = methods.split("|")
    if "CRUD" in names:
        raise ValueError(f"CRUD stands for many routes, found {key!r}: name the method, or ANY for all of them")
    pattern: Pattern = {}
    if "ANY" not in names:
        pattern["method"] = {"oneOf": names} if len(names) > 1 else methods
    if target.startswith("~"):
        return {**pattern, "urlPathPattern": target[1:].lstrip()}
    if target.startswith("=~"):
        return {**pattern, "urlPattern": target[2:].lstrip()}
    exact = target.startswith("=")
    if not target[exact:].startswith("/") or "#" in target:
        raise ValueError(f"expected a path that begins with '/', '~' or '=' and has no '#', found {target!r}")
    if exact:
        return {**pattern, "url": _on_the_wire(target[1:])}
    path, _, query = target.partition("?")
    pattern["urlPathTemplate" if "{" in path or "**" in path else "urlPath"] = _spelling(path)
    parameters: Dict[str, List[Any]] = {}
    for field in filter(None, query.split("&")):
        name, equals, value = field.partition("=")
        any_value = not equals or (value.startswith("{") and value.endswith("}"))
        if not any_value and ("{" in value or "}" in value):
            raise ValueError(f"expected name=value or name={{any}} in the query, found {field!r}")
        matcher = {"matches": ".*"} if any_value else {"equalTo": unquote_plus(value)}
        parameters.setdefault(unquote_plus(name), []).append(matcher)
    if parameters:
        # A name that is there several times wants all of its values.
        pattern["queryParameters"] = {
            name: matchers[0] if len(matchers) == 1 else {"includes": matchers} for name, matchers in parameters.items()
        }
    return pattern


def variables_of(key: str, path: str) -> Dict[str, str]:
    """What the variables of a key are in a path that it matches, decoded; none for a regular expression."""
    target = key.strip().partition(" ")[2].strip()
    if not target.startswith("/"):
        return {}
    parts = _VARIABLE.split(_spelling(target.partition("?")[0]))
    # Every second part is a variable.
    names = [part[1:-1] for part in parts[1::2]]
    literal = [re.escape(part).replace(re.escape("**"), ".*") for part in parts[::2]]
    found = re.fullmatch("([^/]+)".join(literal), path, re.DOTALL)
    return {name: unquote(value) for name, value in zip(names, found.groups())} if found else {}


def _complaint(key: str) -> str:
    text = f"expected METHOD and path, such as 'GET /users/{{id}}', found {key!r}"
    method, _, path = key.strip().partition(" ")
    if method.startswith("/"):
        return f"{text}; did you mean {'GET ' + key.strip()!r}?"
    if path and method != method.upper():
        return f"{text}; did you mean {method.upper() + ' ' + path.strip()!r}?"
    return text


def _spelling(path: str) -> str:
    """The path as clients send it; the names of its variables stay."""
    __tracebackhide__ = True
    if re.search(r"[{}]", _VARIABLE.sub("", path)):
        raise ValueError(f"expected {{name}} for one segment, found {path!r}")
    return "".join(part if part.startswith("{") else _on_the_wire(part) for part in _VARIABLE.split(path))


def _on_the_wire(text: str) -> str:
    __tracebackhide__ = True
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise ValueError(f"expected % and two hexadecimal digits, or %25 for a literal %, found {text!r}")
    return quote(text, safe=_PLAIN)
