"use strict";
const { Connection, refusal } = require("./http.js");
const { AdminError, StuntDoubleError, VerificationError } = require("./errors.js");
const { callsFor, escaped } = require("./folder.js");
const { checkOptions, nearest } = require("./options.js");
const { addHandler, removeHandlers } = require("./handlers.js");
const { patternOf } = require("./patterns.js");
const { requestOf } = require("./requests.js");
const { Stub, inWrittenOrder, isRoutes, responseOf, sent } = require("./stubs.js");

const defaultFailOn = ["unmatched", "error"];
const reasons = ["unmatched", "unused", "unmet", "fault", "error", "webhook", "aborted", "contract"];
let number = 0;

/** A mock server of its own within a daemon. */
class Session {
    #server;
    #connection;
    #httpsUrl;
    #authority;
    #beginning = [];

    constructor(server, facts, authority) {
        this.#server = server;
        this.id = facts.id;
        this.name = facts.name;
        this.url = (facts.url ?? server.url).replace(/\/+$/, "");
        this.#httpsUrl = facts.httpsUrl ?? undefined;
        this.#authority = authority;
        this.serverUrl = server.url;
        this.handlerFailures = [];
        // By the daemon's own address, since a session's port may not be reachable from here.
        this.#connection = new Connection(server.url + (this.id ? `/__session/${this.id}` : ""), server.token, server.told);
    }

    get httpsUrl() {
        if (this.#httpsUrl) return this.#httpsUrl;
        throw new StuntDoubleError(
            "this session has no address for HTTPS: begin it with { httpsPort: 0 }, or start the daemon with the args --https-port 0",
        );
    }

    get ca() {
        return this.#authority.pem;
    }

    get caFile() {
        return this.#authority.file;
    }

    get headers() {
        if (!this.id) return {};
        return { "X-StuntDouble-Session": this.id, baggage: `stuntdouble-session=${this.id}` };
    }

    get cookie() {
        return this.id ? { name: "stuntdouble-session", value: this.id } : undefined;
    }

    admin(method, path, body) {
        const below = `/${path.replace(/^\/+/, "")}`;
        return this.#connection.call(method, /^\/__admin(?:[/?]|$)/.test(below) ? below : `/__admin${below}`, body);
    }

    // Stubs

    async stub(route, response) {
        if (typeof route === "string") return this.#stubFile({ [route]: responseOf(response) }, route);
        if (response !== undefined) throw new TypeError("a mapping or a list of stubs says all of itself; nothing is taken beside it");
        if (route === null || typeof route !== "object" || Object.keys(route).length === 0) {
            throw new TypeError(`expected a route's key such as 'GET /users/{id}', a mapping or a list of mappings, found ${JSON.stringify(route)}`);
        }
        if (Array.isArray(route) || "mappings" in route || isRoutes(route)) return this.#stubFile(sent(route));
        const mapping = await this.admin("POST", "/mappings", route);
        return new Stub(this, mapping.id, mapping);
    }

    /** Adds all stubs of a document, as of a file of its own, since those of the same file and key would take each other's place. */
    async #stubFile(content, key) {
        const file = `stub-${process.pid}-${++number}.json`;
        // Nobody wrote that file: its name and the place in it say nothing.
        const noise = new RegExp(`^POST \\S+: status 422: |${file}:\\d+:\\d+: (?:error|warning): `, "g");
        try {
            const answer = await this.admin("POST", `/mappings/import/${file}`, JSON.stringify(content));
            const ids = inWrittenOrder(answer.mappings.map(({ id }) => id), content);
            const [first, ...more] = ids.map((id) => new Stub(this, id));
            this.#warn(answer, noise);
            return new Stub(this, first.id, undefined, more, key);
        } catch (error) {
            if (error instanceof AdminError) {
                error.message = error.message.replace(noise, "");
                if (Array.isArray(content[key])) error.message += "; a list is one of responses, and a body that is a list is { json: […] }";
            }
            throw error;
        }
    }

