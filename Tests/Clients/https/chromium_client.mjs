// Chromium's fetch, in a page of the server's own, against the requests on standard input. Its HOME has the store of trusted CAs.
//
//     node chromium_client.mjs SECONDS BINARY PROFILE-FOLDER
import { readFileSync } from "node:fs";
import { open } from "../chromium.mjs";

const [patience, binary, profile] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(0, "utf8"));

// Node's WebSocket fails with long messages: bodies go to the page and come from it in pieces, by way of its `sent` and `got`.
const PIECE = 32_768;

// Runs in the page.
async function one({ url, method, headers }, milliseconds) {
    const body = window.sent;
    const stopped = new AbortController();
    const timer = setTimeout(() => stopped.abort(), milliseconds);
    const parts = [];
    const text = () => {
        let all = "";
        for (const part of parts) for (let at = 0; at < part.length; at += 8192) all += String.fromCharCode(...part.subarray(at, at + 8192));
        return btoa(all);
    };
    try {
        const bytes = body ? Uint8Array.from(atob(body), (character) => character.charCodeAt(0)) : undefined;
        const answer = await fetch(url, { method, headers, body: bytes, signal: stopped.signal, cache: "no-store" });
        const reader = answer.body?.getReader();
        for (;;) {
            const { done, value } = (await reader?.read()) ?? { done: true };
            if (done) break;
            parts.push(value);
        }
        return { status: answer.status, headers: Object.fromEntries(answer.headers) };
    } catch (error) {
        return { error: error.name === "AbortError" ? "timed out" : error.message };
    } finally {
        window.got = text();
        clearTimeout(timer);
    }
}

const page = await open(binary, profile);
const protocols = new Map(), urls = new Map(), errors = new Map();
page.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url));
page.on("Network.responseReceived", ({ response }) => protocols.set(response.url, response.protocol));
page.on("Network.loadingFailed", ({ requestId, canceled, errorText }) => {
    if (!canceled) errors.set(urls.get(requestId), errorText);
});
const outcomes = [];
let shown;
for (const request of requests) {
    const { origin } = new URL(request.url);
    // A page that is of the origin, whatever it is answered: a script may read answers of its own origin only.
    if (shown !== origin) {
        await page.renew();
        // For three seconds it looks whether a portal is to blame for a certificate.
        const late = new Promise((resolve) => setTimeout(resolve, Number(patience) * 1000 + 4000, "timed out"));
        const error = await Promise.race([page.show(`${origin}/favicon.ico`), late]);
        if (error) {
            outcomes.push({ error });
            continue;
        }
        shown = origin;
    }
    const { headers: { Cookie, ...headers }, body, ...others } = request;
    for (const pair of Cookie ? Cookie.split("; ") : []) {
        const [name, value] = pair.split("=");
        await page.call("Network.setCookie", { name, value, url: origin });
    }
    await page.value("window.sent = ''");
    for (let at = 0; at < body.length; at += PIECE) await page.value(`window.sent += "${body.slice(at, at + PIECE)}"; 0`);
    const outcome = await page.value(`(${one})(${JSON.stringify({ ...others, headers })}, ${Number(patience) * 1000})`);
    outcome.body = "";
    for (let piece; (piece = await page.value(`window.got.slice(${outcome.body.length}, ${outcome.body.length + PIECE})`));) outcome.body += piece;
    const error = errors.get(request.url);
    if (outcome.error && error && outcome.error !== "timed out") outcome.error = error;
    outcomes.push({ ...outcome, version: protocols.get(request.url) });
}
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0));
