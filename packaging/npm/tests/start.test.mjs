// What can go wrong between the start of a program and the daemon's address, and what errors tell of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { createRequire } from "node:module";
import { get as getSecurely } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, test } from "node:test";
import { inspect } from "node:util";
import { project } from "./load.mjs";

const folder = project();
const require = createRequire(join(folder, "x.js"));
const { AdminError, StartError, start } = require("stuntdouble-server");
const inside = (name) => require(join(folder, "node_modules/stuntdouble-server/lib", name));
const { withoutSecrets } = inside("secrets.js");
const { limits } = inside("starting.js");
const { startMilliseconds } = limits;

delete process.env.STUNTDOUBLE_URL;
const scratch = mkdtempSync(join(tmpdir(), "stuntdouble-start-"));
/** Where the folders of servers are made, which are to be gone with them. */
const temporary = join(scratch, "temporary");
mkdirSync(temporary);
process.env.TMPDIR = temporary;
after(() => rmSync(scratch, { recursive: true }));
afterEach(() => {
    limits.startMilliseconds = startMilliseconds;
    assert.deepEqual(readdirSync(temporary), []);
    for (const name of ["process", "back"]) rmSync(join(scratch, name), { force: true });
});

/** A program in the daemon's place: its lines have the path of the port file in `$5`. */
function program(lines) {
    const path = join(scratch, "program");
    writeFileSync(path, `#!/bin/sh\necho $$ >'${scratch}/process'\n${lines.replaceAll("BACK", `'${scratch}/back'`)}\n`, { mode: 0o755 });
    return path;
}

/** Resolves when the process in a file of the scratch folder has ended, and rejects after half a minute. */
async function ended(name) {
    const pid = Number(readFileSync(join(scratch, name), "utf8"));
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 10))) {
        try {
            process.kill(pid, 0);
        } catch {
            return;
        }
        if (spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout?.startsWith("Z")) return;
    }
    assert.fail(`the process ${pid} still runs`);
}

async function failure(options) {
    const error = await start(options).then((server) => server.stop(), (error) => error);
    assert(error instanceof StartError, inspect(error));
    return error;
}

const secrets = [
    [["--https-keystore", "/none.p12", "--keystore-password", "S3cretPw"], "--https-keystore /none.p12 --keystore-password …"],
    [["--keystore-password=S3cretPw"], "--keystore-password=…"],
    [["--key-manager-password", "S3cretPw"], "--key-manager-password …"],
    [["--ca-keystore", "ca.jks", "--ca-keystore-password", "S3cretPw"], "--ca-keystore ca.jks --ca-keystore-password …"],
    [["--truststore-password=S3cretPw"], "--truststore-password=…"],
    [["--admin-token", "S3cretPw", "--verbose"], "--admin-token … --verbose"],
    [["--admin-token=S3cretPw"], "--admin-token=…"],
    [["--admin-token", "-S3cretPw"], "--admin-token …"],
    [["--admin-api-basic-auth", "user:S3cretPw"], "--admin-api-basic-auth …"],
    [["--proxy-via", "user:S3cretPw@proxy:1"], "--proxy-via …"],
    [["--proxy-via=user:S3cretPw@proxy:port"], "--proxy-via=…"],
    [["--proxy-all", "https://user:S3cretPw@real.example/a", "--verbose"], "--proxy-all https://…@real.example/a --verbose"],
    [["--pass-through=user:S3cretPw@real"], "--pass-through=…@real"],
    [["--keystore-pass", "S3cretPw"], "--keystore-pass …"],
    [["--admin-tok=S3cretPw"], "--admin-tok=…"],
    [["--admin-tokne", "S3cretPw"], "--admin-tokne …"],
    [["-admin-token", "S3cretPw"], "-admin-token …"],
    [["--proxyvia", "user:S3cretPw@proxy"], "--proxyvia …"],
    [["--trust-store-password", "S3cretPw"], "--trust-store-password …"],
    [["--keystore-password", "--admin-token", "S3cretPw"], "--keystore-password --admin-token …"],
];
for (const [args, shown] of secrets) {
    test(`an error shows ${shown}`, async () => {
        const error = await failure({ args: [...args, "--no-such-option"] });
        assert(error.message.includes(`--exit-with-parent ${shown} --no-such-option ended with status`), error.message);
        assert(!inspect(error).includes("S3cret"), error.message);
        // Nor where what has run repeats them.
        const repeated = await failure({ args, binary: program('echo "given: $*"; for word; do echo "<$word>" >&2; done') });
        assert.match(repeated.message, /given: /);
        assert(!inspect(repeated).includes("S3cret"), repeated.message);
    });
}

