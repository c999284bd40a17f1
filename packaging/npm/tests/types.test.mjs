// The types: stubs that the daemon takes compile, and what is misspelt in one does not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { here, project } from "./load.mjs";

// Of npm's package `typescript`, or Debian's `node-typescript`.
const tsc = spawnSync("sh", ["-c", "command -v tsc"], { encoding: "utf8" }).stdout.trim();

test("what a stub may say compiles, and a misspelt member or word does not", { skip: !tsc && "there is no tsc" }, () => {
    const folder = project();
    cpSync(join(here, "types/stubs.ts"), join(folder, "stubs.ts"));
    const compilerOptions = { strict: true, noEmit: true, target: "es2022", module: "node16", moduleResolution: "node16", lib: ["es2022", "dom"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["stubs.ts"] }));
    const done = spawnSync(tsc, ["-p", folder], { encoding: "utf8" });
    assert.equal(done.stdout + done.stderr, "");
    assert.equal(done.status, 0);
});