    /** Warns of what is doubtful in the stubs of an import. */
    #warn({ warnings = [] }, noise = /(?!)/) {
        for (const text of warnings) {
            this.#connection.told.add(text);
            this.#connection.told.warn([text.replace(noise, "")]);
        }
    }

    async handle(route, answer, more = {}) {
        if (typeof route !== "string" || typeof answer !== "function") {
            throw new TypeError(`handle(route, function, more): expected a route's key and a function, found ${route}, ${answer}`);
        }
        return this.stub(route, { ...more, proxy: await addHandler(route, answer, this.handlerFailures) });
    }

    async load(path) {
        return this.#load(await callsFor(path));
    }

    async loadText(text, name = "stubs.yaml") {
        return this.#load([["POST", `/mappings/import/${escaped(name)}`, text]]);
    }

    /** Makes calls that load files. */
    async #load(calls, warns = true) {
        const stubs = [];
        for (const [method, path, content] of calls) {
            const answer = await this.#sent(method, path, content);
            if (method !== "POST") continue;
            if (warns) this.#warn(answer);
            stubs.push(...answer.mappings.map((mapping) => new Stub(this, mapping.id)));
        }
        return stubs;
    }

    async #sent(method, path, content) {
        try {
            return await this.admin(method, path, content);
        } catch (error) {
            if (error.status !== 422 || path.endsWith("?folder=true")) throw error;
            // One file alone has its valid stubs, too, where the daemon keeps going.
            return this.admin(method, `${path}?folder=true`, content).catch(() => {
                throw error;
            });
        }
    }

    /** Loads files and folders that belong to its beginning, to which `reset` goes back. */
    async begin(paths) {
        for (const path of paths) {
            const calls = await callsFor(path);
            await this.#load(calls);
            this.#beginning.push(...calls);
        }
    }

    async reset() {
        await this.admin("POST", "/reset");
        await this.#load(this.#beginning, false);
    }

    // Requests

    async requests(what) {
        const meant = what === undefined ? undefined : await this.#sequences(await patternFor(what));
        if (meant?.length === 0) return [];
        const { requests } = await this.admin("GET", `/requests?after=${meant ? meant[0] - 1 : 0}&details=true`);
        return requests.filter((event) => meant?.includes(event.sequence) ?? true).map(requestOf);
    }

    /** The sequences of the requests that a pattern matches; the daemon shows some of them at a time. */
    async #sequences(pattern) {
        const sequences = [];
        for (;;) {
            const body = { expectations: [{ pattern }], since: sequences.at(-1) ?? 0 };
            const [found] = (await this.admin("POST", "/requests/verify", body)).expectations;
            if (found.cannotTell) throw new AdminError(found.cannotTell, 409, found);
            const shown = found.sequences ?? [];
            sequences.push(...shown);
            if (shown.length === 0 || shown.length >= found.count) return sequences;
        }
    }

    async count(what) {
        return (await this.admin("POST", "/requests/count", await patternFor(what))).count;
    }

    async verify(what, options = {}) {
        if (typeof options === "number") options = { count: options };
        checkOptions(options, ["count", "atLeast", "atMost", "within"], "verify(what, options)");
        const { count, atLeast, atMost, within = 0 } = options;
        const expectation = await expectationOf(what);
        const numbers = { exactly: count, atLeast, atMost };
        if (Object.values(numbers).some((value) => value !== undefined)) expectation.count = numbers;
        await this.#verify({ expectations: [expectation] }, within);
    }

    async verifyInOrder(selectors, options = {}) {
        checkList(selectors, "verifyInOrder([…], options)");
        checkOptions(options, ["within"], "verifyInOrder([…], options)");
        const { within = 0 } = options;
        await this.#verify({ expectations: await Promise.all(selectors.map(expectationOf)), inOrder: true }, within);
    }

    async verifyOnly(selectors) {
        checkList(selectors, "verifyOnly([…])");
        const expectations = await Promise.all(selectors.map(expectationOf));
        for (const expectation of expectations) expectation.count = { atLeast: 0 };
        await this.#verify({ expectations, nothingElse: true }, 0);
    }

    async #verify(body, timeoutMs) {
        const answer = await this.admin("POST", "/requests/verify", { ...body, timeoutMs });
        if (!answer.verified) throw new VerificationError(answer.text.trimEnd());
    }

    async waitFor(what, options = {}) {
        checkOptions(options, ["count", "timeout"], "waitFor(what, options)");
        const { count = 1, timeout = 5000 } = options;
        await this.verify(what, { atLeast: count, within: timeout });
        return this.requests(what);
    }

    // The verdict

    async report(options) {
        const document = JSON.parse(await this.render("json", options));
        const passed = document.verdict === "passed";
        const text = passed ? `passed: ${document.served} request${document.served === 1 ? "" : "s"}` : await this.render("text", options);
        return { ...document, passed, text: text.trimEnd() };
    }

    async render(format = "text", options = {}) {
        checkOptions(options, ["failOn", "ignore"], "the verdict's options");
        const { failOn = defaultFailOn, ignore = [] } = options;
        const query = new URLSearchParams([
            ["format", format],
            ["fail", failOnOf(failOn).join(",") || "none"],
            // The verdict of this session alone, not of its child sessions.
            ["sessions", "own"],
            ...[ignore].flat().map((glob) => ["ignore", glob]),
        ]);
        const path = `/__admin/report?${query}`;
        const { status, headers, text } = await this.#connection.send("GET", path);
        // With `fail` a bad verdict is a 422, as a bad question is; only the verdict has this header.
        if (status !== 200 && headers["x-stuntdouble-verdict"] === undefined) throw refusal(`GET ${path}`, status, text);
        return text;
    }

    async check(options) {
        const report = await this.report(options);
        const complaints = [...this.handlerFailures, ...(report.passed ? [] : [report.text])];
        if (complaints.length > 0) throw new VerificationError(complaints.join("\n\n"));
    }

    /** The requests, one a line. */
    async journal() {
        const requests = await this.requests();
        return [`requests of this test: ${requests.length || "none"}`, ...requests.map((request) => `  ${request}`)].join("\n");
    }

    // The end

    async end() {
        removeHandlers(this.handlerFailures);
        try {
            if (this.id) await this.#server.call("DELETE", `/__admin/sessions/${this.id}`);
        } catch (error) {
            if (!(error instanceof AdminError) || ![404, 410].includes(error.status)) throw error;
        }
        this.#server.told.look();
    }
}
// Node 18 has no `await using`.
if (Symbol.asyncDispose) Session.prototype[Symbol.asyncDispose] = Session.prototype.end;

