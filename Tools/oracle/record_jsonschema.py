#!/usr/bin/env python3
"""Records which bodies satisfy which schemas in the real WireMock.

    python3 Tools/oracle/record_jsonschema.py > Tests/Oracle/jsonschema.json

Each group is one schema with one schemaVersion (or none), its bodies, WireMock's verdict on each (1 matches, 0 does not,
null if WireMock fails), and for those that do not match the distance of the body pattern alone. The jar is found at
$STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package. Only the standard library is used.
"""

import base64
import json
import sys

import recording
import wiremock
VERSIONS = ("V4", "V6", "V7", "V201909", "V202012")
# The divisor of a body's distance in WireMock, for a pattern of URL and body.
TOTAL_WEIGHT = 46


def one(schema, *values):
    """The schema for the property `a`, so that bodies are objects and never read as strings."""
    return {"properties": {"a": schema}}, ['{"a":%s}' % v for v in values]


NUMBERS = ("0", "1", "1.0", "1e0", "1.5", "-1", "3", "2.9999999999999999", "1e400", '"1"', "true", "null", "123456789012345678901234567890")


def groups():
    """Schemas with bodies, tested with every version."""
    for name in ("integer", "number", "string", "boolean", "null", "array", "object"):
        yield one({"type": name}, "1", "1.0", "1.5", '"x"', "true", "null", "[]", "{}")
    yield one({"type": ["integer", "null"]}, "1", "1.5", "null", '"x"')
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        yield one({keyword: 1}, *NUMBERS)
    yield one({"minimum": 1, "exclusiveMinimum": True}, "0", "1", "2")
    for divisor in (2, 0.01, 0.0001, 1.5, 1e-8):
        yield one({"multipleOf": divisor}, "0", "1", "3", "0.07", "19.99", "4.35", "0.075", "1e20", "0.00751", "12.345", "1e-8", '"x"')
    yield one({"const": 1}, *NUMBERS)
    yield one({"const": {"a": [1, "x"]}}, '{"a":[1,"x"]}', '{"a":["x",1]}', "{}")
    yield one({"enum": [1, "a", None, [1], {"k": 1.5}]}, "1", "1.0", '"a"', "null", "[1]", '{"k":1.5}', '{"k":1.50}', "2", "true")
    yield one({"minLength": 2, "maxLength": 3}, '"a"', '"ab"', '"abcd"', '"\\ud83d\\ude00"', '"e\\u0301"', "5")
    for pattern in ("b+", "^a$", "a.c", "^\\s$", "^\\d$", "^\\w$", "\\p{L}", "(?i)A", "^$", "a|b", "^[^b]*$", "\\Aa\\z", "^(a+)+$", "[[:alpha:]]"):
        yield one({"pattern": pattern}, '"abc"', '"a\\n"', '"a"', '"a\\nc"', '"\\u00a0"', '"\\u09ea"', '" "', '"7"', '""', '"A"', "5")
    yield one({"items": {"type": "integer"}}, "[]", "[1,2]", '[1,"x"]', '"x"')
    yield one({"items": [{"type": "integer"}], "additionalItems": False}, "[]", "[1]", '["x"]', "[1,2]")
    yield one({"prefixItems": [{"type": "integer"}], "items": False}, "[]", "[1]", '["x"]', "[1,2]")
    yield one({"uniqueItems": True}, "[]", "[1,1]", "[1,true]", "[0,false]", '["1",1]', '[{"a":1,"b":2},{"b":2,"a":1}]', "[[1],[1]]", "[null,null]")
    yield one({"minItems": 1, "maxItems": 2}, "[]", "[1]", "[1,2,3]", '"x"')
    yield one({"contains": {"type": "integer"}}, "[]", "[1]", '["x"]', '["x",1]', '"x"')
    yield one({"contains": {"type": "integer"}, "minContains": 2, "maxContains": 3}, "[1]", "[1,2]", "[1,2,3,4]")
    yield one({"contains": {"type": "integer"}, "minContains": 0}, "[]", '["x"]')
    yield one({"unevaluatedItems": False, "prefixItems": [True]}, "[1]", "[1,2]")
    yield {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]}, [
        "{}", '{"a":"x"}', '{"a":"x","b":1}', '{"a":1,"b":1}', '{"a":1}', "[]", '"x"', "1"]
    yield {"properties": {"a": {}}, "additionalProperties": False}, ["{}", '{"a":1}', '{"b":1}', '{"b":1,"c":1}']
    yield {"properties": {"a": {}}, "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": {"type": "string"}}, [
        '{"a":1,"x1":1,"s":"t"}', '{"x1":"s"}', '{"s":1}']
    yield {"minProperties": 1, "maxProperties": 2}, ["{}", '{"a":1}', '{"a":1,"b":1,"c":1}', "[]"]
    yield {"propertyNames": {"maxLength": 1}}, ["{}", '{"a":1}', '{"ab":1}']
    yield {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, ['{"a":1}', '{"a":1,"b":1}', '{"c":1}', '{"c":1,"d":1}', "{}"]
    yield {"dependentRequired": {"a": ["b", "c"]}}, ['{"a":1}', '{"a":1,"b":1,"c":1}', "{}"]
    yield {"dependentSchemas": {"a": {"minProperties": 2}}}, ['{"a":1}', '{"a":1,"b":1}', "{}"]
    yield {"properties": {"a": {}}, "unevaluatedProperties": False}, ['{"a":1}', '{"b":1,"c":2}']
    yield {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "unevaluatedProperties": False}, ['{"a":1}', "{}"]
    yield {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}, ['{"a":1}', '{"b":1}']
    yield {"anyOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}}], "unevaluatedProperties": False}, [
        '{"a":1}', '{"b":1}', '{"a":1,"b":1}', '{"c":1}']
    yield one({"allOf": [{"type": "integer"}, {"minimum": 3}]}, "1", "3", '"x"')
    yield one({"anyOf": [{"type": "string"}, {"minimum": 3}]}, "1", "3", '"x"', "{}")
    yield one({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, "1", "3", "3.5", "2.5", '"x"')
    yield one({"not": {"type": "integer"}}, "1", '"x"')
    yield one({"if": {"type": "integer"}, "then": {"minimum": 3, "multipleOf": 2}, "else": {"maxLength": 1}}, "1", "4", '"x"', '"xy"')
    yield one(True, "1")
    yield one(False, "1")
    yield True, ["1", "{}"]
    yield False, ["1", "{}"]
    yield {}, ["1", "{}", "x"]
    # References.
    yield {"definitions": {"s": {"type": "string"}}, "properties": {"a": {"$ref": "#/definitions/s", "maxLength": 1}}}, [
        '{"a":"x"}', '{"a":1}', '{"a":"xy"}']
    yield {"$defs": {"s": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/s"}}}, ['{"a":"x"}', '{"a":1}']
    yield {"$defs": {"s": {"$anchor": "t", "type": "string"}}, "properties": {"a": {"$ref": "#t"}}}, ['{"a":"x"}', '{"a":1}']
    yield {"properties": {"a": {"$ref": "#"}}, "additionalProperties": False}, ['{"a":{"a":{}}}', '{"a":{"a":{"b":1}}}']
    yield {"definitions": {"a/b": {"type": "string"}, "c%d": {"type": "integer"}}, "properties": {
        "a": {"$ref": "#/definitions/a~1b"}, "c": {"$ref": "#/definitions/c%25d"}}}, ['{"a":"x","c":1}', '{"a":1}', '{"c":"x"}']
    yield {"$id": "http://example.com/root.json", "$defs": {"x": {"$id": "item.json", "type": "string"}}, "properties": {"a": {
        "$ref": "item.json"}, "b": {"$ref": "http://example.com/item.json"}}}, ['{"a":"x","b":"y"}', '{"a":1}', '{"b":1}']
    yield one({"$ref": "#/nowhere"}, "1")
    yield one({"$ref": "http://127.0.0.1:9/remote.json"}, "1")
    yield {"properties": {"a": {"$ref": "#/nowhere"}}}, ["{}"]
    yield {"anyOf": [True, {"$ref": "#/nowhere"}]}, ["{}"]
    yield {"properties": {"a": {"$dynamicRef": "#n"}}, "$defs": {"n": {"$dynamicAnchor": "n", "type": "string"}}}, ['{"a":"x"}', '{"a":1}']
    for uri in ("http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-07/schema",
                "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema", "http://example.com/none"):
        yield {"$schema": uri, "properties": {"a": {"const": 1}, "b": {"prefixItems": [False]}, "c": {"if": True, "then": False}}}, [
            '{"a":1}', '{"a":2}', '{"b":[1]}', '{"c":1}']
        yield one({"$ref": uri}, '{"type":"string"}', '{"type":5}')
    # Cases in which an exact validator differs, or none ends.
    yield one({"uniqueItems": True}, "[1,1.0]", "[[1],[1.0]]", "[1,2]")
    yield one({"const": [1]}, "[1]", "[1.0]")
    yield one({"pattern": "^\\p{Letter}+$"}, '"abc"', '"1"')
    yield {"$ref": "#"}, ["{}"]
    yield {"allOf": [{"$ref": "#"}]}, ["{}"]
    # Invalid schemas.
    for keyword, operand in (
            ("minimum", "x"), ("exclusiveMinimum", True), ("multipleOf", "x"), ("multipleOf", 0), ("minLength", -1), ("minLength", 2.0),
            ("minLength", 1.5), ("pattern", "("), ("pattern", 5), ("required", "x"), ("required", True), ("enum", 5), ("enum", []), ("type", 5),
            ("type", "foo"), ("type", []), ("type", ["integer", "foo"]), ("properties", []), ("items", 5), ("additionalProperties", 5),
            ("allOf", {}), ("allOf", []), ("anyOf", []), ("anyOf", {}), ("oneOf", []), ("oneOf", 5), ("not", 5), ("patternProperties", 5),
            ("patternProperties", {"(": {}}), ("format", 5), ("format", "nonsense"), ("$ref", 5), ("dependencies", 5), ("prefixItems", {}),
            ("unevaluatedItems", 5), ("nullable", "x")):
        yield one({keyword: operand}, "5", '"s"', "[1]", '{"x":1}')
        yield {"properties": {"a": {keyword: operand}}}, ["{}"]
    for operand in (None, "x"):
        yield one({"type": "string", "nullable": True if operand is None else operand}, "null", '"s"', "1")
    yield one({"enum": ["a"], "nullable": True}, "null", '"a"', "1")
    yield one({"const": "a", "nullable": True}, "null", '"a"')
    yield one({"contentMediaType": "application/json"}, '"{}"', '"{:}"')
    yield one({"contentEncoding": "base64"}, '"YQ=="', '"%%%"', '"YQ"')
    # Bodies that are not objects, or not JSON.
    for schema in ({"type": "string"}, {"type": "integer"}, {"type": "object"}, {"minLength": 4}, {"type": "string", "pattern": "^\""}, {"type": "null"}):
        yield schema, ["null", "true", "1", "1234", '"s"', '"ab"', '"abc"', "", "   ", "x", "{}", "[]", "[1,]", "{'a':1}", '{"a":1}//c', "{a:1}"]
    # Distances.
    yield {"required": ["a", "b", "c"], "properties": {"a": {"properties": {"x": {}, "y": {}}}, "b": {}}}, ["{}", '{"a":1}']
    yield {"required": ["a", "b"]}, ["{}"]
    yield {"properties": {"a": {"properties": {"b": {"type": "string"}, "c": {"type": "string"}}}}}, ['{"a":{"b":1,"c":1}}', '{"a":{"b":1}}']


FORMATS = {
    "date": ("2020-02-29", "2021-02-29", "2020-1-1"), "time": ("10:00:00Z", "10:00:00", "24:00:00Z", "23:59:60Z", "22:59:60Z", "10:00:00+01:00", "10:00:00.Z"),
    "date-time": ("2020-01-01T10:00:00Z", "2020-01-01 10:00:00Z", "2020-01-01t10:00:00z", "2020-01-01T10:00:00", "1998-12-31T23:59:60Z", "2020-12-31T23:59:60Z",
                  "2020-01-01T10:00:00+18:30", "2020-01-01T10:00:00.1234567890Z"),
    "duration": ("P1D", "P", "PT", "P1W", "P1.5D", "P1Y1D", "p1d", "P1DT"), "uuid": ("2EB8AA08-AA98-11EA-B4AA-73B441D16380", "x"),
    "email": ("joe@example.com", "joe", "a@localhost", "a@[127.0.0.1]", "a..b@example.com", "a@c.d", "\u00e9@example.com"),
    "idn-email": ("x@\uc2e4\ub840.\ud14c\uc2a4\ud2b8", "joe"), "hostname": ("a", "a.", "a_b", "-a", "A.B", "", "x" * 63, "x" * 64),
    "idn-hostname": ("\u00e9.d", "a_b", "\u302e\ud55c\uad6d"), "ipv4": ("1.2.3.4", "01.2.3.4", "256.1.1.1", "1.2.3"),
    "ipv6": ("::1", "1::2::3", "::ffff:1.2.3.4", "fe80::1%eth0", "12345::", "1:2:3:4:5:6:7::"),
    "uri": ("http://a", "a", "//a", "urn:x", "http://a b", "http://\u00e9", "http://[::1]", "http://a/%zz", "http://a/{}"),
    "uri-reference": ("a", "", "/a b", "#a#b", "\\"), "iri": ("http://\u00e9", "\u00e9"), "iri-reference": ("\u00e9", "\\"),
    "uri-template": ("{a}", "{", "{a:3}", "{a:0}", "{}", "<a>"), "json-pointer": ("", "a", "/~", "/~0"),
    "relative-json-pointer": ("0", "01", "1/a", "0#", "-1"), "regex": ("a", "(", "[", "(?<a>b)"), "alpha": ("abc", "a1"),
    "alphanumeric": ("a1", "a-"), "ip-address": ("1.2.3.4", "x"), "nonsense": ("x",),
}


class Server(wiremock.WireMock):
    def ask(self, schema, version, bodies):
        matcher = {"matchesJsonSchema": schema}
        if version:
            matcher["schemaVersion"] = version
        mapping = {"request": {"url": "/s", "bodyPatterns": [matcher]}, "response": {"status": 200}}
        status, answer = self.call("POST", "/__admin/mappings", json.dumps(mapping))
        if status != 201:
            sys.exit("refused: %s" % answer.decode())
        results = []
        for body in bodies:
            data = body.encode()
            status, _ = self.call("POST", "/s", data)
            if status == 200:
                results.append(1)
            elif status == 404:
                near = {"method": "POST", "url": "/s", "absoluteUrl": "http://x/s", "bodyAsBase64": base64.b64encode(data).decode()}
                status, answer = self.call("POST", "/__admin/near-misses/request", json.dumps(near))
                distance = json.loads(answer)["nearMisses"][0]["matchResult"]["distance"] if status == 200 else None
                results.append([0, None if distance is None else round(distance * TOTAL_WEIGHT, 4)])
            else:
                results.append(None)
        self.call("DELETE", "/__admin/mappings")
        return results


def main():
    rows = []
    with Server("--no-request-journal") as server:
        for schema, bodies in groups():
            for version in VERSIONS + ((None,) if schema is True else ()):
                rows.append([version, schema, list(zip(bodies, server.ask(schema, version, bodies)))])
        for name, texts in FORMATS.items():
            bodies = [json.dumps({"a": text}) for text in texts] + ['{"a":5}']
            for version in VERSIONS:
                schema = {"properties": {"a": {"format": name}}}
                rows.append([version, schema, list(zip(bodies, server.ask(schema, version, bodies)))])
    print(recording.one_a_line(json.dumps(rows)), end="")


if __name__ == "__main__":
    main()
