// Chromium's fetch, in a page, against a list of addresses on standard input; prints what a script of the page sees and the
// network error that the browser notes. Run with --experimental-websocket on a Node that has no WebSocket yet.
//
//     node chromium_client.mjs SECONDS BINARY PROFILE-FOLDER
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [patience, binary, profile] = process.argv.slice(2);
const addresses = JSON.parse(readFileSync(0, "utf8"));

// Runs in the page.
async function one(address, milliseconds) {
    let count = 0, wrong = 0;
    const stopped = new AbortController();
    const timer = setTimeout(() => stopped.abort(), milliseconds);
    try {
        const answer = await fetch(address, { signal: stopped.signal, cache: "no-store" });
        const reader = answer.body.getReader();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            for (const byte of value) if (byte !== 48 + count++) wrong++;
        }
        if (answer.status !== 200 || (count === 10 && !wrong)) return `${answer.status}`;
        return count === 10 && wrong === 1 ? "200, a wrong byte" : `200, ${count} bytes`;
    } catch (error) {
        return error.name === "AbortError" ? "timed out" : `${error.name}: ${error.message}`;
    } finally {
        clearTimeout(timer);
    }
}

const browser = spawn(
    binary,
    ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"], detached: true });
// With all its processes: the binary may be a script that starts the browser.
process.on("exit", () => process.kill(-browser.pid, "SIGKILL"));

const endpoint = await new Promise((resolve) => {
    createInterface({ input: browser.stderr }).on("line", (line) => {
        const found = line.match(/DevTools listening on (ws:\S+)/);
        if (found) resolve(found[1]);
    });
});
const socket = new WebSocket(endpoint);
await new Promise((resolve) => socket.addEventListener("open", resolve));

let last = 0, whenLoaded;
const waiting = new Map(), urls = new Map(), errors = new Map();
socket.addEventListener("message", ({ data }) => {
    const { id, result, method, params } = JSON.parse(data);
    if (id) return waiting.get(id)?.(result);
    if (method === "Page.loadEventFired") whenLoaded?.();
    if (method === "Network.requestWillBeSent") urls.set(params.requestId, params.request.url);
    if (method === "Network.loadingFailed" && !params.canceled) errors.set(urls.get(params.requestId), params.errorText);
});
function call(method, params, sessionId) {
    return new Promise((resolve) => {
        waiting.set(++last, resolve);
        socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
}

const { targetId } = await call("Target.createTarget", { url: "about:blank" });
const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
await call("Network.enable", {}, sessionId);
await call("Page.enable", {}, sessionId);
// From here on the daemon's answers may be read.
const loaded = new Promise((resolve) => { whenLoaded = resolve; });
await call("Page.navigate", { url: addresses[0] }, sessionId);
await loaded;
const outcomes = [];
for (const address of addresses) {
    const expression = `(${one})(${JSON.stringify(address)}, ${Number(patience) * 1000})`;
    const { result } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, sessionId);
    const error = errors.get(address);
    outcomes.push(result.value + (error && !result.value.startsWith("timed out") ? `, ${error}` : ""));
}
console.log(JSON.stringify(outcomes));
process.exit(0);
