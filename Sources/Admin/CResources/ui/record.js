// Recording: what another server answers becomes stubs. Nothing is written before Save.

import { counted, el, formatDuration, formatSize, formatTime, icon, replace, shown, shownLines } from "./dom.js";
import { CallError, call, callNodes } from "./api.js";
import { formatJSON } from "./json.js";
import { MARK, member } from "./editor.js";
import { attempt, badge, button, code, copyButton, field, form, head, input, keyed, keyOf, nothing, part, placeOf, polled, requestLink, setText, show, stubLink, submit, tick } from "./parts.js";

/** The stub that sends on what nothing else answers, while that alone is recorded. */
const SENDER = "5d5d0000-7265-4f00-8000-636f72646572";

/** When this page began the recording, and what was there of the stubs before. */
let startedAt = 0;
const before = new Map();

const KEEPS = "Save and stop";

export default { name: "record", title: "Record", key: "o", mount };

function mount(root, place, app) {
    const target = input({ type: "url", placeholder: "https://api.example.com", size: 36 });
    let isOnlyUnmatched = false;
    const startPart = form(start, el("div", { class: "toolbar fields-bar" }, field("The server to record", target), submit("Start")),
        tick("Only what no stub answers", false, (isOn) => { isOnlyUnmatched = isOn; }),
        el("p", { class: "muted small" }, "Requests go on to it and back until the recording ends. Nothing is written before you save."));
    const state = el("p", { class: "recording-state", role: "status" });
    const running = el("div");
    const exchanges = el("div", { class: "rows" });
    const address = el("code", null, app.url());
    const noExchange = nothing("No exchange yet: send requests to ", address, ".");
    const stubs = el("div"), routes = el("div");
    const save = button(KEEPS, stop, { kind: "primary" });
    const saveWhere = el("p", { class: "muted small" });
    replace(running, el("div", { class: "toolbar" }, state, el("span", { class: "grow" }), save, button("Discard and stop…", drop, { kind: "danger" })), saveWhere,
        part("Exchanges", noExchange, exchanges), part("Stubs that a save adds", stubs), routes);
    const written = el("div");
    replace(root, head("Record"), startPart, running, written);
    show(running, false);
    let isRecording = null, drawn = null, isStale = true;
    const poll = polled(app, 1000, async (signal) => {
        const { data } = await call("GET", "recordings/status", { signal });
        const was = isRecording;
        isRecording = data.status === "Recording";
        show(startPart, !isRecording);
        show(running, isRecording);
        app.count("record", isRecording ? 1 : 0, "warn");
        if (!isRecording) return;
        if (!was) { drawn = null; isStale = true; }
        setText(address, app.url());
        const folder = app.status()?.folder;
        const to = app.status()?.recording?.target;
        const isKept = !app.session && folder && folder.writable !== false;
        setText(save, isKept ? KEEPS : "Keep in memory and stop");
        setText(saveWhere, isKept ? `Each stub becomes a file in ${shown(folder.path, 200)}, with placeholders for what its name says is secret.`
            : app.session ? "A session keeps its stubs in memory." : "There is no folder that can be written: the stubs stay in memory until a reset.");
        if (isStale) {
            isStale = false;
            const count = await preview(signal);
            const left = data.leftOut ? `; ${counted(data.leftOut, "exchange")} found no room` : "";
            setText(state, `Recording${to ? ` ${shown(to, 200)}` : ""}: ${counted(count, "exchange")}${left}`);
            await readExchanges(signal);
        }
    });
    let timer = 0;
    function soon() {
        if (isRecording) timer ||= setTimeout(() => { timer = 0; isStale = true; poll.now(); }, 400);
    }
    const offs = [app.on("response", soon), app.on("recording", () => { isStale = true; poll.now(); }), app.on("restart", () => poll.now())];

    async function readExchanges(signal) {
        const { data } = await call("GET", "requests?view=row&limit=100&q=is:proxied", { signal });
        const own = (data.requests ?? []).filter((r) => r.at >= startedAt);
        show(noExchange, !own.length);
        keyed(exchanges, own.slice(0, 50), (r) => r.id, (first) => {
            const status = el("span", { class: "number" }), size = el("span", { class: "muted number" }), time = el("span", { class: "muted number" });
            return {
                node: el("div", { class: "row" }, el("span", { class: "muted number" }, formatTime(first.at)), requestLink(app, first), el("span", { class: "grow" }), status, size, time),
                update(r) {
                    setText(status, String(r.status ?? ""));
                    setText(size, formatSize(r.bodyBytesSent ?? r.bytesSent) ?? "");
                    setText(time, formatDuration(r.durationMs));
                },
            };
        });
    }

    /** Shows what a save would add, and answers how many exchanges there are. */
    async function preview(signal) {
        const answer = await callNodes("GET", "recordings/preview", { signal });
        const mappings = member(answer.nodes, "mappings")?.items ?? [];
        const count = answer.data.count ?? mappings.length;
        if (answer.text === drawn) return count;
        const files = (await call("GET", "recordings/preview?format=files", { signal })).data.files ?? [];
        drawn = answer.text;
        const keys = (answer.data.mappings ?? []).map((stub) => shown(keyOf(stub), 200));
        const whats = await Promise.all(mappings.slice(0, 50).map((node) => change(node, signal)));
        replace(stubs, mappings.length ? mappings.slice(0, 50).map((node, i) => el("details", { class: "fold" },
            el("summary", null, el("code", null, keys[i]), " ", badge(whats[i], whats[i] === "new" ? "ok" : whats[i] === "as before" ? "" : "warn")),
            code(shownLines(formatJSON(node).slice(0, 60_000)), `The stub ${keys[i]}`))) : nothing("None yet."),
        mappings.length > 50 ? el("p", { class: "muted" }, `and ${counted(mappings.length - 50, "more stub")}`) : null);
        replace(routes, files.length ? part("The same as routes, to be put into a file by hand", files.slice(0, 40).map((file) => el("details", { class: "fold" },
            el("summary", null, el("code", null, shown(file.path, 200))),
            file.text !== undefined ? [el("div", { class: "toolbar" }, copyButton(app, () => file.text)), code(shownLines(file.text.slice(0, 60_000)), `Content of ${shown(file.path, 200)}`)]
                : el("p", { class: "muted" }, `${formatSize(Math.floor((file.base64 ?? "").length * 3 / 4))} that are no text.`)))) : null);
        return count;
    }

    /** What a save does to the stub with the id of one: new, changed, or as before. */
    async function change(node, signal) {
        const id = member(node, "id")?.value;
        if (!before.has(id)) {
            try {
                before.set(id, (await callNodes("GET", `mappings/${encodeURIComponent(id)}`, { signal })).nodes);
            } catch (error) {
                if (!(error instanceof CallError) || error.status !== 404) return "new";
                before.set(id, null);
            }
        }
        const was = before.get(id);
        if (!was) return "new";
        const same = ["request", "response"].every((key) => JSON.stringify(member(was, key)) === JSON.stringify(member(node, key)));
        return same ? "as before" : "changed";
    }

    async function start() {
        const url = withScheme(target.value.trim().replace(/\/+$/, ""));
        if (!/^https?:\/\/[^/\s]/i.test(url)) {
            app.notice("The server is an address such as https://api.example.com", "warn");
            return target.focus();
        }
        const folder = app.status()?.folder;
        const spec = { persist: Boolean(!app.session && folder && folder.writable !== false) };
        const began = await attempt(app, async () => {
            if (isOnlyUnmatched) {
                await call("POST", "mappings/import", { json: {
                    mappings: [{ id: SENDER, name: "records what no stub answers", priority: 2147483647, request: {}, response: { proxyBaseUrl: url } }],
                } });
            } else spec.targetBaseUrl = url;
            return call("POST", "recordings/start", { json: spec });
        }, "Recording");
        if (began) { startedAt = Date.now() - 500; before.clear(); replace(written); }
        poll.now();
    }

    /** The stub that sent on is no longer wanted. */
    async function endSender() {
        try { await call("DELETE", `mappings/${SENDER}`); } catch { /* there was none */ }
    }

    async function stop() {
        const isKept = save.textContent === KEEPS;
        const planned = isKept ? await attempt(app, () => call("GET", "recordings/preview")) : null;
        const answer = await attempt(app, () => call("POST", "recordings/stop"), "The recording has ended");
        await endSender();
        if (answer) {
            const warning = answer.headers.get("X-StuntDouble-Warning");
            const marks = (text) => text.split(MARK).length;
            const hidden = planned?.text && marks(planned.text) > marks(answer.text);
            const ids = new Set(answer.data.ids ?? answer.data.mappings?.map((stub) => stub.id));
            replace(written, part("Done", warning ? el("p", { class: "warn" }, icon("client"), " ", shown(warning, 1000)) : null,
                el("p", null, `${counted(ids.size, "stub")} ${ids.size === 1 ? "answers" : "answer"} from now on. `, el("a", { href: "#/stubs" }, "See all stubs"), "."),
                hidden ? el("p", { class: "warn" }, icon("client"), " The files have placeholders for secrets. The running server answers with the real values until its next start.") : null,
                await writtenStubs(ids)));
        }
        poll.now();
    }

    /** The stubs that a save has added, with their files. */
    async function writtenStubs(ids) {
        const counters = await attempt(app, () => call("GET", "requests/counters"));
        const added = (counters?.data.stubs ?? []).filter((stub) => ids.has(stub.id));
        return added.length ? el("ul", null, added.slice(0, 50).map((stub) => el("li", null, stubLink(app, stub, shown(stub.key || stub.id, 200)), " ", el("code", { class: "muted" }, placeOf(stub)))),
            added.length > 50 ? el("li", { class: "muted" }, `and ${counted(added.length - 50, "more stub")}`) : null) : null;
    }

    async function drop() {
        if (!await app.confirm({ title: "Discard what was recorded?", text: "The recording ends, and its exchanges become no stubs. They stay in the list of requests.", action: "Discard" })) return;
        await attempt(app, () => call("POST", "recordings/stop?discard=true"), "Discarded");
        await endSender();
        poll.now();
    }
    return { update() {}, unmount() { poll.stop(); clearTimeout(timer); for (const off of offs) off(); } };
}

/** An address whose scheme may be missing: a name without a port of its own speaks TLS. */
function withScheme(text) {
    if (/^(localhost|[\d.]+|\[[\da-f:]+\]|[\w.-]+(?=:(?!443\b)\d))(:\d+)?(\/|$)/i.test(text)) return `http://${text}`;
    return /^[\w-]+(\.[\w-]+)+(:443)?(\/|$)/.test(text) ? `https://${text}` : text;
}
