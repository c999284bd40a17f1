// The JavaScript API against a daemon: STUNTDOUBLE_BINARY=… node --test packaging/npm/tests/*.test.mjs
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { project } from "./load.mjs";

const folder = project();
const require = createRequire(join(folder, "x.js"));
const { AdminError, StartError, VerificationError, start } = require("stuntdouble-server");

delete process.env.STUNTDOUBLE_URL;
const mocks = mkdtempSync(join(tmpdir(), "stuntdouble-mocks-"));
let server;

before(async () => {
    writeFileSync(join(mocks, "shared.yaml"), "GET /shared: { body: shared }\n");
    server = await start({ mocks });
});
after(async () => {
    await server.stop();
    rmSync(mocks, { recursive: true });
});

async function get(url, options) {
    const answer = await fetch(url, options);
    return [answer.status, await answer.text()];
}

/** A test with a session. */
function withSession(name, body) {
    test(name, async () => {
        const mock = await server.session({ name });
        try {
            await body(mock);
        } finally {
            await mock.end();
        }
    });
}

withSession("a stub is a route", async (mock) => {
    await mock.stub("GET /users/{id}", { json: { id: "{{path.id}}" }, status: 203 });
    assert.deepEqual(await get(`${mock.url}/users/7`), [203, '{"id":"7"}']);
    await mock.stub("GET /null", { json: null });
    assert.deepEqual(await get(`${mock.url}/null`), [200, "null"]);
    await mock.stub("GET /bytes", { body: new Uint8Array([65, 66]) });
    assert.deepEqual(await get(`${mock.url}/bytes`), [200, "AB"]);
    await mock.stub("GET /text", { body: "ä" });
    assert.deepEqual(await get(`${mock.url}/text`), [200, "ä"]);
    await mock.stub("GET /nothing");
    assert.deepEqual(await get(`${mock.url}/nothing`), [200, ""]);
});

withSession("a stub is a mapping", async (mock) => {
    const stub = await mock.stub({ request: { url: "/a" }, response: { body: "a" } });
    assert.deepEqual(await get(`${mock.url}/a`), [200, "a"]);
    assert.deepEqual((await stub.mapping()).request, { url: "/a", method: "ANY" });
    await assert.rejects(mock.stub({ request: { url: "/a" } }, { status: 201 }), TypeError);
});

const mappings = [{ request: { url: "/a" }, response: { body: "a" } }, { request: { url: "/b" }, response: { body: "b" } }];
for (const given of [
    mappings, { mappings }, [{ "GET /a": { body: "a" } }, mappings[1]], [{ "GET /a": { body: "a" }, "GET /b": { body: "b" } }],
    { "GET /a": { body: new Uint8Array([97]) }, "GET /b": { body: "b" } },
]) {
    withSession(`several stubs in one call: ${JSON.stringify(given)}`, async (mock) => {
        const stubs = await mock.stub(given);
        assert.deepEqual([await get(`${mock.url}/a`), await get(`${mock.url}/b`)], [[200, "a"], [200, "b"]]);
        const [first, second] = stubs;
        await mock.verify(first, 1);
        await mock.verify(second, 1);
        await assert.rejects(mock.verify(stubs), /several stubs/);
        await first.remove();
        assert.equal((await get(`${mock.url}/a`))[0], 404);
        await (await mock.stub(given)).remove();
        assert.equal((await get(`${mock.url}/a`))[0], 404);
    });
}

withSession("several stubs stand in their order", async (mock) => {
    const routes = { "GET /1": {}, "GET /2": [{ when: { json: 1 } }, {}], "CRUD /books": { data: [] } };
    const stubs = [...(await mock.stub([{ request: { url: "/0" } }, routes, { request: { url: "/9" } }]))];
    const patterns = await Promise.all(stubs.map((stub) => stub.pattern()));
    assert.deepEqual(patterns.slice(0, 4).map(({ url, urlPath }) => url ?? urlPath), ["/0", "/1", "/2", "/2"]);
    assert("bodyPatterns" in patterns[2] && patterns.at(-1).url === "/9" && stubs.length > 6);
});

withSession("of several stubs with a mistake none is added", async (mock) => {
    await assert.rejects(mock.stub({ "GET /a": {}, "GET /b": { stauts: 200 } }), /^AdminError: \["GET \/b"\]\.stauts: .*did you mean "status"/);
    assert.equal((await get(`${mock.url}/a`))[0], 404);
});

