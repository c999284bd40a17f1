// The checks by the WebSocket that browsers have, and Node: runs in a page as well, and so it uses nothing from outside.

/** What the client reports for each check, or how it fails. */
export async function checks(base, milliseconds) {
    const LONG = 1 << 20;
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const many = (piece) => {
        const all = new Uint8Array(LONG);
        for (let at = 0; at < LONG; at += piece.length) all.set(piece, at);
        return all;
    };
    const opened = (path = "echo", protocols = []) =>
        new Promise((resolve, reject) => {
            const socket = new WebSocket(`${base}/${path}`, protocols);
            socket.binaryType = "arraybuffer";
            socket.onopen = () => resolve(socket);
            socket.onerror = () => reject(new Error("it does not open"));
        });
    const received = (socket) =>
        new Promise((resolve) => {
            socket.onmessage = ({ data }) => resolve(data);
            socket.onclose = ({ code, reason }) => resolve(`closed: ${code} ${reason}`);
        });
    const ended = (socket) => new Promise((resolve) => (socket.onclose = ({ code, reason, wasClean }) => resolve(`${code} ${reason} ${wasClean}`)));
    const verdict = (found, wanted) => (found === wanted ? "ok" : `${found}`.slice(0, 60));
    async function echoed(sent) {
        const socket = await opened();
        const answer = received(socket);
        socket.send(sent);
        const found = await answer;
        socket.close();
        return found;
    }
    async function echoedBytes(sent) {
        const found = await echoed(sent);
        if (!(found instanceof ArrayBuffer)) return `${found}`.slice(0, 60);
        const view = new Uint8Array(found);
        // The answer has the same bytes in pieces of 256, each backwards.
        const right = view.length === sent.length && view.every((byte, at) => byte === 255 - sent[at]);
        return right ? "ok" : `${view.length} other bytes`;
    }
    const all = {
        "a text": async () => verdict(await echoed("héllo"), "héllo"),
        "an empty text": async () => verdict(await echoed(""), ""),
        "a binary message": () => echoedBytes(bytes),
        "1 MiB of text": async () => verdict(await echoed("x".repeat(LONG)), "x".repeat(LONG)),
        "1 MiB of bytes": () => echoedBytes(many(bytes)),
        "permessage-deflate": async () => {
            const socket = await opened();
            const agreed = socket.extensions;
            socket.close();
            return agreed.startsWith("permessage-deflate") ? verdict(await echoed("x".repeat(LONG)), "x".repeat(LONG)) : agreed ? agreed : "–";
        },
        "the server closes": async () => {
            const socket = await opened();
            const end = ended(socket);
            socket.send("close me");
            return verdict(await end, "1000 Closed by server true");
        },
        "the client closes": async () => {
            const socket = await opened();
            const end = ended(socket);
            socket.close(4001, "done");
            // The reason is the one of the frame that comes back, which need not repeat it.
            return verdict((await end).replace(" done ", "  "), "4001  true");
        },
        "a sub-protocol": async () => {
            const socket = await opened("spoken", ["v1.chat", "v2.chat"]);
            const chosen = socket.protocol;
            socket.close();
            return verdict(chosen, "v2.chat");
        },
        // A script is not told why.
        "a refusal by 403": async () => {
            try {
                await opened("refused");
                return "opened";
            } catch (error) {
                return verdict(error.message, "it does not open");
            }
        },
    };
    const said = {};
    for (const [name, check] of Object.entries(all)) {
        const late = new Promise((resolve) => setTimeout(resolve, milliseconds, "timed out"));
        said[name] = await Promise.race([check().catch((error) => `${error.name}: ${error.message}`), late]);
    }
    return said;
}
