// The helpers for test runners, in runs of their own: node's own runner, and stand-ins for Vitest and Playwright Test.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { here, project } from "./load.mjs";

const folder = project();
const { start } = createRequire(join(folder, "x.js"))("stuntdouble-server");
const clean = { ...process.env };
for (const name of ["STUNTDOUBLE_URL", "STUNTDOUBLE_SHARED_URL", "NODE_TEST_CONTEXT", "NODE_OPTIONS"]) delete clean[name];

let outside;
before(async () => {
    mkdirSync(join(folder, "mocks"));
    writeFileSync(join(folder, "mocks/all.yaml"), "GET /all: { body: all }\n");
    mkdirSync(join(folder, "outside"));
    writeFileSync(join(folder, "outside/outside.yaml"), "GET /outside: { body: outside }\n");
    outside = await start({ mocks: join(folder, "outside") });
});
after(() => outside.stop());

/** Runs node in the project, with a file of the given text as the last word. */
function run(words, name, text, env = {}) {
    writeFileSync(join(folder, name), text);
    const options = { cwd: folder, env: { ...clean, ...env }, encoding: "utf8", timeout: 120_000 };
    return spawnSync(process.execPath, [...words, name], options);
}

test("import and require find every name", () => {
    const child = run([], "names.mjs", `
        import { AdminError, Server, Session, StartError, Stub, StuntDoubleError, VerificationError, binaryPath, start } from "stuntdouble-server";
        import { mockServer, mockServers } from "stuntdouble-server/node-test";
        import { expect, fixtures, test } from "stuntdouble-server/playwright";
        import { fixtures as more, it, test as another } from "stuntdouble-server/vitest";
        import setUp, { setup } from "stuntdouble-server/vitest-setup";
        import other from "stuntdouble-server/playwright-setup";
        import { createRequire } from "node:module";
        const require = createRequire(import.meta.url);
        for (const name of ["", "/node-test", "/playwright", "/playwright-setup"]) require("stuntdouble-server" + name);
        if ([AdminError, Server, Session, StartError, Stub, StuntDoubleError, VerificationError, binaryPath, start, mockServer,
            mockServers, expect, fixtures, test, more, it, another, setUp, setup, other].includes(undefined)) process.exit(1);
    `);
    assert.equal(child.status, 0, child.stderr);
});

/** The lines of JSON that the stand-ins print. */
function results(child) {
    const lines = child.stdout.split("\n").filter((line) => line.startsWith("{"));
    assert(lines.length > 0, child.stdout + child.stderr);
    return Object.fromEntries(lines.map((line) => JSON.parse(line)).map((result) => [result.title ?? result.name, result]));
}

