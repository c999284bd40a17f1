// What the daemon warns of becomes a warning of the process.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import https from "node:https";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { project } from "./load.mjs";

const folder = project();
const { start } = createRequire(join(folder, "x.js"))("stuntdouble-server");
const doubtful = { request: { method: "get", url: "/ä" } };

delete process.env.STUNTDOUBLE_URL;
process.env.STUNTDOUBLE_STATE_DIR = mkdtempSync(join(tmpdir(), "stuntdouble-state-"));
const work = mkdtempSync(join(tmpdir(), "stuntdouble-warnings-"));
let server;
before(async () => { server = await start(); });
after(async () => {
    await server.stop();
    for (const path of [work, process.env.STUNTDOUBLE_STATE_DIR]) rmSync(path, { recursive: true });
});

/** The texts of the warnings while something is done. */
async function warnings(body) {
    const found = [];
    const listen = (warning) => warning.name === "StuntDoubleWarning" && found.push(warning.message);
    process.on("warning", listen);
    try {
        await body();
        // They are told at the next turn.
        await new Promise((resolve) => setImmediate(resolve));
    } finally {
        process.off("warning", listen);
    }
    return found;
}

for (const [name, call, said] of [
    ["a mapping", (mock) => mock.stub(doubtful), /^request\.method: methods are case-sensitive.*did you mean "GET"/],
    ["a route", (mock) => mock.stub("GET /users/:id"), /^\["GET \/users\/:id"\]: :id is literal.*did you mean "\/users\/\{id\}"/],
    ["a list of responses", (mock) => mock.stub("GET /a", [{ status: 200 }, { status: 201 }]), /^\["GET \/a"\]/],
    ["several stubs", (mock) => mock.stub([doubtful]), /case-sensitive/],
    ["a stub file", (mock) => mock.loadText("GET /users/:id: {}", "mine.yaml"), /^mine\.yaml:1:1: .*:id is literal/],
    ["a pattern", (mock) => mock.count({ method: "get" }), /case-sensitive/],
    ["the admin API", (mock) => mock.admin("POST", "/mappings", doubtful), /case-sensitive/],
    ["a function", (mock) => mock.handle("GET /users/:id", () => ""), /:id is literal/],
]) {
    test(`${name} that is hardly meant`, async () => {
        const mock = await server.session();
        const found = await warnings(async () => {
            await call(mock);
            await mock.end();
        });
        assert.equal(found.length, 1, found.join("\n"));
        assert.match(found[0], said);
    });
}

test("letters beyond ASCII are those of the stub", async () => {
    const mock = await server.session();
    const found = await warnings(() => mock.stub({ request: { method: "gét", url: "/a" } }));
    assert(found.length > 0 && !found.join().includes("\\u{"), found.join());
    await mock.end();
});

test("a call without doubts, and requests that nothing answers, warn of nothing", async () => {
    const found = await warnings(async () => {
        const mock = await server.session();
        await mock.stub("GET /a", [{ when: { json: 1 } }, { status: 422 }]);
        for (let n = 0; n < 30; n++) await fetch(`${mock.url}/nothing`);
        await mock.end();
    });
    assert.deepEqual(found, []);
});

test("a stub file at the start, once", async () => {
    writeFileSync(join(work, "a.yaml"), "GET /users/:id: { body: a }\n");
    const found = await warnings(async () => {
        const other = await start({ mocks: work });
        await other.stop();
    });
    assert.equal(found.length, 1);
    assert.match(found[0], /a\.yaml:1:1: .*:id is literal/);
});

test("a handshake that fails, when the session ends", async () => {
    const mock = await server.session({ httpsPort: 0 });
    await new Promise((resolve) => https.get(mock.httpsUrl).on("error", resolve));
    // The log is written by another thread than the one that answers.
    for (const deadline = Date.now() + 30_000; !server.log.includes("handshake"); await new Promise((resolve) => setTimeout(resolve, 10))) {
        assert(Date.now() < deadline, server.log);
    }
    const found = await warnings(() => mock.end());
    assert.equal(found.length, 1);
    assert.match(found[0], /TLS handshake/);
});
