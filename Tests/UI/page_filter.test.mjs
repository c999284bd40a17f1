// The filter's language, without a browser: node --test Tests/UI
import test from "node:test";
import assert from "node:assert/strict";
import { parseFilter, tokenize, fits, milliseconds, bytes, nearest, toggled } from "../../Sources/Admin/CResources/ui/filter.js";
import { Row, makeRows } from "../../Sources/Admin/CResources/ui/rows.js";

const row = (d) => {
    const r = new Row({ id: "1", sequence: 1, at: 1000, method: "GET", url: "/api/dogs?x=1", wasMatched: true, status: 200, ...d });
    if (d?.response) r.finish({ end: "sent", ...d.response });
    return r;
};
const passes = (line, d, context) => parseFilter(line).test(row(d), { p95: 10, now: 2000, ...context });

test("words are text in method, URL, stub and session, without regard to case", () => {
    assert.ok(passes("DOGS", {}));
    assert.ok(passes("dogs api", {}));
    assert.ok(!passes("dogs cats", {}));
    assert.ok(passes("hound", { stub: { id: "s", name: "A hound" } }));
    assert.ok(passes("dogs.yaml:17", { stub: { id: "s2", file: "dogs.yaml", line: 17 } }));
    assert.ok(passes("login", { session: { id: "s1", name: "login test" } }));
    assert.ok(passes("cats|dogs", {}));
});

test("methods in capitals and statuses are what they look like; in quotes they are text", () => {
    assert.ok(passes("GET", {}));
    assert.ok(!passes("POST", {}));
    assert.ok(passes("GET|POST", {}));
    assert.ok(passes("200", {}));
    assert.ok(!passes("404", {}));
    assert.ok(passes("2xx", {}));
    assert.ok(!passes('"200"', {}));
    assert.ok(passes('"404"', { url: "/404" }));
});

test("status: takes numbers, classes, ranges, comparisons and alternatives", () => {
    for (const line of ["status:200", "status:2xx", "status:200-299", "status:>=200", "status:<300", "status:404|200", "-status:5xx"]) assert.ok(passes(line, {}), line);
    for (const line of ["status:404", "status:>200", "status:300-399"]) assert.ok(!passes(line, {}), line);
});

test("an answer that a fault replaced has no status", () => {
    const reset = { response: { fault: "CONNECTION_RESET_BY_PEER", end: "faultApplied" } };
    assert.ok(!passes("status:200", reset));
    assert.ok(passes("status:reset", reset));
    assert.ok(passes("is:fault", reset));
});

test("is: says what happened", () => {
    assert.ok(passes("is:unmatched", { wasMatched: false }));
    assert.ok(!passes("is:unmatched", {}));
    assert.ok(passes("is:failed", { response: { failure: "no file" } }));
    assert.ok(passes("is:open", {}));
    assert.ok(passes("is:held", { gate: "pay" }));
    assert.ok(!passes("is:held", { gate: "pay", response: {} }));
    assert.ok(passes("is:proxied", { proxied: true }));
    assert.ok(passes("is:slow", { response: { durationMs: 11 } }));
    assert.ok(passes("is:unmatched|failed", { wasMatched: false }));
});

test("path: is a part of the path, and with * the whole of it", () => {
    assert.ok(passes("path:/api", {}));
    assert.ok(passes("path:/api/*", {}));
    assert.ok(!passes("path:/ap*gs?", {}));
    assert.ok(passes("-path:/health", {}));
    assert.ok(!passes("path:x=1", {}));
});

test("time, size and last compare", () => {
    assert.ok(passes("time:>500ms", { response: { durationMs: 501 } }));
    assert.ok(!passes("time:>500ms", { response: { durationMs: 500 } }));
    assert.ok(passes("time:>1s", { response: { durationUs: 1_500_000 } }));
    assert.ok(passes("size:>10kB", { response: { bytesSent: 10_001 } }));
    assert.ok(!passes("size:>10kB", {}));
    assert.ok(passes("last:5s", {}, { now: 5000 }));
    assert.ok(!passes("last:5s", {}, { now: 6001 }));
    assert.equal(milliseconds("1.5m"), 90_000);
    assert.equal(bytes("2MB"), 2_000_000);
    assert.equal(milliseconds("soon"), null);
});

test("what is not understood is text, and never an error", () => {
    for (const line of ['"open', "-", ":", "a:", "status:", "status:abc", "time:soon", "is:", "is:nonsense", "stauts:404", "-\"", "|", "a|", "\\", '"a\\', "*", "path:**"]) {
        assert.doesNotThrow(() => passes(line, {}), line);
    }
    const typo = parseFilter("stauts:404").tokens[0];
    assert.equal(typo.note, "no filter `stauts`, did you mean `status`?");
    assert.ok(passes("x:y", { url: "/x:y" }));
    assert.ok(passes("status:", {}), "a key whose value is still to come hides nothing");
    assert.match(parseFilter("is:unmatchd").tokens[0].note, /is:unmatched/);
});