test("what is no secret is shown", () => {
    for (const line of [
        "--port 80 -p 81 --https-keystore /a@b --ca-keystore ca.pem --keystore-type pem --truststore-type jks",
        "--https-truststore t.pem --admin-host h --admin-cors * --proxy-timeout 3 --proxy-pass-through --proxy-all http://h/users/@me",
        "--bind-address fe80::1 --pass-through http://h:80/a --admin-api-require-https --preserve-host-header --match-headers A",
    ]) {
        assert.deepEqual(withoutSecrets(line.split(" "), `said: ${line}`), { shown: line, text: `said: ${line}` });
    }
    const usual = withoutSecrets(["--keystore-password", "password"], "the password is wrong");
    assert.deepEqual(usual, { shown: "--keystore-password …", text: "the password is wrong" });
});

test("addresses in errors show no passwords", async () => {
    const server = await start({ url: "http://user:S3cretPw@127.0.0.1:1" });
    await assert.rejects(server.session(), (error) => error instanceof AdminError && /no answer/.test(error.message) && !error.message.includes("S3cret"));
    for (const url of ["user:S3cretPw@127.0.0.1:1", "http://user:S3cretPw@127.0.0.1:port", "http://user:S3cretPw/@127.0.0.1:1"]) {
        const refused = (error) => error instanceof TypeError && /expected an address such as .*, found/.test(error.message) && !inspect(error).includes("S3cret");
        await assert.rejects(start({ url }), refused, url);
    }
});

test("what is no address is refused", async () => {
    for (const url of [
        " ", "x", ":1", "//h", "ftp://h", "http:", "http://", "http:h", "http://h:65536", "http://h:x", "http://[::1", "http://h?a", "http://h/a?b",
        "http://h#a", "http://h\\@other", "http://h\\a", " http://h", "http://h\n", "http://h\nX: y", "http://h\tx", "http://h --x", "$(true)",
    ]) {
        await assert.rejects(start({ url }), { name: "TypeError", message: /^expected an address such as http:\/\/127.0.0.1:8080, found/ }, JSON.stringify(url));
    }
    for (const url of ["HTTP://127.0.0.1:1/", "https://[::1]:1", "http://wire_mock:1/__session/a", "http://a:b@127.0.0.1:1"]) {
        assert.equal((await start({ url })).url, url.replace(/\/$/, ""));
    }
});

const portFiles = [
    [': >"$5"', "nothing"],
    ['echo >"$5"', String.raw`"\n"`],
    [String.raw`printf '\377\376' >"$5"`, String.raw`"\xff\xfe"`],
    [String.raw`printf '\303\274' >"$5"`, String.raw`"\xc3\xbc"`],
    ['echo ready >"$5"', String.raw`"ready\n"`],
    ['echo 99999999 >"$5"', String.raw`"99999999\n"`],
    ['echo 65536 >"$5"', String.raw`"65536\n"`],
    ['echo 0 >"$5"', String.raw`"0\n"`],
    ['echo -1 >"$5"', String.raw`"-1\n"`],
    ['echo 1e3 >"$5"', String.raw`"1e3\n"`],
    [`echo ' 80' >"$5"`, String.raw`" 80\n"`],
    ['echo 80 81 >"$5"', String.raw`"80 81\n"`],
    ['echo 80/x >"$5"', String.raw`"80/x\n"`],
    [String.raw`printf '80\n@127.0.0.2:1\n' >"$5"`, String.raw`"80\n@127.0.0.2:1\n"`],
    [String.raw`printf '80\n81\n82\n' >"$5"`, String.raw`"80\n81\n82\n"`],
    ['mkfifo "$5"', "nothing"],
    ['mkdir "$5"', /EISDIR/],
];
for (const [write, found] of portFiles) {
    test(`a port file has ports alone: ${write}`, async () => {
        const { message } = await failure({ binary: program(`${write}\necho ready\nexec sleep 600`) });
        assert(found instanceof RegExp ? found.test(message) : message.endsWith(` and has ${found}`), message);
        await ended("process");
    });
}