/** The names of a list, or of a text with commas; `none` for no reason at all. */
function failOnOf(failOn) {
    const names = (typeof failOn === "string" ? failOn.split(",") : failOn).map((name) => name.trim()).filter(Boolean);
    if (names.length === 1 && names[0] === "none") return [];
    for (const name of names) {
        // The daemon reads the time.
        if (!reasons.includes(name) && !/^slow *>/.test(name)) {
            const meant = nearest(name, [...reasons, "slow>1s", "none"]);
            const hint = meant ? `; did you mean '${meant}'?` : "";
            throw new TypeError(`failOn: expected of ${reasons.join(", ")}, slow>TIME, or none; found '${name}'${hint}`);
        }
    }
    return names;
}

function checkList(selectors, call) {
    if (!Array.isArray(selectors)) throw new TypeError(`${call}: expected a list, found ${JSON.stringify(selectors)}`);
}

async function patternFor(what) {
    if (typeof what === "string") return patternOf(what);
    return what instanceof Stub ? what.pattern() : what;
}

async function expectationOf(what) {
    const pattern = await patternFor(what);
    if (what instanceof Stub) return { pattern, name: await what.title() };
    return { pattern, name: typeof what === "string" ? what : JSON.stringify(what) };
}

module.exports = { Session, defaultFailOn, failOnOf };
