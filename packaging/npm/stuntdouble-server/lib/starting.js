"use strict";
// What a start makes of the daemon's arguments, of its first output and of its port file.
const { closeSync, constants, lstatSync, openSync, readSync } = require("node:fs");
const { isIP } = require("node:net");
const { StartError } = require("./errors.js");

const limits = { startMilliseconds: 60_000, heldOpenMilliseconds: 1_000 };
const shownCharacters = 65_536;

/** The address where the daemon listens, or the first of several, as it stands in a URL. */
function hostOf(args, environment) {
    // Options may be abbreviated.
    const isIt = (word) => word.startsWith("--bi") && "--bind-address".startsWith(word.split("=", 1)[0]);
    const index = args.findIndex(isIt);
    const [, value] = /=(.*)/s.exec(args[index] ?? "") ?? [];
    const given = index < 0 ? environment.STUNTDOUBLE_BIND_ADDRESS ?? "" : value ?? args[index + 1] ?? "";
    const address = given.split(",", 1)[0].trim().replace(/^\[(.*)\]$/, "$1");
    if (isIP(address) === 4) return address === "0.0.0.0" ? "127.0.0.1" : address;
    // So `localhost` is one.
    if (isIP(address) !== 6 || address.includes("%")) return "127.0.0.1";
    const { hostname } = new URL(`http://[${address}]`);
    return hostname === "[::]" ? "[::1]" : hostname;
}

/** The ports of a port file: one, and one more for HTTPS. A `StartError` says what else there is. */
function portsOf(path) {
    const content = Buffer.alloc(200);
    let length;
    try {
        // Nothing that is waited for, as the other end of a pipe.
        const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
        try {
            length = readSync(file, content);
        } finally {
            closeSync(file);
        }
    } catch (error) {
        throw new StartError(`the port file of the daemon cannot be read: ${error.message}`);
    }
    const text = content.toString("latin1", 0, length);
    const ports = text.replace(/\n$/, "").split("\n").map((line) => (/^[0-9]{1,5}$/.test(line) ? Number(line) : 0));
    if (ports.length <= 2 && ports.every((port) => port >= 1 && port <= 65_535)) return ports;
    const found = JSON.stringify(text).replace(/[\x7f-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
    throw new StartError(`the port file of the daemon is to have a port, 1 to 65535, and has ${length ? found : "nothing"}`);
}

/**
 * Resolves when the daemon is ready, which it says by its port file and a line of output. Or else it resolves with what it has
 * printed and how it has ended; then neither it nor what it has started in its group is left running. One that prints and has no
 * port file is told to end, by the end of its input. Rejects if it cannot be run.
 */
function firstOutput(child, portFile) {
    return new Promise((resolve, reject) => {
        let printed = "";
        let how;
        const late = setTimeout(() => {
            how = `is not ready after ${limits.startMilliseconds / 1000} s`;
            killGroup(child);
        }, limits.startMilliseconds);
        const notReady = () => {
            clearTimeout(late);
            resolve({ printed, how });
        };
        child.once("error", (error) => {
            clearTimeout(late);
            reject(error);
        });
        child.once("exit", (status, signal) => {
            how ??= `ended with ${signal ? `signal ${signal}` : `status ${status}`} and serves nothing`;
            // What it has started may hold its output open, and one that has left the group is out of reach.
            killGroup(child);
            setTimeout(() => child.stdout.destroy(), limits.heldOpenMilliseconds).unref();
        });
        // Once its output is read, too: what another program has printed, or this one by `--version`.
        child.once("close", notReady);
        child.stdin.on("error", () => {});
        child.stdout.on("data", (data) => {
            printed = (printed + data).slice(0, shownCharacters);
            if (lstatSync(portFile, { throwIfNoEntry: false })) {
                clearTimeout(late);
                resolve(undefined);
            } else child.stdin.end();
        });
    });
}

/** Ends the daemon and what it has started; its group may have outlived it. */
function killGroup(child) {
    try {
        process.kill(-child.pid, "SIGKILL");
    } catch {
        // It has ended.
    }
}

module.exports = { firstOutput, hostOf, killGroup, limits, portsOf };
