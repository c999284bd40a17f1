"use strict";
// Calls by node:http and not by `fetch`, which tests put doubles in place of.
const http = require("node:http");
const https = require("node:https");
const { AdminError } = require("./errors.js");
const { withoutUsers } = require("./secrets.js");
const { Told } = require("./warnings.js");

/** The codes of errors about a certificate. */
const untrusted = /CERT|ISSUER|SELF_SIGNED|VERIFY/;

/** Neither a query nor a fragment, behind which no path can stand, and nothing that programs read differently. */
const shape = /^https?:\/\/[^\s\\?#]+$/i;

/** Calls below one base address. */
class Connection {
    constructor(url, token, told = new Told()) {
        if (!shape.test(url) || !isURL(url)) {
            throw new TypeError(`expected an address such as http://127.0.0.1:8080, found ${withoutUsers(url)}`);
        }
        this.url = url.replace(/\/+$/, "");
        this.shown = withoutUsers(this.url);
        this.token = token;
        this.told = told;
    }

    /** Status, headers and body of an answer, which is waited for without a limit, or for some milliseconds. */
    send(method, path, body, milliseconds) {
        const headers = this.token ? { Authorization: `Bearer ${this.token}` } : {};
        if (body !== undefined) headers["Content-Length"] = Buffer.byteLength(body);
        const client = this.url.startsWith("https:") ? https : http;
        return new Promise((resolve, reject) => {
            const failed = (error) => {
                const how = untrusted.test(error.code)
                    ? "; NODE_EXTRA_CA_CERTS names the file of more authorities that Node.js trusts, `stuntdouble ca --path` that of the daemon"
                    : "";
                const text = `${method} ${this.shown}${path}: no answer from the daemon: ${error.message}${how}`;
                reject(new AdminError(text, 0, undefined, { cause: error }));
            };
            const request = client.request(this.url + path, { method, headers, agent: false }, (answer) => {
                const pieces = [];
                answer.on("data", (piece) => pieces.push(piece));
                answer.on("error", failed);
                answer.on("end", () =>
                    resolve({
                        status: answer.statusCode,
                        headers: answer.headers,
                        text: Buffer.concat(pieces).toString(),
                    }),
                );
            });
            request.on("error", failed);
            if (milliseconds !== undefined) {
                const late = setTimeout(() => request.destroy(new Error(`none within ${milliseconds / 1000} s`)), milliseconds);
                request.on("close", () => clearTimeout(late));
            }
            request.end(body);
        });
    }

    /**
     * The JSON of an answer, its text where it is none, or undefined if it is empty; a body that is neither text nor bytes is sent
     * as JSON. What the daemon takes and doubts becomes a warning.
     */
    async call(method, path, body, milliseconds) {
        const raw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
        const { status, headers, text } = await this.send(method, path, raw ? body : JSON.stringify(body), milliseconds);
        if (status >= 200 && status < 300) {
            if (headers["x-stuntdouble-warning"] !== undefined) this.told.header(headers["x-stuntdouble-warning"]);
            return valueOf(text);
        }
        throw refusal(`${method} ${path}`, status, text);
    }
}

function isURL(url) {
    try {
        new URL(url);
        return true;
    } catch {
        return false; // The error has the whole URL, with its password.
    }
}

function valueOf(text) {
    try {
        return text.trim() ? JSON.parse(text) : undefined;
    } catch {
        return text;
    }
}

/** What the daemon says against a call. */
function refusal(call, status, text) {
    let body = text;
    let lines = text.trim().split("\n").slice(0, 1);
    try {
        body = JSON.parse(text);
        // The last line is the daemon's own word; what is before it is WireMock's.
        lines = (body.errors ?? []).map((error) => (error.detail ?? error.title ?? "").split("\n").pop());
    } catch {
        // Text.
    }
    return new AdminError(`${call}: status ${status}: ${lines.filter(Boolean).join("; ") || "no reason given"}`, status, body);
}

module.exports = { Connection, refusal };