test("node:test: fifty tests side by side, and one that fails by its verdict", () => {
    const child = run(["--test-reporter=tap", "--test"], "fifty.test.mjs", `
        import assert from "node:assert/strict";
        import { describe, test } from "node:test";
        import { mockServers } from "stuntdouble-server/node-test";
        const mockServer = mockServers({ mocks: "mocks" });
        describe("fifty", { concurrency: 50 }, () => {
            for (let n = 0; n < 50; n++) {
                test("own " + n, async (t) => {
                    const mock = await mockServer(t);
                    await mock.stub("GET /same", { json: { n } });
                    for (let i = 0; i <= n % 3; i++) {
                        assert.deepEqual(await (await fetch(mock.url + "/same")).json(), { n });
                    }
                    await mock.verify("GET /same", { count: n % 3 + 1 });
                    assert.equal(await (await fetch(mock.url + "/all")).text(), "all");
                });
            }
            test("wanted failure", async (t) => {
                const mock = await mockServer(t);
                await mock.stub("GET /users/{id}", { json: {} });
                assert.equal((await fetch(mock.url + "/user/1")).status, 404);
            });
            test("tolerant", async (t) => {
                const mock = await mockServer(t, { failOn: "none" });
                assert.equal((await fetch(mock.url + "/user/1")).status, 404);
            });
            test("favicon", async (t) => {
                const mock = await mockServer(t);
                assert.equal((await fetch(mock.url + "/favicon.ico")).status, 404);
            });
            test("fails by itself", async (t) => {
                const mock = await mockServer(t);
                await fetch(mock.url + "/all");
                assert.equal(1, 2);
            });
        });
    `);
    assert.equal(child.status, 1);
    assert.match(child.stdout, /# pass 52\n# fail 2\n/);
    assert.match(child.stdout, /not ok \d+ - wanted failure[^]*GET \/user\/1[^]*GET \/users\/\{id\}/);
    // Whether a test has failed by itself is known from node 20.12 on.
    const [major, minor] = process.versions.node.split(".").map(Number);
    if (major > 20 || (major === 20 && minor >= 12)) {
        assert.match(child.stdout, /# requests of this test: 1\n +# +GET \/all → 200/);
    }
});

test("node:test: what a handler asserts fails the test", () => {
    const child = run(["--test-reporter=tap", "--test"], "handler.test.mjs", `
        import assert from "node:assert/strict";
        import { test } from "node:test";
        import { mockServer } from "stuntdouble-server/node-test";
        test("bad", async (t) => {
            const mock = await mockServer(t);
            await mock.handle("ANY /a", (request) => assert.equal(request.method, "POST"));
            assert.equal((await fetch(mock.url + "/a")).status, 500);
        });
        test("good", async (t) => {
            const mock = await mockServer(t);
            await mock.handle("ANY /a", (request) => ({ json: { method: request.method } }));
            assert.deepEqual(await (await fetch(mock.url + "/a")).json(), { method: "GET" });
        });
    `);
    assert.equal(child.status, 1);
    assert.match(child.stdout, /not ok 1 - bad\n[^]*the handler of GET \/a failed:[^]*GET \/a → 500[^]*\nok 2 - good\n/);
});

test("node:test: all tests of a suite, and what is misspelt", () => {
    const child = run(["--test-reporter=tap", "--test"], "suite.test.mjs", `
        import assert from "node:assert/strict";
        import { before, beforeEach, describe, test } from "node:test";
        import { mockServer, mockServers } from "stuntdouble-server/node-test";
        describe("each", () => {
            let mock;
            beforeEach(async (t) => { mock = await mockServer(t); });
            test("stubs", async () => {
                await mock.stub("GET /a", { body: "a" });
                assert.equal((await fetch(mock.url + "/a")).status, 200);
            });
            test("has none of another's", async () => { await fetch(mock.url + "/a"); });
        });
        describe("once", () => {
            before(async (t) => { await mockServer(t); });
            test("never runs", () => {});
        });
        test("reason", async (t) => { await assert.rejects(mockServer(t, { failOn: "unusde" }), /found 'unusde'; did you mean 'unused'/); });
        test("option", async (t) => { await assert.rejects(mockServer(t, { failon: "none" }), /did you mean 'failOn'/); });
        test("options", () => { assert.throws(() => mockServers({ mock: "mocks" }), /did you mean 'mocks'/); });
    `);
    assert.equal(child.status, 1);
    assert.match(child.stdout, /\n {4}ok 1 - stubs\n[^]*not ok 2 - has none of another's\n[^]*nothing answered GET \/a\n/);
    assert.match(child.stdout, /not ok 2 - once\n[^]*in beforeEach\(async \(t\) => …\)/);
    for (const name of ["reason", "option", "options"]) assert.match(child.stdout, new RegExp(`\\nok \\d - ${name}\\n`));
});

test("node:test: another daemon is used", () => {
    const child = run(["--test-reporter=tap", "--test"], "outside.test.mjs", `
        import assert from "node:assert/strict";
        import test from "node:test";
        import { mockServers } from "stuntdouble-server/node-test";
        const mockServer = mockServers({ mocks: "mocks" });
        test("it", async (t) => {
            const mock = await mockServer(t);
            assert.equal(mock.serverUrl, process.env.STUNTDOUBLE_URL);
            for (const path of ["/outside", "/all"]) assert.equal((await fetch(mock.url + path)).status, 200);
        });
    `, { STUNTDOUBLE_URL: outside.url });
    assert.equal(child.status, 0, child.stdout);
});

const vitest = `
    import { expect } from "vitest";
    import { fixtures, test as plain } from "stuntdouble-server/vitest";
    const test = plain.extend(fixtures({ mocks: "mocks" }));
    const get = async (mock, path) => (await fetch(mock.url + path)).status;
    test("own", async ({ stuntdouble }) => {
        await stuntdouble.stub("GET /same", { body: "own" });
        expect(await get(stuntdouble, "/same")).toBe(200);
        expect(await get(stuntdouble, "/all")).toBe(200);
    });
    test("unmatched", async ({ stuntdouble }) => {
        expect(await get(stuntdouble, "/same")).toBe(404);
    });
    test.extend({ stuntdoubleOptions: { failOn: "none" } })("tolerant", async ({ stuntdouble }) => {
        expect(await get(stuntdouble, "/same")).toBe(404);
    });
    test("by itself", async ({ stuntdouble }) => {
        await get(stuntdouble, "/all");
        expect(1).toBe(2);
    });
    test("without", async ({ stuntdouble }) => { await fetch(stuntdouble.serverUrl + "/stray"); });
`;

for (const setup of [undefined, "./setup.mjs"]) {
    test(`Vitest${setup ? ", with one daemon for all workers" : ""}`, () => {
        writeFileSync(join(folder, "setup.mjs"), `
            import { setup } from "stuntdouble-server/vitest-setup";
            export default setup({ mocks: "mocks" });
        `);
        const words = [join(here, "standins/vitest/run.js"), ...(setup ? ["--setup", setup] : [])];
        const child = run(words, "vitest.test.mjs", vitest);
        const found = results(child);
        const states = Object.fromEntries(Object.entries(found).map(([name, { state }]) => [name, state]));
        const expected = { own: "pass", unmatched: "fail", tolerant: "pass", "by itself": "fail", without: "pass" };
        assert.deepEqual(states, expected, JSON.stringify(found, null, 1));
        assert.match(found.unmatched.errors[0], /GET \/same/);
        assert.match(child.stderr, /requests of this test: 1\n {2}GET \/all → 200/);
        if (setup) assert.match(child.stderr, /without the identity of a test: GET \/stray\n/);
    });
}

const playwright = `
    import { expect, test } from "stuntdouble-server/playwright";
    const get = async (mock, path) => (await fetch(mock.url + path)).status;
    for (let n = 0; n < 10; n++) {
        test("own " + n, async ({ stuntdouble, stuntdoubleServer }) => {
            await stuntdouble.stub("GET /same", { json: { n } });
            expect((await (await fetch(stuntdouble.url + "/same")).json()).n).toBe(n);
            expect(await get(stuntdouble, "/all")).toBe(200);
            if (n < 2) await fetch(stuntdoubleServer.url + "/stray/" + n);
            await stuntdouble.verify("GET /same", { count: 1 });
            console.error("server " + stuntdoubleServer.url);
        });
    }
    test("headers", async ({ extraHTTPHeaders }) => {
        expect(extraHTTPHeaders).toEqual({ baggage: "a=b", "X-A": "a" });
    });
    test("stray", async ({ stuntdouble, stuntdoubleServer }) => {
        for (let n = 0; n < 2; n++) await fetch(stuntdoubleServer.url + "/all?of=app");
        await get(stuntdouble, "/same");
    });
    test("stray by itself", async ({ stuntdouble, stuntdoubleServer }) => {
        await fetch(stuntdoubleServer.url + "/all?of=app");
        expect(1).toBe(2);
    });
    test("no stray", async ({ stuntdouble, stuntdoubleServer }) => {
        await fetch(stuntdoubleServer.url + "/all?of=app");
    });
    test("unmatched", async ({ stuntdouble }) => {
        expect(await get(stuntdouble, "/same")).toBe(404);
    });
    test("favicon", async ({ stuntdouble }) => {
        expect(await get(stuntdouble, "/favicon.ico")).toBe(404);
    });
    test("by itself", async ({ stuntdouble }) => {
        await get(stuntdouble, "/all");
        expect(1).toBe(2);
    });
    test.fail("expected to fail", async ({ stuntdouble }) => {
        expect(1).toBe(2);
    });
`;

test("Playwright: the identity goes to the application and the daemon, and nowhere else", () => {
    const child = run([join(folder, "node_modules/@playwright/test/run.js"), "--use", JSON.stringify({
        baseURL: "http://localhost:3000/app", extraHTTPHeaders: { Baggage: "a=b", "X-A": "a" },
    })], "identity.spec.mjs", `
        import { carryIdentity, expect, test } from "stuntdouble-server/playwright";
        const names = ["x-stuntdouble-session", "baggage"];
        /** The two headers of what was sent, by lower-case names. */
        const of = (headers) => Object.entries(headers).filter(([name]) => names.includes(name.toLowerCase())).map(([name, value]) => name + ": " + value).sort();
        const own = ({ id }) => ["X-StuntDouble-Session: " + id, "baggage: a=b, stuntdouble-session=" + id];
        const meant = ({ serverUrl, url }) => ["/page", "http://localhost:3000/x", "http://127.0.0.1:3000/", serverUrl + "/y", url + "/z"];
        const others = ["https://fonts.example/a", "http://localhost:3001/", "https://localhost:3000/", "http://localhost.evil:3000/", "http://app.example/?http://localhost:3000/"];
        async function check(context, session) {
            for (const address of meant(session)) {
                const { headers, stops } = await context.sent(address, { "X-Own": "1" });
                expect([address, stops, ...of(headers)]).toEqual([address, 1, ...own(session)]);
                expect([headers["x-a"], headers["x-own"]]).toEqual(["a", "1"]);
            }
            for (const address of others) {
                const { headers, stops } = await context.sent(address);
                expect([address, stops, ...of(headers)]).toEqual([address, 0, "baggage: a=b"]);
            }
        }
        async function checkFetch(api, session) {
            for (const address of meant(session)) {
                expect(of((await api.get(address)).headers).filter((line) => !line.startsWith("Baggage"))).toEqual(own(session));
            }
            const request = { url: () => "http://localhost:3000/again", headers: () => ({ "x-own": "1" }) };
            expect((await api.fetch(request)).headers["x-own"]).toBe("1");
            for (const address of others) expect(of((await api.get(address)).headers)).toEqual(["Baggage: a=b"]);
        }
        test("the context", async ({ page, context, stuntdouble }) => {
            await check(context, stuntdouble);
            await checkFetch(page.request, stuntdouble);
        });
        test("the request", async ({ request, stuntdouble }) => checkFetch(request, stuntdouble));
        const options = { baseURL: "http://localhost:3000", extraHTTPHeaders: { Baggage: "a=b", "X-A": "a" } };
        test("a context of its own", async ({ browser, stuntdouble }) => check(await browser.newContext(options), stuntdouble));
        test("a context that is carried on", async ({ context, stuntdouble, stuntdoubleServer }) => {
            const other = await stuntdoubleServer.session({ name: "other" });
            await carryIdentity(context, other, options);
            const { headers } = await context.sent("http://localhost:3000/x");
            expect(of(headers)).toEqual(own(other));
            await other.end();
        });
        test("no mock", async ({ browser }) => {
            const { headers } = await (await browser.newContext(options)).sent("/x");
            expect(of(headers)).toEqual(["baggage: a=b"]);
        });
    `);
    const found = results(child);
    const bad = Object.values(found).filter(({ status }) => status !== "passed");
    assert.deepEqual(bad, []);
    assert.equal(Object.keys(found).length, 5);
});

for (const setup of [undefined, "stuntdouble-server/playwright-setup"]) {
    test(`Playwright, two workers${setup ? " with one daemon" : " with a daemon each"}`, () => {
        const use = { stuntdoubleMocks: "mocks", extraHTTPHeaders: { baggage: "a=b", "X-A": "a" } };
        const words = [join(folder, "node_modules/@playwright/test/run.js"), "--workers", "2", "--use", JSON.stringify(use)];
        const child = run([...words, ...(setup ? ["--setup", setup] : [])], "playwright.spec.mjs", playwright);
        const found = results(child);
        const failed = Object.values(found).filter(({ status }) => status === "failed").map(({ title }) => title);
        const expected = ["by itself", "expected to fail", "stray", "stray by itself", "unmatched"];
        assert.deepEqual(failed.sort(), expected, JSON.stringify(found, null, 1));
        assert.equal(Object.keys(found).length, 18);
        // Two workers that share a daemon see each other's.
        const stray = /without the identity of a test[^]* {2}GET \/all\?of=app: answered by .*all\.yaml:1/;
        assert.match(found.stray.errors[0], stray);
        assert.match(found.stray.errors[0].toLowerCase(), /came while this test ran/);
        assert.match(found["stray by itself"].attachments[0].body, stray);
        assert.deepEqual(new Set(Object.values(found).map(({ worker }) => worker)), new Set([0, 1]));
        assert.match(found.unmatched.errors[0], /GET \/same/);
        assert.match(found["by itself"].attachments[0].body, /requests of this test: 1\n {2}GET \/all → 200/);
        assert.deepEqual(found["expected to fail"].attachments, []);
        const servers = new Set(child.stderr.match(/server \S+/g));
        assert.equal(servers.size, setup ? 1 : 2);
        assert.match(child.stderr, /nothing answered what came to http\S+ without the identity of a test: GET \/stray\/[01]/);
    });
}
