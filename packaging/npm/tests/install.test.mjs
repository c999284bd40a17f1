// The file that is handed out is all that npm needs. Any program of this system takes the daemon's place in it.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { here } from "./load.mjs";

const builder = join(here, "../build.py");
const found = (name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
const skip = (!existsSync(builder) && "the builder is not here") || (!found("python3") && "there is no python3") || (!found("npm") && "there is no npm");
const work = mkdtempSync(join(tmpdir(), "stuntdouble-install-"));
after(() => rmSync(work, { recursive: true }));

test("npm install of the file asks no registry, and the command is there by both names", { skip }, async () => {
    const words = ["-B", builder, "--binary", found("env"), "--version", "7.8.9", "--out", join(work, "out")];
    const built = spawnSync("python3", words, { encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
    const [file] = readdirSync(join(work, "out")).filter((name) => name.endsWith(".tgz"));
    assert.match(file, /^stuntdouble-server-7\.8\.9-[a-z]+-[a-z0-9]+\.tgz$/);

    const asked = [];
    const registry = createServer((request, response) => {
        asked.push(request.url);
        response.writeHead(404).end();
    });
    await new Promise((resolve) => registry.listen(0, "127.0.0.1", resolve));
    writeFileSync(join(work, "package.json"), '{ "name": "shop", "private": true }');
    // What npm asks for by itself, after any installation.
    const quiet = ["--no-audit", "--no-update-notifier"];
    const url = `http://127.0.0.1:${registry.address().port}`;
    const npm = spawn("npm", ["install", ...quiet, "--cache", join(work, "cache"), "--registry", url, join(work, "out", file)], {
        cwd: work, stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [npm.stdout, npm.stderr]) stream.on("data", (data) => (said += data));
    const status = await new Promise((resolve) => npm.once("close", resolve));
    registry.close();
    assert.equal(status, 0, said);
    assert.deepEqual(asked, []);
    assert.deepEqual(readdirSync(join(work, "node_modules/.bin")).sort(), ["stuntdouble", "stuntdouble-server"]);
    for (const name of ["stuntdouble", "stuntdouble-server"]) {
        const env = { PATH: process.env.PATH };
        assert.equal(spawnSync(join(work, "node_modules/.bin", name), [], { env, encoding: "utf8" }).status, 0);
    }
});

test("the packages to publish name each other by names that need no scope", { skip }, () => {
    const manifest = (name) => JSON.parse(readFileSync(join(work, "out/npm", name, "package.json"), "utf8"));
    const names = readdirSync(join(work, "out/npm")).sort();
    const [main, ofPlatform] = names;
    assert.equal(main, "stuntdouble-server");
    assert.equal(manifest(main).optionalDependencies[ofPlatform], "7.8.9");
    for (const name of [...names, ...Object.keys(manifest(main).optionalDependencies)]) assert.match(name, /^stuntdouble-server[a-z0-9-]*$/);
});
