"""Generates simple values for a schema; only those that a validator accepts are used."""

import functools
import random
import re
import warnings

FORMATS = {
    "date-time": "2026-03-04T05:06:07Z", "date": "2026-03-04", "time": "05:06:07Z", "duration": "P1D",
    "email": "ann@example.org", "idn-email": "ann@example.org", "hostname": "host.example.org", "ipv4": "192.0.2.7",
    "idn-hostname": "host.example.org", "ipv6": "2001:db8::7", "uuid": "6f1c0a52-8b1e-4c57-9c43-1d2e3f405162",
    "uri": "http://example.org/a", "url": "http://example.org/a", "uri-reference": "/a", "iri": "http://example.org/a",
    "byte": "YWJj", "json-pointer": "/a", "regex": "a+", "uri-template": "/a/{b}",
}  # fmt: skip
DEEPEST = 6


@functools.cache
def text_for(pattern):
    """A text that matches a pattern; None if none is found."""
    from hypothesis import Phase, find, settings, strategies

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for alphabet in (strategies.characters(min_codepoint=48, max_codepoint=122), None):
            try:
                whole = strategies.from_regex(pattern, fullmatch=False, **({"alphabet": alphabet} if alphabet else {}))
                return find(
                    whole, lambda text: re.search(pattern, text) and (not alphabet or text.isprintable()),
                    settings=settings(database=None, max_examples=200, phases=[Phase.generate]),
                )  # fmt: skip
            except Exception:  # a pattern that Python cannot read
                continue
    return None


class Maker:
    """Makes values for the schemas of a description."""

    def __init__(self, description, seed=0):
        self.description, self.random = description, random.Random(seed)

    def valid(self, schema, whole=True):
        """A value in a list, such as a judge confirms; an empty list if none was found.

        `whole` has optional properties in it, and ways other than examples are tried first without it."""
        if schema is None:
            return ["text"]
        judge = self.description.validator(schema, of_answer=False)
        for given in (True, False):
            for full in (whole, not whole):
                try:
                    value = self._made(schema, 0, given, full)
                    if judge.is_valid(value):
                        return [value]
                except Exception:  # a schema that no judge can read
                    continue
        return []

    def _made(self, schema, depth, given, full):
        schema = self.description.followed(schema)
        if schema is None or not isinstance(schema.value, dict) or depth > 12:
            return "text"
        value = schema.value
        for key in ("const", "example", "default"):
            if key in value and (given or key == "const"):
                return value[key]
        if given and isinstance(value.get("examples"), list) and value["examples"]:
            return value["examples"][0]
        if value.get("enum"):
            return value["enum"][0]
        if value.get("allOf"):
            parts = [self._made(schema["allOf"][i], depth, given, full) for i in range(len(value["allOf"]))]
            if all(isinstance(part, dict) for part in parts):
                own = self._object(schema, depth, given, full)
                return {key: item for part in [*parts, own] for key, item in part.items()}
            return parts[0]
        for key in ("oneOf", "anyOf"):
            if value.get(key):
                part = self._made(schema[key][0], depth, given, full)
                if isinstance(part, dict) and value.get("properties"):
                    part = {**part, **self._object(schema, depth, given, full)}
                return part
        return self._typed(schema, depth, given, full)

    def _typed(self, schema, depth, given, full):
        value = schema.value
        kind = value.get("type")
        kind = next((k for k in kind if k != "null"), "null") if isinstance(kind, list) else kind
        if kind is None:
            kind = "object" if "properties" in value else "array" if "items" in value else "string"
        if kind == "object":
            return self._object(schema, depth, given, full)
        if kind == "array":
            count = max(value.get("minItems", 0), min(0 if depth > 4 else 1, value.get("maxItems", 1)))
            items = [
                self._made(schema["items"], depth + 1, given, full) if isinstance(value.get("items"), dict) else "text"
            ]
            items *= min(count, 50)
            return (
                [self._differing(schema, item, n) for n, item in enumerate(items)]
                if value.get("uniqueItems")
                else items
            )
        if kind in ("integer", "number"):
            return self._number(value, kind)
        if kind == "boolean":
            return True
        return None if kind == "null" else self._text(value)

    def _differing(self, schema, item, index):
        """An item of a list whose items differ."""
        inner = self.description.followed(schema["items"]) if isinstance(schema.get("items"), dict) else None
        if inner is not None and inner.get("enum"):
            return inner.value["enum"][index % len(inner.value["enum"])]
        if isinstance(item, bool):
            return item != bool(index % 2)
        return (
            item + index
            if isinstance(item, (int, float))
            else f"{item}{index or ''}"
            if isinstance(item, str)
            else item
        )

    def _object(self, schema, depth, given, full):
        value, made = schema.value, {}
        needed = value.get("required") if isinstance(value.get("required"), list) else []
        properties = value.get("properties") or {}
        for name in [*properties, *(name for name in needed if name not in properties)]:
            wanted = name in needed or full and depth < DEEPEST
            part = schema["properties"][name] if name in properties else None
            if part is not None and (self.description.followed(part) or part).get("readOnly"):
                continue
            if wanted and (name in needed or depth < 3):
                made[name] = self._made(part, depth + 1, given, full) if part else "text"
        extra = value.get("additionalProperties")
        for index in range(max(0, value.get("minProperties", 0) - len(made))):
            part = schema["additionalProperties"] if isinstance(extra, dict) else None
            made[f"more{index}"] = self._made(part, depth + 1, given, full) if part else "text"
        return made

    def _number(self, value, kind):
        low, high = value.get("minimum"), value.get("maximum")
        step = value.get("multipleOf") or (1 if kind == "integer" else 0)
        above, below = value.get("exclusiveMinimum", False), value.get("exclusiveMaximum", False)
        if above is not False and above is not True:
            low, above = above, True
        if below is not False and below is not True:
            high, below = below, True
        if low is None and high is None:
            return step or 1.5
        number = low if low is not None else high
        gap = step or (0.5 if low is None or high is None else (high - low) / 2)
        if step and number % step:
            number += (step - number % step) if low is not None else -(number % step)
        if low is not None and above and number <= low:
            number += gap
        if low is None and below and number >= high:
            number -= gap
        return int(number) if kind == "integer" else number

    def _text(self, value):
        if value.get("pattern"):
            text = text_for(value["pattern"])
            if text is not None and len(text) >= value.get("minLength", 0):
                return text
        text = FORMATS.get(value.get("format"), "text")
        text = text.ljust(min(value.get("minLength", 0), 10_000), "x")
        return text[: value["maxLength"]] if "maxLength" in value else text
