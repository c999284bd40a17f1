import re
from typing import Any, Dict
from urllib.parse import unquote_plus

Pattern = Dict[str, Any]

_KEY = re.compile(r"([!#$%&'*+.^_`|~0-9A-Z-]+) +(\S.*)")


def pattern_of(key: str) -> Pattern:
    """The request pattern of a route's key, such as ``GET /users/{id}?page={any}``: see docs/routes.md."""
    found = _KEY.fullmatch(key.strip())
    if not found:
        raise ValueError(f"expected METHOD and path, such as 'GET /users/{{id}}', found {key!r}")
    methods, path = found.groups()
    pattern: Pattern = {}
    if "|" in methods:
        pattern["method"] = {"oneOf": methods.split("|")}
    elif methods != "ANY":
        pattern["method"] = methods
    if path.startswith("~"):
        pattern["urlPathPattern"] = path[1:]
        return pattern
    if not path.startswith("/"):
        raise ValueError(f"expected a path that begins with '/' or '~', found {path!r}")
    path, _, query = path.partition("?")
    pattern["urlPathTemplate" if "{" in path or "**" in path else "urlPath"] = path
    parameters: Dict[str, Any] = {}
    for field in filter(None, query.split("&")):
        name, equals, value = field.partition("=")
        value = unquote_plus(value)
        any_value = not equals or (value.startswith("{") and value.endswith("}"))
        parameters[unquote_plus(name)] = {"matches": ".*"} if any_value else {"equalTo": value}
    if parameters:
        pattern["queryParameters"] = parameters
    return pattern
