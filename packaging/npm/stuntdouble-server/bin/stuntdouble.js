#!/usr/bin/env node
"use strict";
// The command `stuntdouble`: runs the daemon that is in the package of this platform.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { binaryPath } = require("../lib/binary.js");

let path;
try {
    path = binaryPath();
} catch (error) {
    console.error(`stuntdouble: ${error.message}`);
    process.exit(1);
}
// Before the daemon begins: it is ready sooner than this process may be, and a signal that ends this one alone leaves it behind.
for (const signal of ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"]) process.on(signal, () => child.kill(signal));
// A terminal sends it to both; a second one would cut off what is in flight.
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
    console.error(`stuntdouble: cannot run ${path}: ${error.code ?? error.message}`);
    process.exit(1);
});
child.on("exit", (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