test("a port file leads to no other server", async (t) => {
    if (!(await canListen("127.0.0.2"))) return t.skip("no 127.0.0.2 here");
    const other = createServer((_, response) => response.end());
    let asked = 0;
    other.on("connection", () => asked++);
    await new Promise((resolve) => other.listen(0, "127.0.0.2", resolve));
    const text = `@127.0.0.2:${other.address().port}`;
    const { message } = await failure({ binary: program(`echo ${text} >"$5"\necho ready\nexec sleep 600`), adminToken: "S3cretPw" });
    assert(message.endsWith(`"${text}\\n"`), message);
    assert.equal(asked, 0);
    other.close();
});

const hanging = [
    "exec sleep 600",
    "sleep 600 &\necho $! >BACK\nwait",
    "sleep 600 &\necho $! >BACK\nexec >&-\nwait",
    "trap '' TERM HUP INT\nsleep 600 &\necho $! >BACK\necho begun\nwhile :; do sleep 600; done",
    "exec yes",
];
for (const lines of hanging) {
    test(`a start that hangs ends with all that it has started: ${lines}`, async () => {
        limits.startMilliseconds = 2_000;
        assert.match((await failure({ binary: program(lines) })).message, /is not ready after 2 s:/);
        await ended("process");
        if (existsSync(join(scratch, "back"))) await ended("back");
    });
}

test("a server that takes connections and never answers is not waited for", async () => {
    const silent = createServer(() => {});
    await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
    limits.startMilliseconds = 1_000;
    const { port } = silent.address();
    const server = await start({ binary: program(`echo ${port} >"$5"\necho ready\nexec cat`) });
    assert.throws(() => server.ca, /no answer from the daemon: none within 1 s/);
    await server.stop();
    silent.closeAllConnections?.();
    silent.close();
});

