"use strict";
const { spawn } = require("node:child_process");
const { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { binaryPath } = require("./binary.js");
const { Authority } = require("./authority.js");
const { StartError, StuntDoubleError } = require("./errors.js");
const { Connection } = require("./http.js");
const { checkOptions } = require("./options.js");
const { withoutSecrets } = require("./secrets.js");
const { Session } = require("./session.js");
const { firstOutput, hostOf, killGroup, portsOf } = require("./starting.js");
const { Told } = require("./warnings.js");

const sessionOptions = ["name", "port", "inherit", "mocks", "ttl", "seed", "settings", "passThrough", "httpsPort"];
const startOptions = ["mocks", "args", "url", "binary", "adminToken"];
/** What would change where the daemon listens, or what it writes first. */
const notInherited = ["STUNTDOUBLE_PORT", "STUNTDOUBLE_PORT_FILE", "STUNTDOUBLE_URL", "STUNTDOUBLE_ROOT_DIR", "STUNTDOUBLE_FORMAT"];

/** A daemon: one of its own, that ends with this process, or one that was running. */
class Server {
    #connection;
    #process;
    #folder;
    #httpsUrl;
    #authority = new Authority();

    /** A daemon that was started here, once it is known what its properties have. */
    static async started(url, token, facts) {
        const server = new Server(url, token, facts);
        await server.#authority.find(server.#connection);
        facts.told.look();
        return server;
    }

    constructor(url, token, { httpsUrl, process, folder, told } = {}) {
        this.url = url.replace(/\/+$/, "");
        this.#httpsUrl = httpsUrl;
        this.#connection = new Connection(this.url, token, told);
        this.#process = process;
        this.#folder = folder;
    }

    get pid() {
        return this.#process?.pid;
    }

    get httpsUrl() {
        if (this.#httpsUrl) return this.#httpsUrl;
        throw new StuntDoubleError(
            "the address of this daemon for HTTPS is not known: start it with the args --https-port 0, or begin a session with an" +
                " address of its own, session({ httpsPort: 0 })",
        );
    }

    get ca() {
        return this.#authority.pem;
    }

    get caFile() {
        return this.#authority.file;
    }

    get log() {
        return this.#folder ? readFileSync(join(this.#folder, "log"), "utf8") : "";
    }

    async session(options = {}) {
        checkOptions(options, sessionOptions, "session(options)");
        const { name, port = true, inherit = true, mocks, ...more } = options;
        const facts = { name, inherit, ...more, ...(port ? { port: 0 } : {}) };
        const begin = (facts) => this.#connection.call("POST", "/__admin/sessions", facts);
        const made = await begin(facts).catch((error) => {
            // One of several replicas, perhaps, whose sessions have no ports.
            if (error.status === 422 && port && more.httpsPort === undefined) return begin({ name, inherit, ...more });
            throw error;
        }).catch((error) => {
            if (error.status === 404) error.message = `${this.#connection.shown} has no sessions, so it is no Stunt Double, as WireMock is none: ${error.message}`;
            throw error;
        });
        const httpsUrl = made.httpsUrl ?? (this.#httpsUrl && `${this.#httpsUrl}/__session/${made.id}`);
        const session = new Session(this.#connection, { ...made, url: await this.#reachable(made), httpsUrl }, this.#authority);
        try {
            if (made.httpsUrl || !this.#process) await this.#authority.find(this.#connection);
            await session.begin(mocks === undefined ? [] : [mocks].flat());
        } catch (error) {
            await session.end();
            throw error;
        }
        return session;
    }

    /** A session's address: its port, unless that of somebody else's daemon cannot be reached, as that of a container. */
    async #reachable({ id, port, url }) {
        if (port === null || this.#process) return url;
        try {
            // The token is for this host: no answer leads it to another one.
            if (new URL(url).hostname !== new URL(this.url).hostname) throw new Error("another host");
            const found = await new Connection(url, this.#connection.token).call("GET", `/__admin/sessions/${id}`, undefined, 2_000);
            if (found.id === id) return url;
        } catch {
            // Nobody is there, or somebody else.
        }
        return `${this.url}/__session/${id}`;
    }

    get shared() {
        return new Session(this.#connection, { httpsUrl: this.#httpsUrl }, this.#authority);
    }

    async stop() {
        const child = this.#process;
        this.#process = undefined;
        if (!child) return;
        if (child.exitCode === null && child.signalCode === null) {
            child.ref();
            const ended = new Promise((resolve) => child.once("exit", resolve));
            // Its standard input tells it to end, as the end of this process would.
            child.stdin.end();
            const late = setTimeout(() => killGroup(child), 10_000);
            await ended;
            clearTimeout(late);
        }
        this.#connection.told.look();
        forget(this.#folder);
        this.#folder = undefined;
    }
}
if (Symbol.asyncDispose) Server.prototype[Symbol.asyncDispose] = Server.prototype.stop;

/** Starts a daemon, or with `url` takes one that is running; resolves when it answers. */
async function start(options = {}) {
    checkOptions(options, startOptions, "start(options)");
    const { mocks, args = [], url, binary, adminToken = process.env.STUNTDOUBLE_ADMIN_TOKEN } = options;
    if (url !== undefined) {
        if (mocks !== undefined || args.length > 0) {
            throw new TypeError("a daemon that runs already has its mocks and options; load stubs into a session");
        }
        return new Server(url, adminToken);
    }
    const path = String(binary ?? binaryPath());
    const folder = mkdtempSync(join(tmpdir(), "stuntdouble-"));
    folders.add(folder);
    let child;
    try {
        const ports = join(folder, "port");
        // Without a folder of stubs it serves an empty one: what lies in the current folder is none of its business.
        const served = mocks ?? join(folder, "mocks");
        if (mocks === undefined) mkdirSync(served);
        const words = [served, "--port", "0", "--port-file", ports, "--exit-with-parent", ...args].map(String);
        const env = { ...process.env };
        for (const name of notInherited) delete env[name];
        child = run(path, words, env, join(folder, "log"));
        await ready(child, [path, ...words], folder, ports);
        const [http, https] = portsOf(ports);
        // Neither the daemon nor its pipes keep this process from ending, which ends the daemon.
        child.unref();
        child.stdin.unref();
        child.stdout.destroy();
        const host = hostOf(words, env);
        const httpsUrl = https && `https://${host}:${https}`;
        const told = new Told(join(folder, "log"), mocks === undefined);
        return await Server.started(`http://${host}:${http}`, adminToken, { httpsUrl, process: child, folder, told });
    } catch (error) {
        if (child) {
            killGroup(child);
            child.stdin.destroy();
            child.stdout.destroy();
        }
        forget(folder);
        throw error;
    }
}

function run(path, words, env, log) {
    const file = openSync(log, "w");
    try {
        // In a group of its own, so that Ctrl-C at a terminal reaches the tests alone, which still ask it for their reports.
        // It ends with its standard input, and so with this process.
        return spawn(path, words, { stdio: ["pipe", "pipe", file], env, detached: true });
    } catch (error) {
        // The message about a null byte shows the whole argument.
        const why = error.code === "ERR_INVALID_ARG_VALUE" ? "an argument has a null byte" : error.message;
        throw new StartError(`cannot run ${path}: ${why}`);
    } finally {
        closeSync(file);
    }
}

/** Resolves when the daemon is ready; a `StartError` has what was run and what it has written. */
async function ready(child, command, folder, ports) {
    const ended = await firstOutput(child, ports).catch((error) => {
        throw new StartError(`cannot run ${command[0]}: ${error.message}`);
    });
    if (!ended) return;
    const said = (ended.printed + readFileSync(join(folder, "log"), "utf8")).trim() || "it printed nothing";
    const { shown, text } = withoutSecrets(command, said);
    throw new StartError(`${shown} ${ended.how}:\n${text}`);
}

const folders = new Set();

function forget(folder) {
    if (folder && folders.delete(folder)) rmSync(folder, { recursive: true, force: true });
}

process.on("exit", () => folders.forEach(forget));

module.exports = { Server, start, sessionOptions, startOptions };
