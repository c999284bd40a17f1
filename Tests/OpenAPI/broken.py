"""Documents with errors: the daemon must load each, report the error, and keep serving."""

import copy
import json
import random
import subprocess

SHAPES = (None, True, 0, -1, 1e400, "", "text", [], {}, [[]], {"$ref": "#"}, {"$ref": "#/none"}, {"$ref": 5}, ["a", {}])


def nodes(value, place=()):
    """The nodes of a document that can be changed."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield (*place, key)
        yield from nodes(inner, (*place, key))


def at(value, place):
    for key in place:
        value = value[key]
    return value


def mutated(text, document, chosen):
    """A document's text with one error, and the error's description."""
    kind = chosen.choice(
        ("bytes", "cut", "type", "type", "missing", "reference", "reference", "renamed", "twice", "swapped")
    )
    if kind == "bytes":
        data = bytearray(text.encode())
        for _ in range(chosen.randint(1, 8)):
            data[chosen.randrange(len(data))] = chosen.randrange(256)
        return bytes(data), kind
    if kind == "cut":
        return text.encode()[: chosen.randrange(len(text))], kind
    document = copy.deepcopy(document)
    places = [place for place in nodes(document) if place[0] not in ("openapi", "swagger")]
    place = chosen.choice(places)
    holder, key = at(document, place[:-1]), place[-1]
    if kind == "type":
        holder[key] = chosen.choice(SHAPES)
    elif kind == "missing":
        del holder[key]
    elif kind == "reference":
        references = [one for one in places if one[-1] == "$ref"] or [place]
        place = chosen.choice(references)
        other = "#/" + "/".join(str(key).replace("~", "~0").replace("/", "~1") for key in chosen.choice(places))
        at(document, place[:-1])[place[-1]] = chosen.choice(
            (other, "#/none", "../../etc/passwd", "#", "http://127.0.0.1:1/a", "%2e%2e/a", "a\x00b")
        )
    elif kind == "renamed" and isinstance(holder, dict):
        holder[str(key)[::-1] or "x"] = holder.pop(key)
    elif kind == "twice" and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    elif kind == "swapped":
        holder[key] = copy.deepcopy(at(document, chosen.choice(places)))
    return json.dumps(document).replace("Infinity", "1e999").encode(), f"{kind} at {'/'.join(map(str, place))}"


def extremes():
    """Documents with an extreme size or depth, by name."""

    def description(schema, **more):
        operation = {
            "get": {"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}}
        }
        return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": operation}, **more}

    deep = '{"type":"object","required":["a"],"properties":{"a":' * 10_000 + "{}" + "}}" * 10_000
    yield "deep.json", json.dumps(description("DEEP")).replace('"DEEP"', deep)
    yield "deep lists.json", '{"openapi":"3.0.0","info":{},"paths":' + "[" * 100_000
    yield "deep.yaml", "openapi: 3.0.0\ninfo: {}\npaths: " + "{a: " * 5_000 + "1" + "}" * 5_000
    chain = {f"s{i}": {"$ref": f"#/components/schemas/s{i + 1}"} for i in range(10_000)} | {
        "s10000": {"type": "string"}
    }
    yield "chain.json", json.dumps(description({"$ref": "#/components/schemas/s0"}, components={"schemas": chain}))
    nested = {
        f"s{i}": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": f"#/components/schemas/s{i + 1}"}}}
        for i in range(3_000)
    }
    nested["s3000"] = {"type": "string"}
    yield "nested.json", json.dumps(description({"$ref": "#/components/schemas/s0"}, components={"schemas": nested}))
    twice = {f"s{i}": {"allOf": [{"$ref": f"#/components/schemas/s{i + 1}"}] * 2} for i in range(60)} | {
        "s60": {"type": "string"}
    }
    yield "doubling.json", json.dumps(description({"$ref": "#/components/schemas/s0"}, components={"schemas": twice}))
    either = {f"s{i}": {"oneOf": [{"$ref": f"#/components/schemas/s{i + 1}"}] * 3} for i in range(40)} | {
        "s40": {"type": "string"}
    }
    yield "choices.json", json.dumps(description({"$ref": "#/components/schemas/s0"}, components={"schemas": either}))
    many = description({"type": "string"})
    many["paths"] = {f"/p{i}/{{id}}": many["paths"]["/a"] for i in range(20_000)}
    yield "many paths.json", json.dumps(many)
    wide = {
        "type": "object",
        "properties": {f"p{i}": {"type": "integer"} for i in range(20_000)},
        "required": [f"p{i}" for i in range(20_000)],
    }
    yield "wide.json", json.dumps(description(wide))
    yield "many enums.json", json.dumps(description({"enum": [f"e{i}" for i in range(100_000)]}))
    yield "long pattern.json", json.dumps(description({"type": "string", "pattern": "^" + "(a|b)?" * 5_000 + "$"}))
    yield "parameters.json", json.dumps({
        "openapi": "3.0.0", "info": {"title": "t", "version": "1"},
        "paths": {"/a" + "".join(f"/{{p{i}}}" for i in range(500)): {"get": {"responses": {"200": {"description": "ok"}}}}},
    })  # fmt: skip


def validated(binary, path):
    """The exit status and output of `validate` for a document."""
    done = subprocess.run([binary, "validate", str(path)], capture_output=True, timeout=60, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def chosen_mutations(description, count, seed):
    """Mutations of one document."""
    text = description.path.read_text(encoding="utf-8-sig")
    chosen = random.Random(f"{seed} {description.path.name}")
    for index in range(count):
        yield index, *mutated(text, description.json, chosen)
