"use strict";
// node run.js --workers 2 [--setup MODULE] [--use JSON] FILE: runs the tests of a file in several processes, and prints a line of
// JSON for each: { title, status, errors, attachments, worker }.
const { fork } = require("node:child_process");
const { resolve } = require("node:path");
const { pathToFileURL } = require("node:url");
const { Pool, dependencies, folded } = require("../../fixtures.js");

const options = { workers: "2", use: "{}" };
const words = process.argv.slice(2);
for (; words[0]?.startsWith("--"); words.splice(0, 2)) options[words[0].slice(2)] = words[1];
const file = resolve(words[0]);
const use = JSON.parse(options.use);
const known = new Map();
// The stand-in that the tests import, which is another module than this if folders are linked.
const library = () => require(require.resolve("@playwright/test", { paths: [file] }));

async function controller() {
    const setUp = options.setup && require(require.resolve(options.setup, { paths: [file] }));
    const tearDown = await setUp?.({ projects: [{ use }] });
    const count = Number(options.workers);
    const left = Array.from({ length: count }, (_, index) => {
        const worker = fork(__filename, process.argv.slice(2), { env: { ...process.env, STANDIN_WORKER: `${index}/${count}` } });
        return new Promise((done) => worker.once("exit", (status) => done(status)));
    });
    const statuses = await Promise.all(left);
    await tearDown?.();
    process.exitCode = statuses.some((status) => status !== 0) ? 1 : 0;
}

async function worker(index, count) {
    await import(pathToFileURL(file));
    const workers = new Pool("worker", undefined, { workerIndex: index });
    let failed = false;
    for (const [number, { title, body, layers, expectedStatus = "passed" }] of library().tests.entries()) {
        if (number % count !== index) continue;
        const info = { title, titlePath: ["", file, title], status: "passed", expectedStatus, errors: [], attachments: [] };
        info.attach = async (name, { body }) => void info.attachments.push({ name, body: String(body) });
        const pool = new Pool("test", workers, info);
        const fail = (error) => {
            info.status = "failed";
            info.errors.push(error.message);
        };
        try {
            await run(pool, registrationsOf(layers), body, info);
        } catch (error) {
            fail(error);
        }
        for (const error of await pool.end()) fail(error);
        failed ||= info.status !== info.expectedStatus;
        const { attachments, errors, status } = info;
        console.log(JSON.stringify({ title, status, expectedStatus, errors, attachments, worker: index }));
    }
    for (const error of await workers.end()) console.error(error);
    process.disconnect?.();
    process.exitCode = failed ? 1 : 0;
}

/** Those of a list of layers, always the same, as the fixtures of a worker are known by them. */
function registrationsOf(layers) {
    if (!known.has(layers)) known.set(layers, folded(layers, use));
    return known.get(layers);
}

async function run(pool, registrations, body, info) {
    const given = {};
    for (const name of dependencies(body)) {
        if (!registrations.has(name)) throw new Error(`Test has unknown parameter "${name}".`);
        given[name] = await pool.get(registrations, registrations.get(name));
    }
    await body(given, info);
}

const place = process.env.STANDIN_WORKER?.split("/").map(Number);
(place ? worker(...place) : controller()).catch((error) => {
    console.error(error);
    process.exit(2);
});
