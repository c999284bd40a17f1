import test from "node:test";
import assert from "node:assert/strict";
globalThis.location = { pathname: "/__admin/ui/", origin: "http://localhost" };
const { eventParser } = await import("../../Sources/Admin/CResources/ui/api.js");
import { readJSON, formatJSON, compactText, valueOf, JSONError } from "../../Sources/Admin/CResources/ui/json.js";

test("numbers, order and repeated keys stay as they were sent", () => {
    const text = '{"b":9007199254740993,"a":1.0,"b":1e400,"":-0}';
    assert.equal(formatJSON(readJSON(text)).replace(/\n\s*/g, "").replaceAll('": ', '":'), text);
    assert.equal(compactText(readJSON("[1.10, -0.0,1E+2]")), "[1.10, -0.0, 1E+2]");
});

test("every document that JSON.parse reads is read the same", () => {
    for (const text of ['""', '"\\u00e4\\n\\"\\\\"', "0", "-1.5e-3", "true", "null", "[]", "{}", " [ 1 , [ ] , { \"a\" : { } } ] ", '{"__proto__":1,"constructor":2}', '["\\ud83d\\ude00"]']) {
        assert.deepEqual(JSON.parse(JSON.stringify(valueOf(readJSON(text)))), JSON.parse(text.replace('"__proto__"', '"__proto__"')), text);
        assert.deepEqual(JSON.parse(formatJSON(readJSON(text))), JSON.parse(text), text);
    }
});

test("every text that JSON.parse refuses is refused, with a place", () => {
    for (const text of ["", " ", "{", "[", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "nul", "\"a", "\"\n\"", "\"\\x\"", "[1 2]", "1 2", "]", "{\"a\":1,}", "NaN", "\"\\u12\""]) {
        assert.throws(() => JSON.parse(text), undefined, text);
        assert.throws(() => readJSON(text), (error) => error instanceof JSONError && error.offset >= 0, text);
    }
});

test("no depth ends the reader", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const node = readJSON(deep);
    assert.equal(node.items.length, 1);
    assert.ok(compactText(node).length < 500);
});

test("a stream is read in pieces of any size, and a place without an event is told", () => {
    const text = ": hi\nid: 1.0\n\nevent: request\r\nid: 1.1\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata: broken\n\nevent: gap\ndata: {}\n\n";
    for (const size of [1, 3, 7, 1000]) {
        const seen = [];
        const parse = eventParser((e) => seen.push([e.type, e.id, e.data]));
        for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
        assert.deepEqual(seen, [["", "1.0", null], ["request", "1.1", { a: 1 }], ["gap", "1.1", {}]]);
    }
});