withSession("a list of responses is tried in its order", async (mock) => {
    const orders = await mock.stub("POST /orders", [{ when: { json: { n: 1 } }, status: 201, body: Buffer.from("one") }, { status: 422 }]);
    assert.deepEqual(await get(`${mock.url}/orders`, { method: "POST", body: '{"n": 1}' }), [201, "one"]);
    assert.equal((await get(`${mock.url}/orders`, { method: "POST", body: "{}" }))[0], 422);
    await mock.verify(orders, 2);
    await orders.remove();
    assert.equal((await get(`${mock.url}/orders`, { method: "POST", body: "{}" }))[0], 404);
    await assert.rejects(mock.stub("GET /users", [{ id: 1 }]), /\{ json: \[…\] \}$/);
});

withSession("a call of the admin API has its prefix or not", async (mock) => {
    for (const path of ["/scenarios", "scenarios", "/__admin/scenarios", "__admin/scenarios", "/scenarios?_=1"]) {
        assert.deepEqual(await mock.admin("GET", path), { scenarios: [] }, path);
    }
    await assert.rejects(mock.admin("GET", "/none"), /\/__admin\/none/);
    assert.match(await mock.admin("GET", "/docs"), /<html/);
});

withSession("the last stub wins, and the one before stays", async (mock) => {
    await mock.stub("GET /a", { body: "first" });
    const second = await mock.stub("GET /a", { body: "second" });
    assert.deepEqual(await get(`${mock.url}/a`), [200, "second"]);
    await second.remove();
    assert.deepEqual(await get(`${mock.url}/a`), [200, "first"]);
});

for (const [key, sent] of [
    ["GET /plain", "/plain?any=1"],
    ["GET /users/{id}", "/users/1"],
    ["GET /files/**", "/files/a/b"],
    ["GET ~/v[12]/.*", "/v2/x"],
    ["GET|POST /both", "/both"],
    ["ANY /any", "/any"],
    ["GET /q?a=1+2&b={any}&c", "/q?a=1+2&b=x&c="],
]) {
    withSession(`a key means the same in stub and verification: ${key}`, async (mock) => {
        const stub = await mock.stub(key, { body: "x" });
        assert.equal((await get(mock.url + sent))[0], 200);
        await get(`${mock.url}/other`);
        await mock.verify(key, { count: 1 });
        await mock.verify(stub, { count: 1 });
        assert.deepEqual((await mock.requests(key)).map((request) => request.url), [sent]);
    });
}

withSession("a key is read as the daemon reads it", async (mock) => {
    const { patternOf } = require(join(folder, "node_modules/stuntdouble-server/lib/patterns.js"));
    for (const key of [
        "GET /users", "GET /users/{id}.json", "GET /files/**", "GET   /x", "GET /a?", "GET ~/v[12]/.*", "GET =/search?q=x",
        "GET =/search", "GET =~/search\\?.*", "GET|HEAD /users", "PURGE /x", "GET /straße/{straße}", "GET /a b", 'GET /"<>^|',
        "GET =/straße?q=ü", "GET /s?q=a&q=b", "GET /s?q={any}&q=b&r", "GET /s?q=a+b%20c&é=ü", "GET /s?q=", "GET /a%20b",
    ]) {
        assert.deepEqual(patternOf(key), (await (await mock.stub(key)).mapping()).request, key);
    }
});

withSession("what is no key is told", async (mock) => {
    for (const [key, said] of [
        ["/users", "did you mean 'GET /users'"], ["get /users", "did you mean 'GET /users'"], ["GET users", "expected a path"],
        ["GET", "expected METHOD"], ["GET /a#b", "no '#'"], ["GET /{", "expected {name}"], ["CRUD /users", "many routes"],
        ["GET /s?q=a{b}", "{any}"], ["GET /a%zz", "%25"],
    ]) {
        await assert.rejects(mock.verify(key), (error) => error instanceof TypeError && error.message.includes(said), key);
    }
});

