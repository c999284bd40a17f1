// The examples of docs/javascript.md do what the page says. STUNTDOUBLE_DOCS is the folder of the pages, if it is not beside.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { here, project } from "./load.mjs";

const docs = process.env.STUNTDOUBLE_DOCS ?? join(here, "../../../docs");
const page = join(docs, "javascript.md");
const text = existsSync(page) ? readFileSync(page, "utf8") : "";
const fences = [...text.matchAll(/^```(js.*)\n([^]*?)^```/gm)].map(([, kind, text]) => ({ kind, text }));
const skip = fences.length === 0 && "the pages are not here";

const folder = project();
// The authority of HTTPS is made where the daemon keeps it.
const env = { ...process.env, XDG_STATE_HOME: join(folder, "state") };
for (const name of ["STUNTDOUBLE_URL", "STUNTDOUBLE_SHARED_URL", "NODE_TEST_CONTEXT", "NODE_OPTIONS"]) delete env[name];
const node = (...words) => {
    const done = spawnSync(process.execPath, words, { cwd: folder, env, encoding: "utf8", timeout: 120_000 });
    assert.equal(done.status, 0, done.stdout + done.stderr);
    return done.stdout;
};
if (!skip) cpSync(join(docs, "../mocks"), join(folder, "mocks"), { recursive: true });

test("the page has examples", { skip }, () => {
    assert(fences.filter(({ kind }) => kind === "js").length >= 3);
});

for (const [index, { kind, text }] of fences.entries()) {
    test(`example ${index + 1}, ${kind}`, { skip }, () => {
        const name = `example-${index}.${text.includes("test(") ? "test." : ""}mjs`;
        writeFileSync(join(folder, name), text);
        if (kind === "js") {
            const shown = node(...(text.includes("node:test") ? ["--test", "--test-reporter=tap"] : []), name);
            if (text.includes("node:test")) assert.match(shown, /# pass [1-9]\d*\n# fail 0/);
        } else if (kind === "js vitest" && text.includes("test(")) {
            assert.match(node(join(here, "standins/vitest/run.js"), name), /"state":"pass"/);
        } else {
            // Those that need a browser are run by `make verify-clients`, in a form of their own.
            node("--check", name);
        }
    });
}
