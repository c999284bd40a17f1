// node run.js [--setup MODULE] FILE: runs the tests of a file, and prints a line of JSON for each: { name, state, errors }.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import standin from "../fixtures.js";

const { Pool, dependencies, extended } = standin;
const words = process.argv.slice(2);
const setup = words[0] === "--setup" ? words.splice(0, 2)[1] : undefined;
const file = resolve(words[0]);
// As the tests see it.
const seenFrom = (name) => import(pathToFileURL(createRequire(file).resolve(name)));
const { tests, provided } = await seenFrom("vitest");
const values = {};
const tearDown = setup && (await (await seenFrom(setup)).default({ provide: (key, value) => (values[key] = value) }));
provided(values);
await import(pathToFileURL(file));
for (const { name, body, registrations } of tests) {
    const task = { name, result: { state: "run" } };
    const errors = [];
    const fail = (error) => {
        task.result.state = "fail";
        errors.push(error.message);
    };
    const pool = new Pool("test", undefined, {});
    const all = extended(registrations, { task });
    try {
        const given = {};
        for (const wanted of dependencies(body)) given[wanted] = await pool.get(all, all.get(wanted));
        await body(given);
    } catch (error) {
        fail(error);
    }
    for (const error of await pool.end()) fail(error);
    console.log(JSON.stringify({ name, state: task.result.state === "fail" ? "fail" : "pass", errors }));
    if (errors.length > 0) process.exitCode = 1;
}
await tearDown?.();
