"use strict";
// Calls by node:http and not by `fetch`, which tests put doubles in place of.
const http = require("node:http");
const https = require("node:https");
const { AdminError } = require("./errors.js");

/** Calls below one base address. */
class Connection {
    constructor(url, token) {
        const { protocol } = new URL(url);
        if (protocol !== "http:" && protocol !== "https:") {
            throw new TypeError(`expected an address such as http://127.0.0.1:8080, found ${url}`);
        }
        this.url = url.replace(/\/+$/, "");
        this.token = token;
    }

    /** Status, headers and body of an answer. */
    send(method, path, body) {
        const headers = this.token ? { Authorization: `Bearer ${this.token}` } : {};
        if (body !== undefined) headers["Content-Length"] = Buffer.byteLength(body);
        const client = this.url.startsWith("https:") ? https : http;
        return new Promise((resolve, reject) => {
            const failed = (error) =>
                reject(
                    new AdminError(`${method} ${this.url}${path}: no answer from the daemon: ${error.message}`, 0, undefined, {
                        cause: error,
                    }),
                );
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
            request.end(body);
        });
    }

    /** The JSON of an answer; a body that is neither text nor bytes is sent as JSON. */
    async call(method, path, body) {
        const raw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
        const { status, text } = await this.send(method, path, raw ? body : JSON.stringify(body));
        if (status >= 200 && status < 300) return text.trim() ? JSON.parse(text) : undefined;
        throw refusal(`${method} ${path}`, status, text);
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
