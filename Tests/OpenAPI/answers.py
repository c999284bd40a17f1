"""Checks an answer against its operation."""

import json
import re
import xml.etree.ElementTree as tree

LEVELS = 5


def declared(operation, status):
    """The answer that an operation declares for a status; None without one."""
    answers = operation.answers
    return answers.get(str(status)) or answers.get(f"{status // 100}XX") or answers.get("DEFAULT")


def is_json(kind):
    return bool(re.search(r"[/+]json$", kind.split(";")[0].strip().lower()))


def content_for(answer, kind):
    """The content of an answer for a content type: the most specific one."""
    plain = kind.split(";")[0].strip().lower()
    for name in (kind, plain, plain.split("/")[0] + "/*", "*/*"):
        for given, content in answer.contents.items():
            if given.strip().lower() == name.lower() or given.split(";")[0].strip().lower() == name:
                return content
    return None


def problems(description, operation, status, headers, body, is_made):
    """The errors as sentences, each with its kind."""
    answer = declared(operation, status)
    if answer is None:
        yield "status", f"{status} is not declared: {', '.join(operation.answers)}"
        return
    yield from header_problems(description, answer, headers)
    kind = headers.get("Content-Type", "")
    if not answer.contents or status < 200 or status in (204, 304) or operation.method == "HEAD":
        if body and not answer.contents and description.version != "2.0":
            yield "body", f"a body where none is declared: {body[:60]!r}"
        return
    content = content_for(answer, kind)
    if content is None:
        yield "content type", f"{kind!r} is not declared: {', '.join(answer.contents)}"
        return
    schema, item = content
    values = list(values_of(kind, body, item is not None))
    for value in values:
        if isinstance(value, Exception):
            yield "body", f"{type(value).__name__}: {value}: {body[:60]!r}"
        elif item is not None:
            yield from value_problems(description, item, value, is_made)
        elif schema is not None and is_json(kind):
            yield from value_problems(description, schema, value, is_made)
    if item is not None and is_made and not values and not kind.startswith("multipart/"):
        yield "items", "a sequence without items"


def values_of(kind, body, is_sequence):
    """The values in a body; an error if there is none."""
    plain = kind.split(";")[0].strip().lower()
    try:
        if plain == "text/event-stream" and is_sequence:
            yield from events(body.decode())
        elif plain in ("application/jsonl", "application/x-ndjson", "application/ndjson"):
            yield from map(json.loads, body.decode().splitlines())
        elif plain in ("application/json-seq", "application/geo+json-seq"):
            yield from map(json.loads, filter(None, body.decode().split("\x1e")))
        elif is_json(kind):
            value = json.loads(body)
            yield from value if is_sequence and isinstance(value, list) else [value]
        elif re.search(r"[/+]xml$", plain):
            tree.fromstring(body)
    except (ValueError, tree.ParseError) as error:
        yield error


def events(text):
    """The events of a stream, as items by OpenAPI 3.2."""
    for block in re.split(r"\r?\n\r?\n", text):
        event = {}
        for line in block.splitlines():
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                event["data"] = event["data"] + "\n" + value if "data" in event else value
            elif name in ("event", "id"):
                event[name] = value
            elif name == "retry" and value.isdigit():
                event["retry"] = int(value)
        if event:
            yield event


def header_problems(description, answer, headers):
    for name, schema in answer.headers.items():
        if name.lower() == "content-type" or schema is None or name not in headers:
            continue
        value, target = headers[name], description.followed(schema)
        kind = target.get("type") if target is not None else None
        if kind in ("integer", "number", "boolean"):
            try:
                value = json.loads(value)
            except ValueError:
                pass
        if kind not in ("array", "object"):
            yield from judged(description, schema, value, f"header {name}")


def judged(description, schema, value, what="body"):
    """The validator's errors."""
    try:
        for error in list(description.validator(schema).iter_errors(value))[:3]:
            place = "/".join(map(str, error.absolute_path))
            yield "invalid", f"{what} at /{place}: {error.validator}: {error.message[:160]}"
    except RecursionError:
        yield "unjudged", "recursion"
    except Exception as error:  # a schema that the judge cannot read
        yield "unjudged", f"{type(error).__name__}: {str(error)[:80]}"


