#!/usr/bin/env python3
"""Records which bodies equal which JSON documents in the real WireMock, and the distances of the others.

    python3 Tools/oracle/record_json_equality.py > Tests/Oracle/json_equality.json

One case is [expected text, options, [[body, matches, distance], ...]]; options are the letters o (ignoreArrayOrder) and
e (ignoreExtraElements). The jar is found as record_matching.py finds it.
"""

import base64
import itertools
import json
import random
import sys

from recording import one_a_line
from wiremock import WireMock

# The distance of a near miss is the weighted mean of a request's parts: host, port and url have weight 10, scheme, client
# address and method 3, seven others 1.
WEIGHTS = 46
OPTIONS = ["", "o", "e", "oe"]
PLACEHOLDERS = ["ignore", "ignore-element", "any-string", "any-number", "any-boolean", "missing-or-null", "regex}[a-z]+", "regex}",
                "regex}a.c", "regex}^a|b$", "matches:foo}", "matches:foo}x", "Ignore", "bogus", "any-string}x", "ignore}x"]


def placeholder(name, sign="$"):
    return sign + "{json-unit." + name + ("" if "}" in name else "}")


def written_cases():
    values = ['1', '"s"', 'true', 'null', '[1]', '{"b":1}', '""', '"abc"', '"a\\nc"']
    for name, sign in itertools.product(PLACEHOLDERS, "$#"):
        text = placeholder(name, sign)
        yield json.dumps({"a": text}), "", ['{"a":%s}' % v for v in values] + ['{}', '[]', '{"a":1,"b":1}', json.dumps({"a": text})]
        yield json.dumps([text]), "", ['[%s]' % v for v in values[:4]] + ['[]', '[1,1]']
        yield json.dumps(text), "", values[:4] + ['', 'x']
        yield json.dumps({"a": 1, "b": text}), "e", ['{"a":1}', '{"a":1,"b":null,"c":1}', '{"a":2,"b":"s"}']
        yield json.dumps([1, text, "s"]), "o", ['["s",1,2]', '[1,"s","s"]', '["s","t",1]', '[1,"s"]', '[1,"s",true]', '[null,1,"s"]']
    yield json.dumps({"a": " ${json-unit.ignore}"}), "", ['{"a":"x"}', '{"a":" ${json-unit.ignore}"}']
    yield json.dumps({"${json-unit.ignore}": 1, "b": 2}), "", ['{"x":1,"b":2}', '{"${json-unit.ignore}":1,"b":2}']
    numbers = ["0", "-0", "0.0", "0e5", "1", "1.0", "1.00", "1e0", "10e-1", "0.1e1", "1E+0", "-1", "100", "1e2", "1E2", "1.0e+2", "0.1",
               "0.10", "0.1000000000000000000000000000001", "1e-1", "9007199254740993", "9007199254740992.0", "9007199254740992",
               "100000000000000000000", "1e20", "100000000000000000001", "1e400", "10e399", "2e400", "1e-400", "12345678901234567890.1",
               "12345678901234567890.2", "1e1000000000", "1e1000000001"]
    for number in numbers:
        yield number, "", numbers
    texts = ['null', 'true', 'false', '""', '"x"', '"X"', '"1"', '1', '[]', '{}', '[null]', '[[]]', '[{}]', '{"a":null}', '{"a":[]}', '{"a":{}}',
             '"\\u00e9"', '"\u00e9"', '"e\\u0301"', '"\\ud83d\\ude00"', '"\U0001F600"', '{"":1}', '{"\u00e9":1}', '{"e\u0301":1}',
             '{"a":1,"a":2}', '{"a":2}', '{"a":2,"a":1}', '{"a":{"b":1},"a":{"c":1}}', '{"a":{"c":1}}']
    for text, options in itertools.product(texts, ("", "oe")):
        yield text, options, texts
    bodies = ['', ' ', 'x', '{', '{"a":1', '{"a":1}}', '{"a":1} x', '{a:1}', "{'a':1}", '{"a":1,}', '[1,]', '[1', '01', '+1', '.1', '1.', 'NaN',
              '/* c */{"a":1}', '{"a":1}// c', '\ufeff{"a":1}', '<a/>', '{"a":01}', '"a', 'nul', '\n{ "a" : 1 }\n', '{"a":1}\0', '{"a":tru}',
              '[1 2]', '{"a" 1}', "'x'", '"\\x"', '"\t"']
    for text in ('{"a":1}', '1', '[1]', '"x"'):
        yield text, "", bodies
    arrays = ['[]', '[1]', '[2]', '[1,2]', '[2,1]', '[1,1]', '[1,1,2]', '[1,2,2]', '[2,1,1]', '[1,2,3]', '[3,2,1]', '[1,2,3,4]', '[4,5,6,7]',
              '[1,[2,3]]', '[[3,2],1]', '[[1,2],[3,4]]', '[[4,3],[2,1]]', '[[3,4],[1,2]]', '[[4,6],[2,5]]', '[{"a":1},{"a":2}]',
              '[{"a":2},{"a":1}]', '[{"a":2,"b":1},{"a":1}]', '[{"a":1},{"a":1}]', '[{"a":1,"b":[1,2]},{"a":2,"b":[3]}]',
              '[{"b":[3],"a":2},{"b":[2,1],"a":1}]', '[1,"1",true,null]', '[null,true,"1",1]']
    for text, options in itertools.product(arrays, OPTIONS):
        yield text, options, arrays
    # Only some assignments of placeholders to elements work.
    number, string, ignore = (placeholder(n) for n in ("any-number", "any-string", "ignore"))
    choices = ['[1,2]', '[2,1]', '[1,"x"]', '["x",1]', '["x","y"]', '[1]', '[1,2,"x"]', '["x",2,1]', '[1,1,1]', '["x","y",1]', '[1,2,3,"x"]', '[]']
    for items in ([number, 1], [1, number], [number, string], [ignore, number, 1], [ignore, ignore], [1, ignore, 2], [string, string, number]):
        for options in OPTIONS:
            yield json.dumps(items), options, choices
    deep = "1"
    for depth in range(60):
        deep = "[%s]" % deep if depth % 2 else '{"a":%s}' % deep
    yield deep, "", [deep, deep.replace("1", "2"), deep.replace("1", "[1]")]
    yield deep, "oe", [deep, deep.replace("1", "2"), deep.replace("1", "[1]")]


