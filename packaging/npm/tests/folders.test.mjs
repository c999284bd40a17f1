// A folder of stubs is the same by every way: served by a daemon, or loaded into a session.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { get as httpGet } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { here, project } from "./load.mjs";

const { AdminError, StuntDoubleError, start } = createRequire(join(project(), "x.js"))("stuntdouble-server");
delete process.env.STUNTDOUBLE_URL;
const route = (body) => `GET /x: { body: ${body} }\n`;
const folders = {
    "the last name wins": { "a.yaml": route("a"), "b.yaml": route("b") },
    "names in the order of their bytes": { "a/b.yaml": route("inner"), "a-b.yaml": route("outer"), "B.yaml": route("B") },
    "endings in capitals": { "A.YAML": route("a"), "b.Json": '{"GET /b": {"body": "b"}}', "c.txt": "GET /c: {}" },
    "mappings, and nothing beside it": { "mappings/a.yaml": route("a"), "b.yaml": route("b"), "__files/f.txt": "f" },
    "what is left out": { ".a.yaml": route("a"), "node_modules/b.yaml": route("b"), "c/__files/d.yaml": route("d") },
    "what has no stubs": { "a.yaml": "", "b.yaml": "# nothing yet\n", "c.json": " \n", "package.json": '{"version": "1"}', "d.yaml": route("d") },
    "cors for the folder": { "a.yaml": route("a"), "cors.yaml": "cors: true\n" },
    "cors for a folder within": { "a.yaml": "GET /y: {}\n", "in/b.yaml": route("b"), "in/c.yaml": "cors: { origins: [\"http://page\"] }\n" },
    "cors alone": { "cors.yaml": "cors: true\n" },
    "sets of faults": { "a.yaml": route("a"), "faults.yaml": "chaos: { slow: [{ delay: 1ms }], down: [{ status: 503 }] }\n" },
};
const own = mkdtempSync(join(tmpdir(), "stuntdouble-folders-"));
let server;
let number = 0;

before(async () => {
    server = await start();
});
after(async () => {
    await server.stop();
    rmSync(own, { recursive: true });
});

function written(files) {
    const folder = join(own, String(++number));
    for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
    }
    return folder;
}

/** `fetch` sends no `Origin`. */
function get(url) {
    return new Promise((resolve, reject) => {
        httpGet(url, { headers: { Origin: "http://page" }, agent: false }, (answer) => {
            let text = "";
            answer.on("data", (data) => (text += data));
            answer.on("end", () => {
                const { statusCode: status, headers } = answer;
                resolve([status, headers["access-control-allow-origin"], status === 200 ? text : ""]);
            });
        }).on("error", reject);
    });
}

/** What a folder has made of a daemon or a session. */
async function seen(mock) {
    const answers = await Promise.all(["/x", "/y", "/none"].map((path) => get(mock.url + path)));
    const { mappings } = await mock.admin("GET", "/mappings");
    return { answers, ids: mappings.map(({ id }) => id), sets: (await mock.admin("GET", "/faults")).sets };
}

const example = join(here, "../../../Examples/WebShop/mocks");
for (const [name, files] of [...Object.entries(folders), ["the example", undefined]]) {
    test(`a folder is the same served and loaded: ${name}`, { skip: !files && process.env.STUNTDOUBLE_PACKAGE }, async () => {
        const folder = files ? written(files) : example;
        const other = await start({ mocks: folder });
        const mock = await server.session({ mocks: folder });
        try {
            const served = await seen(other.shared);
            assert.deepEqual(await seen(mock), served);
            await mock.stub("GET /x", { body: "another" });
            await mock.reset();
            assert.deepEqual(await seen(mock), served);
        } finally {
            await mock.end();
            await other.stop();
        }
    });
}

test("links are followed, but for circles", async () => {
    const folder = written({ "real/a.yaml": route("a"), "mocks/b.yaml": "GET /y: {}\n" });
    symlinkSync("../real", join(folder, "mocks/linked"));
    symlinkSync("..", join(folder, "mocks/circle"));
    symlinkSync("nowhere.yaml", join(folder, "mocks/c.yaml"));
    const mock = await server.session({ mocks: join(folder, "mocks") });
    assert.equal((await get(`${mock.url}/x`))[2], "a");
    await mock.end();
});

test("a file with errors has its valid stubs where the daemon keeps going", async () => {
    const folder = written({ "shop/a.yaml": "GET /x: { body: a }\nGET /y: { boddy: b }\n" });
    const other = await start({ args: ["--keep-going"] });
    const warned = [];
    const warn = ({ message }) => warned.push(message);
    process.on("warning", warn);
    try {
        for (const mocks of [join(folder, "shop"), join(folder, "shop/a.yaml")]) {
            const said = (error) => error instanceof AdminError && /a\.yaml:2:\d+: error: .*did you mean "body"/.test(error.message);
            await assert.rejects(server.session({ mocks }), said);
            const mock = await other.session({ mocks });
            assert.equal((await get(`${mock.url}/x`))[2], "a");
            await mock.end();
        }
        await new Promise((resolve) => setImmediate(resolve));
        assert(warned.some((text) => /a\.yaml:2:\d+: error: /.test(text)), warned.join("\n"));
    } finally {
        process.off("warning", warn);
        await other.stop();
    }
});

test("a path that is not there has a guess", async () => {
    const folder = written({ "mocks/users.yaml": route("a"), "in/other/test.js": "" });
    for (const [given, meant] of [["mock", "mocks"], ["mocks/user.yaml", "mocks/users.yaml"], ["in/mocks", "mocks"]]) {
        await assert.rejects(server.session({ mocks: join(folder, given) }), (error) =>
            error instanceof StuntDoubleError && error.message === `no stub file or folder: ${join(folder, given)}; did you mean ${join(folder, meant)}?`);
    }
});