def value_problems(description, schema, value, is_made):
    yield from judged(description, schema, value)
    if is_made:
        yield from Walk(description).problems(schema, value, 1, (), "")


class Walk:
    """Walks a generated value along its schema: finds missing and repeated members."""

    def __init__(self, description):
        self.description = description

    def problems(self, schema, value, level, above, place):
        parts = list(self.parts(schema, set()))
        keys = {id(part.value) for part in parts}
        if level > LEVELS + 1 or keys & set(above):
            return
        above = (*above, *keys)
        if isinstance(value, dict):
            yield from self.object_problems(parts, value, level, above, place)
        elif isinstance(value, list):
            items = [part["items"] for part in parts if isinstance(part.get("items"), dict)]
            if (
                level <= LEVELS
                and len(value) > 1
                and items
                and all(map(self.varies, items))
                and all(item == value[0] for item in value)
            ):
                yield "same items", f"{place or '/'}: {json.dumps(value[0])[:80]}"
            for item in items:
                for index, element in enumerate(value[:2]):
                    yield from self.problems(item, element, level + 1, above, f"{place}/{index}")

    def object_problems(self, parts, value, level, above, place):
        bounded = any(part.get("maxProperties") is not None or part.get("not") or part.get("if") for part in parts)
        for part in parts:
            needed = part.get("required") if isinstance(part.get("required"), list) else []
            properties = part.get("properties")
            for name in properties if isinstance(properties, dict) else ():
                inner = part["properties"][name]
                target = self.description.followed(inner)
                if target is None or target.value is False or target.value == {"not": {}} or target.get("writeOnly"):
                    continue
                if name in value:
                    yield from self.problems(inner, value[name], level + 1, above, f"{place}/{name}")
                elif name in needed:
                    yield "required", f"{place}/{name}"
                elif level <= LEVELS and not bounded and not self.returns(inner, above):
                    yield "optional", f"{place}/{name} (level {level})"

    def parts(self, schema, seen):
        """A schema with the schemas it includes by references and allOf."""
        schema = self.description.followed(schema)
        if schema is None or not isinstance(schema.value, dict) or id(schema.value) in seen:
            return
        seen.add(id(schema.value))
        yield schema
        for index in range(len(schema.get("allOf") or [])):
            yield from self.parts(schema["allOf"][index], seen)

    def returns(self, schema, above, depth=0):
        """Whether a schema refers back to one of its parents."""
        if depth > 3:
            return False
        for part in self.parts(schema, set()):
            if id(part.value) in above:
                return True
            inner = [part["items"]] if isinstance(part.get("items"), dict) else []
            if isinstance(part.get("additionalProperties"), dict):
                inner.append(part["additionalProperties"])
            for key in ("oneOf", "anyOf"):
                inner += [part[key][index] for index in range(len(part.get(key) or []))]
            if any(self.returns(one, above, depth + 1) for one in inner):
                return True
        return False

    def varies(self, schema, depth=0):
        """Whether two values of a schema can differ, by a quick look."""
        target = self.description.followed(schema)
        if target is None or not isinstance(target.value, dict) or depth > 4:
            return False
        if "const" in target.value or target.get("maxLength") == 0 or target.get("format") == "binary":
            return False
        if "enum" in target.value:
            return len(target.value["enum"]) > 1
        kind = target.get("type")
        if kind == "object" or "properties" in target.value:
            properties = target.get("properties") or {}
            return any(self.varies(target["properties"][name], depth + 1) for name in properties)
        if kind == "array":
            return isinstance(target.get("items"), dict) and self.varies(target["items"], depth + 1)
        if kind in ("integer", "number"):
            return "minimum" not in target.value or target.get("minimum") != target.get("maximum")
        return kind in ("string", "boolean")