withSession("what is not understood is not passed over", async (mock) => {
    await get(`${mock.url}/a`);
    await mock.verify("GET /a", 1);
    await assert.rejects(mock.verify("GET /a", 2), /expected exactly 2, received 1/);
    for (const [name, meant] of [
        ["times", "count"], ["exactly", "count"], ["coutn", "count"], ["atleast", "atLeast"], ["at_least", "atLeast"], ["max", "atMost"],
        ["timeout", "within"], ["withn", "within"],
    ]) {
        const text = `verify(what, options): expected count, atLeast, atMost, within; found '${name}'; did you mean '${meant}'?`;
        await assert.rejects(mock.verify("GET /a", { [name]: 2 }), { name: "TypeError", message: text });
    }
    await assert.rejects(mock.verify("GET /a", { foo: 2 }), /expected count, atLeast, atMost, within; found 'foo'$/);
    await assert.rejects(mock.verifyInOrder("GET /a", "GET /b"), /expected a list, found "GET \/a"/);
    await assert.rejects(mock.verifyOnly("GET /a"), /expected a list/);
    await assert.rejects(mock.waitFor("GET /a", 2), /count, timeout/);
    await assert.rejects(mock.report({ failon: "unused" }), /did you mean 'failOn'/);
    await assert.rejects(mock.stub("GET /a", "text"), /expected a response such as .*found "text"/);
    for (const wrong of ["text", [], [1], [[{}]], null]) await assert.rejects(mock.stub("GET /a", wrong), /sequence.*list of responses/);
    for (const wrong of [7, null, [], {}]) await assert.rejects(mock.stub(wrong), /a mapping or a list of mappings/);
    await assert.rejects(start({ mock: "mocks" }), /did you mean 'mocks'/);
    await assert.rejects(server.session({ inherits: false }), /did you mean 'inherit'/);
});

withSession("more requests than the daemon shows at once", async (mock) => {
    for (let n = 0; n < 120; n++) await get(`${mock.url}/${n % 2 ? "odd" : "even"}/${n}`);
    const seen = (await mock.requests("GET /odd/{n}")).map((request) => request.url);
    assert.deepEqual(seen, Array.from({ length: 60 }, (_, n) => `/odd/${2 * n + 1}`));
});