class Drawn:
    """Random documents and similar bodies."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def value(self, depth):
        draw = self.random.random()
        if depth == 0 or draw < 0.45:
            return self.random.choice([1, 1.0, 2, 10, -1, 0.5, "a", "b", "", "1", True, False, None])
        if draw < 0.75:
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 4))]
        return {key: self.value(depth - 1) for key in self.random.sample("abcdef", self.random.randint(0, 4))}

    def shuffled(self, value):
        if isinstance(value, list):
            return self.random.sample([self.shuffled(v) for v in value], len(value))
        if isinstance(value, dict):
            return {key: self.shuffled(value[key]) for key in self.random.sample(list(value), len(value))}
        return value

    def changed(self, value, rate=0.15):
        """The document with some values replaced, removed or added."""
        if self.random.random() < rate:
            return self.value(1)
        if isinstance(value, list):
            items = [self.changed(v, rate) for v in value if self.random.random() > rate / 2]
            if self.random.random() < rate:
                items.insert(self.random.randint(0, len(items)), self.value(1))
            return items
        if isinstance(value, dict):
            members = {key: self.changed(v, rate) for key, v in value.items() if self.random.random() > rate / 2}
            if self.random.random() < rate:
                members[self.random.choice("abcdefg")] = self.value(1)
            return members
        return value

    def veiled(self, value, rate=0.2):
        """The document with some values replaced by placeholders, most of which match them."""
        if self.random.random() < rate:
            fitting = ["ignore", "ignore-element"]
            if isinstance(value, bool):
                fitting += ["any-boolean"] * 3
            elif isinstance(value, (int, float)):
                fitting += ["any-number"] * 3
            elif isinstance(value, str):
                fitting += ["any-string"] * 2 + ["regex}[a-z]*"]
            return placeholder(self.random.choice(fitting if self.random.random() < 0.9 else PLACEHOLDERS[:8]))
        if isinstance(value, list):
            return [self.veiled(v, rate) for v in value]
        if isinstance(value, dict):
            return {key: self.veiled(v, rate) for key, v in value.items()}
        return value

    def cases(self, count):
        for number in range(count):
            value = self.value(3) if number % 4 else [self.value(2) for _ in range(self.random.randint(2, 6))]
            expected = self.veiled(value) if self.random.random() < 0.4 else value
            bodies = [value, self.shuffled(value)] + [self.changed(self.shuffled(value) if draw else value) for draw in (0, 0, 1, 1)]
            for options in OPTIONS:
                yield json.dumps(expected), options, [json.dumps(body) for body in bodies]


def main():
    recorded, pairs = [], 0
    with WireMock("--no-request-journal") as server:
        for expected, options, bodies in [*written_cases(), *Drawn(20261121).cases(150)]:
            server.call("DELETE", "/__admin/mappings")
            matcher = {"equalToJson": expected}
            matcher.update({"ignoreArrayOrder": True} if "o" in options else {})
            matcher.update({"ignoreExtraElements": True} if "e" in options else {})
            stub = {"request": {"url": "/x", "method": "POST", "bodyPatterns": [matcher]}, "response": {"status": 204}}
            status, reply = server.call("POST", "/__admin/mappings", json.dumps(stub))
            if status != 201:
                sys.exit(f"{expected} was refused: {reply}")
            answers = []
            for body in dict.fromkeys(bodies):
                request = {"url": "/x", "absoluteUrl": "http://localhost/x", "method": "POST", "headers": {},
                           "bodyAsBase64": base64.b64encode(body.encode()).decode()}
                status, reply = server.call("POST", "/__admin/near-misses/request", json.dumps(request))
                distance = round(json.loads(reply)["nearMisses"][0]["matchResult"]["distance"] * WEIGHTS, 6) if status == 200 else None
                verdict, _ = server.call("POST", "/x", body)
                if verdict not in (204, 404) or distance is None:
                    print(f"no answer to {body} under {expected}: {verdict} {status}", file=sys.stderr)
                    continue
                answers.append([body, verdict == 204, int(distance) if distance == int(distance) else distance])
            pairs += len(answers)
            recorded.append([expected, options, answers])
    print(one_a_line(recorded), end="")
    print(f"{len(recorded)} cases, {pairs} pairs", file=sys.stderr)


if __name__ == "__main__":
    main()
