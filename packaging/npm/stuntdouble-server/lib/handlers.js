"use strict";
// Answers that functions make: a server of this process, to which stubs send their requests on.
const { createServer } = require("node:http");
const { checkOptions } = require("./options.js");
const { variablesOf } = require("./patterns.js");
const { requestOf } = require("./requests.js");

/** Fields of the connection between the daemon and this process, which say nothing of the client's request. */
const ofTheHop = ["host", "connection", "stunt-double-hop", "user-agent", "transfer-encoding", "content-length"];
const functions = new Map();
let number = 0;
/** The port, once there is a handler. */
let listening;

/** The base URL for a stub to send its requests to; what the function throws is added to `failures`. */
async function addHandler(key, answer, failures) {
    listening ??= new Promise((resolve, reject) => {
        const server = createServer((request, response) => void serve(request, response));
        // It does not keep the process from ending, nor do the daemon's connections to it.
        server.on("connection", (socket) => socket.unref());
        server.on("error", reject);
        server.listen(0, "127.0.0.1", () => resolve(server.unref().address().port));
    });
    const port = await listening;
    functions.set(String(++number), { key, answer, failures });
    return `http://127.0.0.1:${port}/${number}`;
}

/** Forgets the functions that tell their failures there. */
function removeHandlers(failures) {
    for (const [name, known] of functions) if (known.failures === failures) functions.delete(name);
}

async function serve(incoming, outgoing) {
    const pieces = [];
    try {
        for await (const piece of incoming) pieces.push(piece);
    } catch {
        return;
    }
    const [, name, url] = /^\/([^/]*)(.*)$/.exec(incoming.url);
    const known = functions.get(name);
    if (!known) return outgoing.writeHead(410).end("the session of this handler has ended\n");
    const request = requestOf({
        request: { method: incoming.method, url, headers: headersOf(incoming), bodyAsBase64: Buffer.concat(pieces).toString("base64") },
    });
    request.variables = variablesOf(known.key, request.path);
    try {
        const { status, headers, body } = parts(await known.answer(request));
        outgoing.writeHead(status, headers).end(body);
    } catch (error) {
        const text = `the handler of ${request.method} ${url} failed: ${error?.stack ?? error}`;
        known.failures.push(text);
        if (!outgoing.headersSent) outgoing.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" });
        outgoing.end(text);
    }
}

/** The fields as they were written; one that came several times is a list. */
function headersOf({ rawHeaders }) {
    const headers = {};
    for (let index = 0; index < rawHeaders.length; index += 2) {
        const [name, value] = [rawHeaders[index], rawHeaders[index + 1]];
        if (ofTheHop.includes(name.toLowerCase())) continue;
        headers[name] = name in headers ? [headers[name], value].flat() : value;
    }
    return headers;
}

/** Status, headers and body of what a handler has returned. */
function parts(answer) {
    if (answer === undefined || typeof answer === "string" || answer instanceof Uint8Array) answer = { body: answer ?? "" };
    checkOptions(answer, ["status", "headers", "json", "body"], "a handler's answer");
    const { status = 200, json } = answer;
    const headers = { ...answer.headers };
    if (json === undefined) return { status, headers, body: answer.body ?? "" };
    if (!Object.keys(headers).some((name) => name.toLowerCase() === "content-type")) headers["Content-Type"] = "application/json";
    return { status, headers, body: JSON.stringify(json) };
}

module.exports = { addHandler, removeHandlers };
