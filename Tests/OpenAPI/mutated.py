"""Requests with one error each."""

import copy
import json

import wire

ODD = ("no-such-value", -1e9, 1e12, "", "x" * 5_000, True, None, [], {}, {"no": "such"}, 0.5)


PLAIN = (1, 2, 7, 10, 50, 1.5, True, False, "a", "b c", "größe", "2026-03-05", "2027-01-01T00:00:00Z", "x" * 20)


def copied(request, **changes):
    one = copy.copy(request)
    one.values = dict(request.values)
    for name, value in changes.items():
        setattr(one, name, value)
    return one


def mutations(description, request):
    """Invalid variants of a valid request, as a name and the request."""
    operation = request.operation
    for parameter in operation.parameters:
        key = parameter.where, parameter.name
        if (
            key not in request.values
            or parameter.where == "header"
            and parameter.name.lower() in ("accept", "content-type")
        ):
            continue
        if parameter.required and parameter.where != "path":
            one = copied(request)
            del one.values[key]
            yield f"without {parameter.where} {parameter.name}", one
        bad = None if parameter.schema is None or parameter.content else wrong_text(description, parameter)
        if bad is not None:
            one = copied(request)
            one.values[key] = bad
            yield f"{parameter.where} {parameter.name} wrong", one
    if request.kind and operation.bodies[request.kind] is not None:
        if request.kind.split(";")[0].endswith("json"):
            for name, body in judged_bodies(description, operation.bodies[request.kind], request.body, False):
                yield f"body: {name}", copied(request, body=body)
            yield "body: broken JSON", copied(request, raw=b'{"a": ', raw_type=request.kind)
        if operation.body_required:
            yield "no body", copied(request, kind=None)
        if not any("*" in kind for kind in operation.bodies):
            yield "content type", copied(request, raw=b"<a/>", raw_type="application/x-unheard-of")


def harmless(description, request):
    """Valid variants of a valid request, as a name and the request."""
    for parameter in request.operation.parameters:
        key = parameter.where, parameter.name
        if key in request.values and not parameter.required and parameter.where != "path":
            one = copied(request)
            del one.values[key]
            yield f"without {parameter.where} {parameter.name}", one
        if key in request.values and parameter.where in ("path", "query") and parameter.schema and not parameter.content:
            for value in others(description, parameter.schema, request.values[key]):
                one = copied(request)
                one.values[key] = value
                yield f"another {parameter.where} {parameter.name}", one
    if request.kind and request.kind.split(";")[0].endswith("json"):
        schema = request.operation.bodies[request.kind]
        if schema is not None:
            for name, body in judged_bodies(description, schema, request.body, True):
                yield f"body: {name}", copied(request, body=body)
    if request.kind and not request.operation.body_required:
        yield "no body", copied(request, kind=None)


def others(description, schema, value):
    """Other values of a parameter that are valid, too."""
    judge = description.validator(schema, of_answer=False)
    for other in PLAIN:
        other = [other] if isinstance(value, list) else other
        try:
            if type(other) is type(value) and other != value and judge.is_valid(other):
                yield other
        except Exception:  # a schema that no judge can read
            return


def wrong_text(description, parameter):
    """A text that is invalid in every reading; None if none is found."""
    schema = description.followed(parameter.schema)
    kinds = schema.get("type") if schema is not None else None
    kinds = kinds if isinstance(kinds, list) else [kinds]
    array = kinds == ["array"]
    if array:
        schema = description.followed(schema["items"]) if isinstance(schema.get("items"), dict) else None
        kinds = [schema.get("type")] if schema is not None else [None]
    if schema is None or "object" in kinds or "array" in kinds:
        return None
    judge = description.validator(schema, of_answer=False)
    for text in ("no-such-value", "999999999999999", "-999999999999999", "x" * 300, "!"):
        readings = [text]
        try:
            readings.append(json.loads(text))
        except ValueError:
            pass
        try:
            if not any(judge.is_valid(reading) for reading in readings):
                return [text] if array else text
        except Exception:  # a schema that no judge can read
            return None
    return None


def judged_bodies(description, schema, body, are_valid):
    """Bodies with one change that the validator accepts, or rejects."""
    judge = description.validator(schema, of_answer=False)
    for name, one in list(changes(body, 0)):
        try:
            if judge.is_valid(one) == are_valid:
                yield name, one
        except Exception:  # a schema that no judge can read
            return


def changes(value, depth, place=""):
    """A value with one change each."""
    if depth > 4:
        return
    for odd in ODD:
        if type(odd) is not type(value):
            yield f"{place or '/'} is {json.dumps(odd)[:20]}", odd
    if isinstance(value, dict):
        for key in value:
            yield f"without {place}/{key}", {name: item for name, item in value.items() if name != key}
            for name, item in changes(value[key], depth + 1, f"{place}/{key}"):
                yield name, {**value, key: item}
        yield f"more in {place or '/'}", {**value, "noSuchMember": 1}
    elif isinstance(value, list):
        for index, item in enumerate(value[:2]):
            for name, one in changes(item, depth + 1, f"{place}/{index}"):
                yield name, [*value[:index], one, *value[index + 1 :]]
        yield f"{place} twice", value * 2
        yield f"{place} empty", []
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield f"{place} negative", -1_000_000_000
        yield f"{place} large", 1_000_000_000_000
    elif isinstance(value, str):
        for odd in ("", "x" * 5_000, "no such value"):
            yield f"{place} text", odd


def elsewhere(request):
    """The request with an unknown method or path."""
    lost = copied(request)
    lost.operation = copy.copy(request.operation)
    lost.operation.path = "/no-such/path/of/it" + wire.escaped("/")
    return [("no such path", lost), ("no such method", copied(request, method="PURGE"))]
