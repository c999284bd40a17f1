// Starts Chromium without a window, and speaks its DevTools protocol. Run with --experimental-websocket on a Node that has no WebSocket yet.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A page of a browser that ends with this process: `call` sends a command to it, `on` names who hears an event. */
export async function open(binary, profile, flags = []) {
    const browser = spawn(
        binary,
        ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${profile}`, ...flags, "about:blank"],
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

    let last = 0, sessionId;
    const waiting = new Map(), hearers = new Map();
    socket.addEventListener("message", ({ data }) => {
        const { id, result, method, params } = JSON.parse(data);
        if (id) return waiting.get(id)?.(result);
        hearers.get(method)?.(params);
    });
    function call(method, params = {}) {
        return new Promise((resolve) => {
            waiting.set(++last, resolve);
            socket.send(JSON.stringify({ id: last, method, params, sessionId }));
        });
    }
    function on(method, hearer) {
        hearers.set(method, hearer);
    }

    /** Goes on in a new page. One that shows the browser's own words about a certificate cannot be sent elsewhere. */
    async function renew() {
        sessionId = undefined;
        const { targetId } = await call("Target.createTarget", { url: "about:blank" });
        sessionId = (await call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
        // Events with long bodies are too long for Node's WebSocket.
        await call("Network.enable", { maxPostDataSize: 1 });
        await call("Page.enable");
    }
    await renew();
    /** Shows an address, so that its origin's answers may be read; returns an error of the network, such as of its certificate. */
    async function show(url) {
        const loaded = new Promise((resolve) => on("Page.loadEventFired", resolve));
        const { errorText } = await call("Page.navigate", { url });
        if (!errorText) await loaded;
        return errorText;
    }
    /** What an expression is in the page. */
    async function value(expression) {
        return (await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })).result.value;
    }
    return { call, on, renew, show, value };
}