withSession("a verification that fails shows what came nearest", async (mock) => {
    await get(`${mock.url}/user/1`);
    await assert.rejects(mock.verify("GET /users/1", { count: 2 }), (error) => {
        assert(error instanceof VerificationError);
        assert.match(error.message, /expected exactly 2, received 0[^]*near: #1 GET \/user\/1/);
        return true;
    });
});

withSession("verifications", async (mock) => {
    for (const path of ["/a", "/b", "/b"]) await get(mock.url + path);
    await mock.verify("GET /b", { atLeast: 1, atMost: 2 });
    await mock.verify("GET /c", { count: 0 });
    await mock.verifyInOrder(["GET /a", "GET /b"]);
    await mock.verifyOnly(["GET /a", "GET /b"]);
    assert.equal(await mock.count("GET /b"), 2);
    await assert.rejects(mock.verify("GET /b", { atMost: 1 }), VerificationError);
    await assert.rejects(mock.verifyInOrder(["GET /b", "GET /a"]), VerificationError);
    await assert.rejects(mock.verifyOnly(["GET /a"]), VerificationError);
});

withSession("waiting ends when the request is there", async (mock) => {
    const waiting = mock.waitFor("POST /late", { timeout: 30_000 });
    await get(`${mock.url}/late`, { method: "POST", body: '{"item":1}' });
    assert.deepEqual((await waiting)[0].json(), { item: 1 });
});

withSession("requests say what was sent and answered", async (mock) => {
    await mock.stub("POST /orders", { status: 201, name: "orders" });
    await get(`${mock.url}/orders?x=1`, { method: "POST", headers: { "X-Id": "7" }, body: "body" });
    await get(`${mock.url}/nothing`);
    const [first, second] = await mock.requests();
    assert.deepEqual([first.method, first.url, first.path, first.text], ["POST", "/orders?x=1", "/orders", "body"]);
    assert.deepEqual([first.status, first.matched, first.header("x-ID"), first.stub.name], [201, true, "7", "orders"]);
    assert.deepEqual([second.status, second.matched, second.stub], [404, false, undefined]);
    const [meant] = await mock.requests("POST /orders");
    assert.deepEqual([meant.status, meant.matched, meant.stub], [201, true, first.stub]);
    assert.match(await mock.journal(), /: 2\n {2}POST \/orders\?x=1 → 201\n {2}GET \/nothing → 404 \(unmatched\)$/);
});

test("sessions do not meet, and see what all see", async () => {
    const left = await server.session({ name: "left" });
    const right = await server.session({ name: "right", port: false });
    await left.stub("GET /same", { body: "left" });
    await right.stub("GET /same", { body: "right" });
    assert.deepEqual(await get(`${left.url}/same`), [200, "left"]);
    assert.deepEqual(await get(`${right.url}/same`), [200, "right"]);
    assert.deepEqual(await get(`${left.url}/shared`), [200, "shared"]);
    assert.deepEqual(await get(`${server.url}/same`, { headers: left.headers }), [200, "left"]);
    await left.end();
    await left.end();
    assert.equal((await get(`${server.url}/same`, { headers: left.headers }))[0], 410);
    await right.end();
});

test("a session has stubs of its own from files and folders", async () => {
    const own = mkdtempSync(join(tmpdir(), "stuntdouble-own-"));
    mkdirSync(join(own, "__files"));
    writeFileSync(join(own, "__files/a b.txt"), "from the file");
    writeFileSync(join(own, "a.yaml"), "GET /first: { file: a b.txt }\nGET /both: { body: a }\n");
    writeFileSync(join(own, "b.json"), '{"GET /both": {"body": "b"}}');
    const mock = await server.session({ inherit: false, mocks: own });
    assert.deepEqual(await get(`${mock.url}/first`), [200, "from the file"]);
    // As the daemon has it: the last file is tried first.
    assert.deepEqual(await get(`${mock.url}/both`), [200, "b"]);
    assert.equal((await get(`${mock.url}/shared`))[0], 404);
    await mock.end();
    rmSync(own, { recursive: true });
    await assert.rejects(server.session({ mocks: own }), /no stub file or folder: /);
});

withSession("a reset goes back to the beginning", async (mock) => {
    await mock.stub("GET /a", { body: "a" });
    await get(`${mock.url}/a`);
    await mock.reset();
    assert.deepEqual(await mock.requests(), []);
    assert.equal((await get(`${mock.url}/a`))[0], 404);
});

withSession("the report says what fails", async (mock) => {
    await mock.stub("GET /users/{id}", { json: {} });
    assert((await mock.report()).passed);
    await mock.check();
    assert.deepEqual((await mock.report({ failOn: "unused" })).reasons, ["unused"]);
    await get(`${mock.url}/user/1`);
    const report = await mock.report();
    assert.deepEqual([report.passed, report.reasons, report.served], [false, ["unmatched"], 1]);
    assert.match(report.text, /\/user\/1[^]*GET \/users\/\{id\}/);
    await assert.rejects(mock.check(), VerificationError);
    await mock.check({ failOn: "none" });
    await mock.check({ ignore: "/user/*" });
    await assert.rejects(mock.check({ failOn: "unmached" }), /expected of unmatched, unused/);
});

withSession("a function makes answers", async (mock) => {
    const answer = async (request) => ({
        status: 201,
        headers: { "X-Path": request.url, "X-Id": request.header("x-id") },
        json: { twice: request.json() * 2 },
    });
    const stub = await mock.handle("POST /double/{x}", answer, { when: { headers: { "X-Id": { matches: ".+" } } } });
    const options = { method: "POST", body: "21" };
    const answered = await fetch(`${mock.url}/double/a?b=c`, { ...options, headers: { "X-Id": "7" } });
    assert.deepEqual([answered.status, answered.headers.get("x-path"), answered.headers.get("x-id")], [201, "/double/a?b=c", "7"]);
    assert.deepEqual(await answered.json(), { twice: 42 });
    assert.equal((await get(`${mock.url}/double/a`, options))[0], 404);
    assert.equal((await mock.requests(stub))[0].status, 201);
    for (const [value, expected] of [
        [undefined, [200, ""]], ["ä", [200, "ä"]], [new Uint8Array([65]), [200, "A"]], [{ status: 404 }, [404, ""]], [{ json: null }, [200, "null"]],
    ]) {
        await mock.handle("GET /any", () => value);
        assert.deepEqual(await get(`${mock.url}/any`), expected);
    }
    assert.deepEqual(mock.handlerFailures, []);
    await mock.handle("GET /price", async () => (await get(`${mock.url}/any`))[1]);
    assert.deepEqual(await get(`${mock.url}/price`), [200, "null"]);
});

for (const [key, sent, variables, query] of [
    ["GET /users/{id}", "/users/a%20b?x=1&x=2&y=", { id: "a b" }, "x=1&x=2&y="],
    ["GET /straße/{nr}/**?q={any}", "/stra%C3%9Fe/%C3%A9.1/x/y?q=a+b", { nr: "é.1" }, "q=a+b"],
    ["GET /img/{name}.{kind}", "/img/a.b.png", { name: "a.b", kind: "png" }, ""],
    ["GET ~/v[12]/.*", "/v1/x", {}, ""],
    ["GET =/x?a=1", "/x?a=1", {}, "a=1"],
]) {
    withSession(`a function gets the variables of its path and the query: ${key}`, async (mock) => {
        await mock.handle(key, ({ variables, query }) => ({ json: [variables, String(query)] }));
        assert.deepEqual(JSON.parse((await get(mock.url + sent))[1]), [variables, query]);
    });
}

withSession("what a function throws makes the verdict bad", async (mock) => {
    await mock.handle("GET /wrong", () => ({ jsn: 1 }));
    await mock.handle("GET /throws", async () => assert.equal(1, 2));
    assert.equal((await get(`${mock.url}/wrong`))[0], 500);
    assert.equal((await get(`${mock.url}/throws`))[0], 500);
    assert.match(mock.handlerFailures[0], /the handler of GET \/wrong failed: TypeError: .*found 'jsn'/);
    await assert.rejects(mock.check(), /the handler of GET \/throws failed: AssertionError/);
    await assert.rejects(mock.handle("GET /a", { json: 1 }), /a function/);
});

withSession("a collection is several stubs", async (mock) => {
    const users = await mock.stub("CRUD /users", { data: [{ id: 1, name: "Ada" }] });
    assert.deepEqual(await get(`${mock.url}/users/1`), [200, '{"id":1,"name":"Ada"}']);
    await mock.verify("GET /users/{id}", 1);
    await assert.rejects(mock.verify(users, 1), /name the request/);
    assert(users.length === [...users].length && users.length > 2);
    await users.remove();
    assert.deepEqual([(await get(`${mock.url}/users/1`))[0], (await get(`${mock.url}/users`))[0]], [404, 404]);
});

test("a handler does not keep the process", () => {
    const program = `require("stuntdouble-server").start().then(async (server) => {
        const mock = await server.session();
        await mock.handle("GET /a", () => "a");
        console.log(await (await fetch(mock.url + "/a")).text());
    })`;
    const child = spawnSync(process.execPath, ["-e", program], { cwd: folder, encoding: "utf8", timeout: 60_000 });
    assert.deepEqual([child.status, child.stdout], [0, "a\n"]);
});

withSession("a refused call names the fix", async (mock) => {
    await assert.rejects(mock.stub("GET /a", { stauts: 200 }), (error) => {
        assert(error instanceof AdminError);
        assert.equal(error.status, 422);
        assert.match(error.message, /^\["GET \/a"\]\.stauts: unknown key .*did you mean "status"/);
        return true;
    });
});

test("the daemon says why it does not start", async () => {
    const bad = mkdtempSync(join(tmpdir(), "stuntdouble-bad-"));
    writeFileSync(join(bad, "bad.yaml"), "GET /a: { stauts: 200 }\n");
    await assert.rejects(start({ mocks: bad }), (error) => error instanceof StartError && /did you mean "status"/.test(error.message));
    await assert.rejects(start({ binary: join(bad, "none") }), /cannot run .*none/);
    await assert.rejects(start({ args: ["--version"] }), /ended with status 0 and serves nothing:\nstuntdouble [0-9]/);
    writeFileSync(join(bad, "another"), "#!/bin/sh\necho I am another; echo and say so >&2; exit 3\n", { mode: 0o755 });
    await assert.rejects(start({ binary: join(bad, "another") }), /ended with status 3 and serves nothing:\nI am another\nand say so/);
    rmSync(bad, { recursive: true });
});

test("a running daemon is used and not ended", async () => {
    const same = await start({ url: server.url });
    const mock = await same.session();
    assert.deepEqual(await get(`${mock.url}/shared`), [200, "shared"]);
    assert(!mock.url.startsWith(server.url));
    await mock.end();
    await same.stop();
    assert.equal((await get(`${server.url}/shared`))[0], 200);
    await assert.rejects((await start({ url: "http://127.0.0.1:1" })).session(), /no answer/);
});

test("a server that is another is told", async () => {
    const other = createServer((request, response) => response.writeHead(404).end());
    await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
    const same = await start({ url: `http://127.0.0.1:${other.address().port}` });
    await assert.rejects(same.session(), (error) => error instanceof AdminError && /has no sessions, so it is no Stunt Double/.test(error.message));
    other.close();
});

test("a session of a daemon whose ports cannot be reached has a path", async () => {
    const far = createServer((request, response) => response.end('{"id":"s1","port":1,"url":"http://127.0.0.1:1"}'));
    await new Promise((resolve) => far.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${far.address().port}`;
    assert.equal((await (await start({ url })).session()).url, `${url}/__session/s1`);
    far.close();
});

test("a session of one of several replicas has a path", async () => {
    const replica = createServer((request, response) => {
        let body = "";
        request.on("data", (data) => (body += data)).on("end", () => {
            const asksForPort = "port" in JSON.parse(body || "{}");
            response.writeHead(asksForPort ? 422 : 201);
            response.end(asksForPort ? '{"errors":[{"code":10,"title":"no port"}]}' : `{"id":"s1","port":null,"url":"http://${request.headers.host}/__session/s1"}`);
        });
    });
    await new Promise((resolve) => replica.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${replica.address().port}`;
    assert.equal((await (await start({ url })).session()).url, `${url}/__session/s1`);
    await assert.rejects((await start({ url })).session({ httpsPort: 0 }), (error) => error instanceof AdminError && error.status === 422);
    replica.close();
});

test("a process that is done ends, and its daemon with it", async () => {
    const program = 'require("stuntdouble-server").start().then((server) => console.log(server.pid))';
    const child = spawnSync(process.execPath, ["-e", program], { cwd: folder, encoding: "utf8", timeout: 60_000 });
    assert.equal(child.status, 0, child.stderr);
    await ended(Number(child.stdout));
});

test("the daemon ends with a process that is killed", async () => {
    const program = 'require("stuntdouble-server").start().then((server) => { console.log(server.pid); setInterval(() => {}, 1e6) })';
    const child = spawn(process.execPath, ["-e", program], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const pid = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(Number(data))));
    child.kill("SIGKILL");
    await ended(pid);
});

test("an interrupt at the terminal leaves the daemon to whoever cleans up", async () => {
    // A terminal sends it to the whole group of processes.
    const program = `require("stuntdouble-server").start().then((server) => {
        process.on("SIGINT", async () => {
            await (await server.session()).end();
            console.log("answered");
            process.exit();
        });
        console.log("ready");
        setInterval(() => {}, 1e6);
    })`;
    const child = spawn(process.execPath, ["-e", program], { cwd: folder, stdio: ["ignore", "pipe", "inherit"], detached: true });
    const said = () => new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));
    assert.equal(await said(), "ready");
    process.kill(-child.pid, "SIGINT");
    assert.equal(await said(), "answered");
});

