"""Serializes parameters and bodies by the rules of OpenAPI."""

import json
from urllib.parse import quote, urlencode


def text(value):
    """A primitive value as text in a parameter."""
    return json.dumps(value) if isinstance(value, (bool, type(None), dict, list)) else str(value)


def escaped(value):
    return quote(text(value), safe="")


def pairs(value):
    """The names and values of an object."""
    return value.items() if isinstance(value, dict) else []


def path_part(parameter, value):
    """The text of a path parameter."""
    name = parameter.name
    if parameter.content:
        return quote(json.dumps(value), safe="")
    first, separator = {"label": (".", "." if parameter.explode else ","), "matrix": (";", ",")}.get(
        parameter.style, ("", ",")
    )
    if isinstance(value, list):
        if parameter.style == "matrix":
            if parameter.explode:
                return "".join(f";{name}={escaped(item)}" for item in value)
            return f";{name}=" + ",".join(map(escaped, value))
        return first + separator.join(map(escaped, value))
    if isinstance(value, dict):
        if parameter.explode:
            return first + {"matrix": ";", "label": "."}.get(parameter.style, ",").join(
                f"{escaped(key)}={escaped(item)}" for key, item in value.items()
            )
        flat = separator.join(f"{escaped(key)}{separator}{escaped(item)}" for key, item in value.items())
        return f";{name}={flat}" if parameter.style == "matrix" else first + flat
    return f";{name}={escaped(value)}" if parameter.style == "matrix" else first + escaped(value)


def query_part(parameter, value):
    """The parts of a query for a parameter, in a list."""
    name = quote(parameter.name, safe="[]$")
    if parameter.where == "querystring":
        if "json" in (parameter.content or ""):
            return [quote(json.dumps(value), safe="")]
        return [urlencode(value)] if isinstance(value, dict) else [str(value)]
    if parameter.content:
        return [f"{name}={quote(json.dumps(value), safe='')}"]
    separator = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}.get(parameter.style, ",")
    if isinstance(value, list):
        if parameter.explode:
            return [f"{name}={escaped(item)}" for item in value]
        return [f"{name}=" + separator.join(map(escaped, value))]
    if isinstance(value, dict):
        if parameter.style == "deepObject":
            return [f"{name}[{escaped(key)}]={escaped(item)}" for key, item in value.items()]
        if parameter.explode:
            return [f"{escaped(key)}={escaped(item)}" for key, item in value.items()]
        return [f"{name}=" + separator.join(f"{escaped(key)}{separator}{escaped(item)}" for key, item in value.items())]
    return [f"{name}={escaped(value)}"]


def header_part(parameter, value):
    """The value of a header or cookie for a parameter."""
    if parameter.content:
        return json.dumps(value)
    if isinstance(value, list):
        return ",".join(map(text, value))
    if isinstance(value, dict):
        return ",".join(
            f"{key}={text(item)}" if parameter.explode else f"{key},{text(item)}" for key, item in value.items()
        )
    return text(value)


def body_part(kind, value):
    """The bytes of a body, and the content type to send with it; None for kinds that this cannot write."""
    plain = kind.split(";")[0].strip().lower()
    if plain.endswith(("/json", "+json")) or plain == "*/*":
        return json.dumps(value).encode(), "application/json" if plain == "*/*" else kind
    if plain == "application/x-www-form-urlencoded" and isinstance(value, dict):
        flat = [(key, item) for key, items in value.items() for item in (items if isinstance(items, list) else [items])]
        if not any(isinstance(item, dict) for _, item in flat):
            return "&".join(f"{escaped(key)}={escaped(item)}" for key, item in flat).encode(), kind
    if plain == "multipart/form-data" and isinstance(value, dict):
        parts = [
            (key, item) for key, items in value.items() for item in (items if isinstance(items, list) else [items])
        ]
        lines = []
        for key, item in parts:
            extra = "\r\nContent-Type: application/json" if isinstance(item, dict) else ""
            lines.append(f'--edge\r\nContent-Disposition: form-data; name="{key}"{extra}\r\n\r\n{text(item)}\r\n')
        return ("".join(lines) + "--edge--\r\n").encode(), "multipart/form-data; boundary=edge"
    if plain.startswith("text/") and isinstance(value, str):
        return value.encode(), "text/plain" if plain == "text/*" else kind
    return None


class Request:
    """A request to an operation: the values of its parameters by place and name, and its body."""

    def __init__(self, operation, values, body=None, kind=None):
        self.operation, self.values, self.body, self.kind = operation, values, body, kind
        self.method, self.raw, self.raw_type = operation.method, None, None

    def target(self):
        """The path with a query; without the path before all operations."""
        path, query = self.operation.path, []
        for parameter in self.operation.parameters:
            if (parameter.where, parameter.name) not in self.values:
                continue
            value = self.values[parameter.where, parameter.name]
            if parameter.where == "path":
                path = path.replace("{" + parameter.name + "}", path_part(parameter, value))
            elif parameter.where in ("query", "querystring"):
                query += query_part(parameter, value)
        path = quote(path, safe="/%;=,.:@!$&'()*+~-_")
        return path + ("?" + "&".join(query) if query else "")

    def headers(self):
        """Its header fields."""
        found, cookies = {}, []
        for parameter in self.operation.parameters:
            value = self.values.get((parameter.where, parameter.name), self)
            if value is self:
                continue
            if parameter.where == "header" and parameter.name.lower() not in (
                "accept",
                "content-type",
                "authorization",
            ):
                found[parameter.name] = header_part(parameter, value)
            elif parameter.where == "cookie":
                cookies.append(
                    f"{parameter.name}={escaped(value) if not isinstance(value, (list, dict)) else header_part(parameter, value)}"
                )
        if cookies:
            found["Cookie"] = "; ".join(cookies)
        content = self.content()
        if content is not None:
            found["Content-Type"] = content[1]
        return found

    def content(self):
        """Its body's bytes and content type; None without one."""
        if self.raw is not None:
            return self.raw, self.raw_type
        return body_part(self.kind, self.body) if self.kind else None


def made(operation, maker, whole=True):
    """A valid request to an operation; None if it cannot be made."""
    values = {}
    for parameter in operation.parameters:
        if not whole and not parameter.required and parameter.where != "path":
            continue
        found = maker.valid(parameter.schema)
        plain = found and not (parameter.where in ("header", "cookie") and not text(found[0]).isascii())
        if plain and found[0] != [] and found[0] != {} and found[0] is not None and found[0] != "":
            values[parameter.where, parameter.name] = found[0]
        elif parameter.required or parameter.where == "path":
            return None
    for kind, schema in operation.bodies.items():
        found = maker.valid(schema)
        if found and body_part(kind, found[0]) is not None:
            return Request(operation, values, found[0], kind)
    if operation.body_required and operation.bodies:
        return None
    return Request(operation, values)
