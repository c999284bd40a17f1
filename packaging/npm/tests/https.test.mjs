// HTTPS from JavaScript: an address, or how to have one, and the authority as clients take it.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { project } from "./load.mjs";

const folder = project();
const { AdminError, StuntDoubleError, start } = createRequire(join(folder, "x.js"))("stuntdouble-server");

delete process.env.STUNTDOUBLE_URL;
// The authority is made where the daemon keeps it.
process.env.STUNTDOUBLE_STATE_DIR = mkdtempSync(join(tmpdir(), "stuntdouble-state-"));
after(() => rmSync(process.env.STUNTDOUBLE_STATE_DIR, { recursive: true }));

const clients = {
    "node:https": (mock) => request(`${mock.httpsUrl}/a`, { ca: mock.ca }),
    "an agent": (mock) => request(`${mock.httpsUrl}/a`, { agent: new https.Agent({ ca: mock.ca }) }),
    "fetch of a program of its own": async (mock) => {
        const program = "fetch(process.argv[1]).then(async (answer) => process.stdout.write(await answer.text()))";
        const env = { ...process.env, NODE_EXTRA_CA_CERTS: mock.caFile };
        return (await promisify(execFile)(process.execPath, ["-e", program, `${mock.httpsUrl}/a`], { env })).stdout;
    },
};

function request(url, options) {
    return new Promise((resolve, reject) => {
        https.get(url, options, async (answer) => resolve((await answer.toArray()).join(""))).on("error", reject);
    });
}

for (const [name, client] of Object.entries(clients)) {
    test(`${name}: a session with a port of its own`, async () => {
        const server = await start();
        const mock = await server.session({ httpsPort: 0 });
        await mock.stub("GET /a", { body: "a" });
        assert.equal(await client(mock), "a");
        await mock.verify("GET /a", 1);
        assert.equal(mock.ca, server.ca);
        await server.stop();
    });

    test(`${name}: any session of a daemon that serves HTTPS`, async () => {
        const server = await start({ args: ["--https-port", "0"] });
        assert.match(server.httpsUrl, /^https:\/\/127\.0\.0\.1:\d+$/);
        const sessions = [await server.session(), await server.session({ port: false }), server.shared];
        for (const [index, session] of sessions.entries()) await session.stub("GET /a", { body: String(index) });
        for (const [index, session] of sessions.entries()) assert.equal(await client(session), String(index));
        await server.stop();
    });
}

test("a client that is not told does not trust it", async () => {
    const server = await start();
    const mock = await server.session({ httpsPort: 0 });
    await assert.rejects(request(`${mock.httpsUrl}/a`, {}), /certificate|issuer/);
    await server.stop();
});

test("without HTTPS it says how", async () => {
    const server = await start();
    const mock = await server.session();
    for (const [wanted, said] of [
        [() => mock.httpsUrl, /httpsPort: 0.*--https-port 0/],
        [() => server.httpsUrl, /--https-port 0.*httpsPort: 0/],
        [() => mock.ca, /no authority.*httpsPort: 0/],
        [() => server.caFile, /no authority.*httpsPort: 0/],
    ]) {
        assert.throws(wanted, (error) => error instanceof StuntDoubleError && said.test(error.message));
    }
    // The authority is there once a session asks for it; it is that of the daemon, which runs already for another.
    const same = await start({ url: server.url });
    const second = await same.session({ httpsPort: 0 });
    assert.match(second.ca, /^-----BEGIN CERTIFICATE-----/);
    assert.equal(readFileSync(second.caFile, "utf8"), same.ca);
    await server.stop();
});

test("the file of the authority ends with the process", () => {
    const program = 'require("stuntdouble-server").start({ args: ["--https-port", "0"] }).then((server) => console.log(server.caFile))';
    const path = spawnSync(process.execPath, ["-e", program], { cwd: folder, encoding: "utf8" }).stdout.trim();
    assert.match(path, /ca\.pem$/);
    assert(!existsSync(dirname(path)));
});

test("a daemon by HTTPS that is not trusted says how", async () => {
    const server = await start({ args: ["--https-port", "0"] });
    const other = await start({ url: server.httpsUrl });
    await assert.rejects(other.session(), (error) => error instanceof AdminError && /NODE_EXTRA_CA_CERTS/.test(error.message));
    await server.stop();
});