/** Resolves when a process has ended, and rejects after half a minute. */
async function ended(pid) {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 10))) {
        try {
            process.kill(pid, 0);
        } catch {
            return;
        }
        // One that nobody has waited for is a zombie; /proc says so.
        if (spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout?.startsWith("Z")) return;
    }
    assert.fail(`the daemon ${pid} still runs`);
}

test("the command is the daemon, with its status and signals", async () => {
    const command = join(folder, "node_modules/stuntdouble-server/bin/stuntdouble.js");
    assert.match(spawnSync(process.execPath, [command, "--version"], { encoding: "utf8" }).stdout, /^stuntdouble /);
    assert.equal(spawnSync(process.execPath, [command, "--no-such-option"]).status, 2);
    const running = spawn(process.execPath, [command, mocks, "--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
    await new Promise((resolve) => running.stdout.once("data", resolve));
    running.kill("SIGTERM");
    assert.equal(await new Promise((resolve) => running.once("exit", resolve)), 0);
});

test("without a package for the platform the command says what to do", () => {
    const command = join(folder, "node_modules/stuntdouble-server/bin/stuntdouble.js");
    // From a folder without any node_modules, so that none has the platform's package.
    const copied = mkdtempSync(join(tmpdir(), "stuntdouble-alone-"));
    spawnSync("cp", ["-RL", join(folder, "node_modules/stuntdouble-server"), copied]);
    rmSync(join(copied, "stuntdouble-server/bin/stuntdouble"), { force: true });
    const env = { PATH: "/nowhere", HOME: copied };
    const failed = spawnSync(process.execPath, [join(copied, "stuntdouble-server/bin/stuntdouble.js")], { env, encoding: "utf8" });
    assert.equal(failed.status, 1, command);
    assert.match(failed.stderr, /stuntdouble-server-\S+ is not installed.*--omit=optional.*STUNTDOUBLE_BINARY/);
    rmSync(copied, { recursive: true });
});
