// Node's http2 against the requests on standard input. Arguments: seconds of patience, the CA's file or `-`, `each` for a connection each.
import { readFileSync } from "node:fs";
import http2 from "node:http2";

const patience = Number(process.argv[2]) * 1000;
const authority = process.argv[3] === "-" ? undefined : readFileSync(process.argv[3]);
const sessions = new Map();

function words(error) {
    // A request that has not begun yet fails with its connection.
    if (error.code === "ERR_HTTP2_STREAM_CANCEL" && error.cause) return words(error.cause);
    return [error.code, error.code === "ERR_HTTP2_STREAM_ERROR" || error.code === "ERR_HTTP2_SESSION_ERROR" ? error.message : ""]
        .filter(Boolean).join(": ") || error.message;
}

function session(origin) {
    if (process.argv[4] === "each" || !sessions.get(origin) || sessions.get(origin).destroyed || sessions.get(origin).closed) {
        const made = http2.connect(origin, { ca: authority });
        made.on("error", (error) => { made.failure = error; });
        made.on("goaway", (code, last) => { made.lastWord = `GOAWAY ${code}`; });
        sessions.set(origin, made);
    }
    return sessions.get(origin);
}

function one({ url, method, headers, body }) {
    return new Promise((resolve) => {
        const { origin, pathname, search } = new URL(url);
        const parts = [];
        const done = (outcome) => {
            clearTimeout(timer);
            resolve({ ...outcome, body: Buffer.concat(parts).toString("base64"), version: "HTTP/2" });
        };
        const connection = session(origin);
        const timer = setTimeout(() => { done({ error: "timed out" }); connection.destroy(); }, patience);
        connection.once("error", (error) => done({ error: words(error) }));
        const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const stream = connection.request({ ":method": method, ":path": pathname + search, ...own }, { endStream: !body });
        let answer, ended = false, trailers;
        stream.on("response", (fields) => { answer = fields; });
        stream.on("trailers", (fields) => { trailers = fields; });
        stream.on("data", (part) => parts.push(part));
        stream.on("end", () => { ended = true; });
        stream.on("error", (error) => done({ error: words(connection.failure ?? error) }));
        stream.on("close", () => {
            if (answer && ended && !stream.aborted && !stream.rstCode) {
                done({ status: answer[":status"], headers: { ...answer }, trailers: trailers && { ...trailers } });
            } else {
                done({ error: connection.failure ? words(connection.failure) : connection.lastWord ?? `closed, code ${stream.rstCode}` });
            }
        });
        if (body) stream.end(Buffer.from(body, "base64"));
    });
}

const outcomes = [];
for (const request of JSON.parse(readFileSync(0, "utf8"))) outcomes.push(await one(request));
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0));
