"""JSON and XML values, their texts, and matchers that should match a given one."""

import copy
import json

from matchers.texts import text_matcher, word

KEYS = ["id", "name", "tags", "a", "b", "price", "user", "first name", "ok", "list"]


# JSON

def json_value(rng, depth=0):
    leaves = [lambda: rng.randint(-5, 200), lambda: rng.choice([1.5, 0.1, 2.0, -3.25, 100.0]), lambda: word(rng, wide=True),
              lambda: rng.choice([True, False]), lambda: None, lambda: word(rng)]
    if depth >= 3 or (depth and rng.random() < 0.45):
        return rng.choice(leaves)()
    if rng.random() < 0.3:
        return [json_value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return {key: json_value(rng, depth + 1) for key in rng.sample(KEYS, rng.randint(0 if depth else 1, 4))}


def catalogue(rng):
    """A document with a list of similar objects, for filters."""
    items = [{"id": n, "name": word(rng), "price": rng.choice([5, 8.95, 12.99, 22]), **({"ok": True} if rng.random() < 0.5 else {})}
             for n in range(rng.randint(1, 4))]
    return {"list": items, "user": {"name": word(rng), "tags": [word(rng) for _ in range(rng.randint(0, 3))]}, "price": rng.choice([5, 10, 22])}


def json_text(rng, value):
    return rng.choice([lambda: json.dumps(value), lambda: json.dumps(value, ensure_ascii=False), lambda: json.dumps(value, indent=2),
                       lambda: json.dumps(value, separators=(",", ":")), lambda: " " + json.dumps(value) + "\n"])()


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], path + (key,))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from places(element, path + (index,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def replaced(value, path, new):
    if not path:
        return new
    value = copy.deepcopy(value)
    at(value, path[:-1])[path[-1]] = new
    return value


def changed_json(rng, value):
    """A value similar to `value`."""
    path = rng.choice(list(places(value)))
    here = at(value, path)
    if isinstance(here, dict):
        members = list(here.items())
        rng.shuffle(members)
        new = rng.choice([dict(members), dict(members), {**here, "extra": 1}, dict(members[1:])])
    elif isinstance(here, list):
        new = rng.choice([here[::-1], here + [1], here[1:], sorted(here, key=str)])
    elif isinstance(here, bool) or here is None:
        new = rng.choice([not here, None, "null", 0])
    elif isinstance(here, (int, float)):
        new = rng.choice([here + 1, float(here), str(here), here])
    else:
        new = rng.choice([here + "x", here.upper(), None, 5, here])
    return replaced(value, path, new)


def equal_to_json(rng, value):
    expected = value if rng.random() < 0.7 else changed_json(rng, value)
    if rng.random() < 0.45:
        paths = [path for path in places(expected) if path and not isinstance(at(expected, path), (dict, list))]
        if paths:
            path = rng.choice(paths)
            here = at(expected, path)
            sign = rng.choice("$$$#")
            expected = replaced(expected, path, sign + rng.choice([
                "{json-unit.ignore}", "{json-unit.any-string}", "{json-unit.any-number}", "{json-unit.any-boolean}",
                "{json-unit.ignore-element}", "{json-unit.regex}.*", "{json-unit.regex}[a-z]+",
                "{json-unit.regex}\\Q" + str(here) + "\\E"]))
    matcher = {"equalToJson": expected if rng.random() < 0.5 else json_text(rng, expected)}
    if isinstance(matcher["equalToJson"], str) and rng.random() < 0.1:
        matcher["equalToJson"] = matcher["equalToJson"].replace(" 1,", " 1.0e0,")
    if rng.random() < 0.4:
        matcher["ignoreArrayOrder"] = rng.choice([True, True, False])
    if rng.random() < 0.4:
        matcher["ignoreExtraElements"] = rng.choice([True, True, False])
    return matcher


def dotted(rng, path):
    text = "$"
    for step in path:
        if isinstance(step, int):
            text += rng.choice([f"[{step}]", f"[{step}]", "[*]", f"[{step}:]", "[-1]"])
        elif " " in step:
            text += f"['{step}']"
        else:
            text += rng.choice([f".{step}", f".{step}", f"['{step}']", f"..{step}", ".*"])
    return text


def json_path(rng, value):
    filters = ["$.list[?(@.price < 10)]", "$.list[?(@.name == 'ada')]", "$.list[?(@.ok)]", "$..price", "$.list[?(@.id > 0 && @.price > 6)].name",
               "$.list[?(!(@.ok))]", "$.list.length()", "$.user.tags[?(@ == 'ada')]", "$.list[?(@.name =~ /[a-z]+/i)]", "$.list[0,1].id",
               "$.list[?(@.price in [5, 22])]", "$.list[?(@.price <= $.price)].id", "$.user['name','tags']", "$.list[?(@.tags size 0)]",
               "$.list[*].price.max()", "$.missing", "$.user.missing", "$.list[9]", "$", "$..*", "$.user.tags[-1]", "$.list[?(@.missing == null)]"]
    if rng.random() < 0.45:
        return rng.choice(filters), None
    path = rng.choice(list(places(value)))
    return dotted(rng, path), at(value, path)


def matches_json_path(rng, value):
    expression, found = json_path(rng, value)
    if rng.random() < 0.4:
        return {"matchesJsonPath": expression}
    if isinstance(found, (dict, list)) and rng.random() < 0.7:
        inner = equal_to_json(rng, found)
    elif found is None and rng.random() < 0.5:
        inner = {"absent": True}
    else:
        text = found if isinstance(found, str) else json.dumps(found) if found is not None else word(rng)
        inner = text_matcher(rng, text)
    return {"matchesJsonPath": {"expression": expression, **inner}}


def schema_of(rng, value, depth=0):
    """A schema that `value` should satisfy."""
    if rng.random() < 0.06:
        return {}
    if isinstance(value, bool):
        return rng.choice([{"type": "boolean"}, {"const": value}, {"enum": [value, "x"]}])
    if value is None:
        return rng.choice([{"type": "null"}, {"type": ["null", "string"]}, {"enum": [None, 1]}])
    if isinstance(value, (int, float)):
        return rng.choice([{"type": "number"}, {"type": "integer"}, {"minimum": value - 1}, {"maximum": value}, {"const": value},
                           {"multipleOf": 0.5}, {"type": "number", "minimum": value}, {"not": {"const": value + 1}}])
    if isinstance(value, str):
        return rng.choice([{"type": "string"}, {"minLength": len(value)}, {"maxLength": 3}, {"pattern": "^[a-z]*$"}, {"pattern": "[A-Za-z]"},
                           {"enum": [value, 5]}, {"anyOf": [{"type": "number"}, {"type": "string"}]}])
    if isinstance(value, list):
        item = schema_of(rng, value[0], depth + 1) if value else {"type": "string"}
        return rng.choice([{"type": "array"}, {"type": "array", "items": item}, {"minItems": len(value)}, {"maxItems": 2},
                           {"uniqueItems": True}, {"contains": item}])
    schema = {"type": "object", "properties": {key: schema_of(rng, member, depth + 1) for key, member in value.items() if rng.random() < 0.7}}
    if rng.random() < 0.5:
        schema["required"] = rng.sample(list(value), rng.randint(0, len(value))) + (["missing"] if rng.random() < 0.1 else [])
    if rng.random() < 0.3:
        schema["additionalProperties"] = rng.choice([False, True, {"type": "string"}])
    if rng.random() < 0.15:
        schema = {"allOf": [schema, {"minProperties": 1}]}
    if depth == 0 and rng.random() < 0.2:
        schema = {"definitions": {"all": schema}, "$ref": "#/definitions/all"}
    return schema


def matches_json_schema(rng, value):
    schema = schema_of(rng, value)
    matcher = {"matchesJsonSchema": schema if rng.random() < 0.5 else json.dumps(schema)}
    if rng.random() < 0.5:
        matcher["schemaVersion"] = rng.choice(["V4", "V6", "V7", "V201909", "V202012"])
    return matcher


def json_matcher(rng, value):
    make = rng.choice([equal_to_json, equal_to_json, matches_json_path, matches_json_path, matches_json_schema])
    return make(rng, value)


def broken(rng, text):
    return rng.choice([text[:-1], text + "}", "{" + text, text.replace('"', "'"), text.replace(":", "=", 1), "", "plain words", "<a/>"])


# XML: an element is [name, attributes, children], and a child is a text or an element.

NAMES = ["order", "item", "name", "id", "price", "note"]
SPACE = "urn:shop"


def element(rng, depth=0):
    attributes = {name: rng.choice(["1", "ada", "x y", "12"]) for name in rng.sample(["id", "lang", "kind"], rng.randint(0, 2))}
    if depth >= 3 or (depth and rng.random() < 0.4):
        return [rng.choice(NAMES), attributes, [rng.choice(["12", "ada", "x < y", "", "3.5", "two words", "2021-06-14"])]]
    return [rng.choice(NAMES), attributes, [element(rng, depth + 1) for _ in range(rng.randint(1, 3))]]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def xml_text(rng, tree, prefix="", declare=False, spaced=False, depth=0):
    name, attributes, children = tree
    pairs = list(attributes.items())
    rng.shuffle(pairs)
    head = prefix + name + "".join(f' {key}="{escaped(value)}"' for key, value in pairs)
    if declare:
        head += f' xmlns:{prefix[:-1]}="{SPACE}"' if prefix else f' xmlns="{SPACE}"'
    if children == [""] and rng.random() < 0.5:
        return f"<{head}/>"
    gap = "\n" + "  " * (depth + 1) if spaced and not isinstance(children[0], str) else ""
    inner = "".join(gap + (escaped(child) if isinstance(child, str) else xml_text(rng, child, prefix, False, spaced, depth + 1))
                    for child in children)
    return f"<{head}>{inner}{gap[:-2]}</{prefix}{name}>"


def xml_document(rng, tree):
    style = rng.random()
    prefix = "s:" if style < 0.15 else ""
    text = xml_text(rng, tree, prefix, declare=style < 0.25, spaced=rng.random() < 0.4)
    return rng.choice(["", "", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>\n']) + text + rng.choice(["", "", "\n"])


def changed_xml(rng, tree):
    tree = copy.deepcopy(tree)
    here = tree
    while not isinstance(here[2][0], str) and rng.random() < 0.7:
        here = rng.choice(here[2])
    change = rng.randrange(7)
    if change == 0:
        here[0] = rng.choice(NAMES)
    elif change == 1:
        here[1]["id"] = rng.choice(["1", "2"])
    elif change == 2:
        here[1].clear()
    elif change == 3:
        rng.shuffle(here[2])
    elif change == 4 and not isinstance(here[2][0], str):
        here[2].append(element(rng, 3))
    elif isinstance(here[2][0], str):
        here[2][0] = rng.choice(["12", "13", "ada", "", " ada "])
    return tree


def equal_to_xml(rng, tree):
    expected = tree if rng.random() < 0.55 else changed_xml(rng, tree)
    matcher = {"equalToXml": xml_document(rng, expected)}
    if rng.random() < 0.35:
        leaf = copy.deepcopy(expected)
        here = leaf
        while not isinstance(here[2][0], str):
            here = rng.choice(here[2])
        here[2][0] = "${xmlunit." + rng.choice(["ignore", "isNumber", "isDateTime", "matchesRegex([a-z]+)", "isDateTime(yyyy-MM-dd)"]) + "}"
        matcher = {"equalToXml": xml_document(rng, leaf), "enablePlaceholders": rng.choice([True, True, True, False])}
    if rng.random() < 0.2:
        matcher["exemptedComparisons"] = rng.sample(
            ["NAMESPACE_URI", "TEXT_VALUE", "ATTR_VALUE", "ELEMENT_NUM_ATTRIBUTES", "ELEMENT_TAG_NAME", "CHILD_NODELIST_LENGTH", "ATTR_NAME_LOOKUP"],
            rng.randint(1, 2))
    if rng.random() < 0.2:
        matcher["ignoreOrderOfSameNode"] = rng.choice([True, False])
    if rng.random() < 0.2:
        matcher["namespaceAwareness"] = rng.choice(["STRICT", "LEGACY", "NONE"])
    return matcher


def xpath(rng, tree):
    steps, here = [tree[0]], tree
    while not isinstance(here[2][0], str) and rng.random() < 0.8:
        here = rng.choice(here[2])
        steps.append(here[0])
    text = here[2][0] if isinstance(here[2][0], str) else None
    path = rng.choice(["/" + "/".join(steps), "//" + steps[-1], "/" + "/".join(steps), "/*" * len(steps), f"//*[local-name()='{steps[-1]}']"])
    attribute = rng.choice(list(here[1])) if here[1] else "id"
    form = rng.randrange(8)
    if form == 0:
        return path + "/text()", text
    if form == 1:
        return f"{path}/@{attribute}", here[1].get(attribute)
    if form == 2:
        return f"count({path})", "1"
    if form == 3:
        return f"{path}[@{attribute}='{here[1].get(attribute, '1')}']", None
    if form == 4 and text is not None:
        return f"{path}[contains(., '{text[:1]}')]", None
    if form == 5:
        return f"string({path})", text
    return path, f"<{here[0]}>{text}</{here[0]}>\n" if text else None


def matches_xpath(rng, tree):
    expression, found = xpath(rng, tree)
    matcher = {"matchesXPath": expression}
    if rng.random() < 0.5:
        matcher = {"matchesXPath": {"expression": expression, **text_matcher(rng, found if found is not None else word(rng))}}
    if rng.random() < 0.2:
        spaced = expression.replace("//" + tree[0], "//s:" + tree[0]) if rng.random() < 0.7 else expression
        if isinstance(matcher["matchesXPath"], str):
            matcher["matchesXPath"] = spaced
        else:
            matcher["matchesXPath"]["expression"] = spaced
        matcher["xPathNamespaces"] = {"s": rng.choice([SPACE, SPACE, "urn:other"])}
    return matcher


def xml_matcher(rng, tree):
    return rng.choice([equal_to_xml, matches_xpath])(rng, tree)
