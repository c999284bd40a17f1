// Chromium's fetch, in a page, against a list of addresses on standard input; prints what a script of the page sees and the
// network error that the browser notes. Run with --experimental-websocket on a Node that has no WebSocket yet.
//
//     node chromium_client.mjs SECONDS BINARY PROFILE-FOLDER
import { readFileSync } from "node:fs";
import { open } from "../chromium.mjs";

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

const page = await open(binary, profile);
const urls = new Map(), errors = new Map();
page.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url));
page.on("Network.loadingFailed", ({ requestId, canceled, errorText }) => {
    if (!canceled) errors.set(urls.get(requestId), errorText);
});
// From here on the daemon's answers may be read.
await page.show(addresses[0]);
const outcomes = [];
for (const address of addresses) {
    const expression = `(${one})(${JSON.stringify(address)}, ${Number(patience) * 1000})`;
    const outcome = await page.value(expression);
    const error = errors.get(address);
    outcomes.push(outcome + (error && !outcome.startsWith("timed out") ? `, ${error}` : ""));
}
console.log(JSON.stringify(outcomes));
process.exit(0);