test("quotes keep spaces together, and a minus says not", () => {
    assert.deepEqual(tokenize('a "b c" -d stub:"x y"').map((t) => [t.text, t.isNegated]), [["a", false], ["b c", false], ["d", true], ["stub:x y", false]]);
    assert.ok(passes('stub:"A hound"', { stub: { id: "s", name: "A hound" } }));
    assert.ok(passes('-"x y"', {}));
});

test("headers and bodies are asked of the daemon", () => {
    const filter = parseFilter("header:x-id=7 GET");
    assert.equal(filter.remote.length, 1);
    assert.ok(filter.test(row(), {}));
    assert.ok(!filter.test(row(), { remote: () => false }));
});

test("a pattern is tried in linear time", () => {
    const started = performance.now();
    assert.ok(!fits("a".repeat(20_000) + "b", "*a*a*a*a*a*a*a*a*a*a*c"));
    assert.ok(performance.now() - started < 100);
    assert.ok(fits("/api/x/y", "/api/*/y"));
    assert.ok(!fits("/a", "/a*a"));
});

test("the nearest word, if it is near", () => {
    assert.equal(nearest("stauts", ["status", "stub"]), "status");
    assert.equal(nearest("colour", ["status", "stub"]), null);
});

test("a word is put in and taken out", () => {
    assert.equal(toggled("", "is:unmatched"), "is:unmatched");
    assert.equal(toggled("a is:unmatched b", "is:unmatched"), "a b");
});

test("the ring keeps the newest, and of older ones those that went wrong", () => {
    const rows = makeRows();
    for (let i = 0; i < 30_000; i++) rows.request({ id: `r${i}`, sequence: i, at: i, method: "GET", url: `/${i}`, wasMatched: i !== 7, status: 200 });
    assert.ok(rows.list.length <= 10_501);
    assert.ok(rows.find("r7"), "the unmatched one of the beginning is still there");
    assert.equal(rows.find("r8"), undefined);
    assert.ok(rows.find("r29999"));
    assert.equal(rows.unmatched, 1);
    for (let i = 0; i < 40_000; i++) rows.request({ id: `u${i}`, sequence: i, at: i, method: "GET", url: `/${i}`, wasMatched: false, status: 404 });
    assert.ok(rows.list.length <= 11_501);
});

test("what is held is counted until it ends, however much comes after it, and says nothing of how fast answers are", () => {
    const rows = makeRows();
    rows.request({ id: "own", sequence: 1, at: 1, method: "GET", url: "/held", gate: "pay" });
    rows.request({ id: "theirs", sequence: 2, at: 2, method: "GET", url: "/held", gate: "pay", session: { id: "s1", name: "one" } });
    for (let i = 0; i < 30_000; i++) {
        rows.request({ id: `r${i}`, sequence: i + 3, at: i, method: "GET", url: `/${i}`, status: 200 });
        rows.response({ id: `r${i}`, end: "sent", durationUs: 2000 });
    }
    rows.emptied({});
    rows.tick();
    assert.equal(rows.held, 2);
    rows.tick(true);
    assert.equal(rows.held, 1);
    rows.response({ id: "own", end: "sent", durationUs: 60_000_000 });
    rows.session({ id: "s1", change: "ended" });
    rows.tick();
    assert.equal(rows.held, 0);
    assert.equal(rows.p95, 2);
});

test("the ring drops rows in batches, also where very many of them are kept", () => {
    const rows = makeRows();
    for (let i = 0; i < 12_000; i++) rows.request({ id: `u${i}`, sequence: i, at: i, method: "GET", url: "/", wasMatched: false });
    let batches = 0;
    for (let i = 0, before = rows.removed; i < 1000; i++) {
        rows.request({ id: `r${i}`, sequence: i, at: i, method: "GET", url: "/" });
        if (rows.removed !== before) { batches++; before = rows.removed; }
    }
    assert.ok(batches <= 3, `${batches} batches`);
    assert.equal(rows.unmatched, rows.list.filter((r) => r.matched === false).length);
});

test("a request that is told twice is one row, and older ones stand before newer ones", () => {
    const rows = makeRows();
    rows.request({ id: "b", sequence: 2, at: 2, method: "GET", url: "/b" });
    rows.older([{ id: "b", sequence: 2, at: 2, method: "GET", url: "/b" }, { id: "a", sequence: 1, at: 1, method: "GET", url: "/a", end: "sent", durationUs: 1500 }]);
    assert.deepEqual(rows.list.map((r) => r.id), ["a", "b"]);
    assert.equal(rows.find("a").durationMs, 1.5);
});

test("a restart greys what was there, and says so once", () => {
    const rows = makeRows();
    rows.request({ id: "a", sequence: 1, at: 1, method: "GET", url: "/a" });
    rows.restarted(0);
    assert.ok(rows.list[0].isOld);
    assert.match(rows.list[1].text, /daemon restarted/);
});