test("nor is the port of a session that nobody answers at", async () => {
    const silent = createServer(() => {});
    await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const facts = JSON.stringify({ id: "s1", port: 1, url: `http://127.0.0.1:${silent.address().port}` });
    const far = createServer((request, response) => response.end(facts));
    await new Promise((resolve) => far.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${far.address().port}`;
    assert.equal((await (await start({ url })).session()).url, `${url}/__session/s1`);
    for (const server of [silent, far]) {
        server.closeAllConnections?.();
        server.close();
    }
});

test("a session's address leads to no other host", async (t) => {
    if (!(await canListen("127.0.0.2"))) return t.skip("no 127.0.0.2 here");
    const facts = { id: "s1", port: 1 };
    let asked = 0;
    const other = createServer((request, response) => response.end(JSON.stringify(facts)));
    other.on("connection", () => asked++);
    const far = createServer((request, response) => response.end(JSON.stringify(facts)));
    await new Promise((resolve) => other.listen(0, "127.0.0.2", resolve));
    await new Promise((resolve) => far.listen(0, "127.0.0.1", resolve));
    facts.url = `http://127.0.0.2:${other.address().port}`;
    const url = `http://127.0.0.1:${far.address().port}`;
    assert.equal((await (await start({ url, adminToken: "S3cretPw" })).session()).url, `${url}/__session/s1`);
    assert.equal(asked, 0);
    other.close();
    far.close();
});

for (const background of ["sleep 600", "yes"]) {
    test(`what ends is told though its output is held open by ${background}`, async () => {
        const { message } = await failure({ binary: program(`${background} &\necho $! >BACK\necho why >&2; exit 3`) });
        assert.match(message, /ended with status 3 and serves nothing:\n[^]*why/);
        await ended("back");
    });
}

const skip = spawnSync("setsid", ["true"]).status !== 0 && "no setsid here";
test("one that has left the group and holds the output open is not waited for", { skip }, async () => {
    limits.startMilliseconds = 2_000;
    const lines = `setsid sh -c 'echo $$ >"$0"; exec sleep 600' BACK &\nwhile ! [ -s BACK ]; do :; done\nwait`;
    try {
        assert.match((await failure({ binary: program(lines) })).message, /is not ready after 2 s:/);
    } finally {
        process.kill(Number(readFileSync(join(scratch, "back"), "utf8")), "SIGKILL");
    }
});

test("what cannot be an argument is told and not shown", async () => {
    const error = await failure({ args: ["--admin-token", "S3cret\0Pw"] });
    assert.match(error.message, /cannot run .*: an argument has a null byte$/);
    assert(!inspect(error).includes("S3cret"));
    assert.match((await failure({ binary: join(scratch, "none") })).message, /cannot run .*none/);
});

const addresses = [
    [[], "127.0.0.1"],
    [["--bind-address", "localhost"], "127.0.0.1"],
    [["--bind-address", "127.0.0.7"], "127.0.0.7"],
    [["--bind-address=127.0.0.7"], "127.0.0.7"],
    [["--bind-addr", "127.0.0.7,127.0.0.8"], "127.0.0.7"],
    [["--bind-address", "127.0.0.7", "--bind-address", "::1"], "127.0.0.7"],
    [["--bind-address", "::1"], "[::1]"],
    [["--bind-address", "[::1]"], "[::1]"],
    [["--bind-address=0:0:0:0:0:0:0:1"], "[::1]"],
    [["--bind-address", "0.0.0.0"], "127.0.0.1"],
    [["--bind-address", "::"], "[::1]"],
    [["--bind-address", "::0"], "[::1]"],
];
/** Whether this machine has the address, as some have no IPv6, and macOS of 127/8 one alone. */
function canListen(host) {
    return new Promise((resolve) => {
        const server = createSocketServer();
        server.once("error", () => resolve(false));
        server.listen(0, host, () => server.close(() => resolve(true)));
    });
}
for (const [args, host] of addresses) {
    test(`the url names ${host} of ${args.join(" ")}`, async (t) => {
        const needed = args.join(",").match(/127\.[0-9.]+|::1/g) ?? [args.at(-1)?.includes("::") ? "::" : "127.0.0.1"];
        for (const address of needed) if (!(await canListen(address))) return t.skip(`no ${address} here`);
        const server = await start({ args: [...args, "--https-port", "0"] });
        try {
            assert.equal(server.url, `http://${host}:${new URL(server.url).port}`);
            assert.equal(server.httpsUrl, `https://${host}:${new URL(server.httpsUrl).port}`);
            const session = await server.session();
            await session.stub("GET /a", { body: "a" });
            assert.equal(await (await fetch(`${session.url}/a`)).text(), "a");
            // Certificates name the usual addresses of this machine alone.
            const options = { ca: session.ca, checkServerIdentity: () => undefined, agent: false };
            const status = await new Promise((resolve, reject) => {
                getSecurely(`${session.httpsUrl}/a`, options, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
            });
            assert.equal(status, 200);
        } finally {
            await server.stop();
        }
    });
}

test("the address may be of the environment", async (t) => {
    if (!(await canListen("127.0.0.9"))) return t.skip("no 127.0.0.9 here");
    process.env.STUNTDOUBLE_BIND_ADDRESS = "127.0.0.9";
    try {
        for (const [args, host] of [[[], "127.0.0.9"], [["--bind-address", "127.0.0.8"], "127.0.0.8"]]) {
            const server = await start({ args });
            await server.stop();
            assert(server.url.startsWith(`http://${host}:`), server.url);
        }
    } finally {
        delete process.env.STUNTDOUBLE_BIND_ADDRESS;
    }
});
