// Recording: what another server answers becomes stubs. Nothing is written before Save.

import { counted, el, formatDuration, formatSize, formatTime, icon, replace, shown, shownLines } from "./dom.js";
import { CallError, call, callNodes } from "./api.js";
import { formatJSON } from "./json.js";
import { attempt, badge, button, code, copyButton, field, form, head, input, nothing, part, polled, requestLink, setText, show, submit } from "./parts.js";

export default { name: "record", title: "Record", key: "o", mount };


function mount(root, place, app) {
    const target = input({ type: "url", placeholder: "https://api.example.com", size: 36 });
    const startPart = form(start, el("div", { class: "toolbar fields-bar" }, field("The server to record", target), submit("Start")),
        el("p", { class: "muted small" }, "All requests go on to it and back until the recording ends. Nothing is written before you save."));
    const state = el("p", { role: "status" });
    const running = el("div");
    const exchanges = el("div", { class: "rows" });
    const noExchange = nothing("No exchange yet: send requests to ", el("code", null, app.url?.() ?? location.origin), ".");
    const files = el("div");
    const save = button("Save and stop", stop, { kind: "primary" });
    const discard = button("Discard and stop…", drop, { kind: "danger" });
    replace(running, el("div", { class: "toolbar" }, state, el("span", { class: "grow" }), save, discard),
        part("Exchanges", noExchange, exchanges), part("As it would be written", files));
    const written = el("div");
    replace(root, head("Record"), startPart, running, written);
    let isRecording = null, drawn = "";
    const poll = polled(app, 1000, async (signal) => {
        const { data } = await call("GET", "recordings/status", { signal });
        const was = isRecording;
        isRecording = data.status === "Recording";
        show(startPart, !isRecording);
        show(running, isRecording);
        if (!isRecording) { app.count("record", 0); return; }
        if (!was) { drawn = ""; await readExchanges(signal); }
        const left = data.leftOut ? `; ${counted(data.leftOut, "exchange")} found no room` : "";
        const to = app.status()?.recording?.target;
        await preview(signal, (count) => setText(state, `Recording${to ? ` ${shown(to, 200)}` : ""}: ${count === null ? "" : counted(count, "exchange")}${left}`));
    });
    const offs = [app.on("request", soon), app.on("response", soon), app.on("recording", () => poll.now()), app.on("restart", () => { poll.now(); })];
    let timer = 0;
    function soon() {
        if (!isRecording) return;
        timer ||= setTimeout(async () => { timer = 0; await readExchanges().catch(() => {}); poll.now(); }, 400);
    }

    async function readExchanges(signal) {
        let rows;
        try {
            rows = (await call("GET", "requests?view=row&limit=100&q=is:proxied", { signal })).data.requests ?? [];
        } catch (error) {
            if (error.status !== 400) throw error;
            rows = [];
        }
        const since = startedAt;
        const own = rows.filter((r) => !since || r.at >= since);
        show(noExchange, !own.length);
        replace(exchanges, own.slice(0, 50).map((r) => el("div", { class: "row" }, el("span", { class: "muted number" }, formatTime(r.at)), requestLink(app, r), el("span", { class: "grow" }),
            el("span", { class: "number" }, r.status ?? ""), el("span", { class: "muted number" }, formatSize(r.bodyBytesSent ?? r.bytesSent)), el("span", { class: "muted number" }, formatDuration(r.durationMs)))));
    }

    async function preview(signal, told) {
        let answer;
        try {
            answer = await callNodes("GET", "recordings/preview?format=files", { signal });
        } catch (error) {
            if (!(error instanceof CallError)) throw error;
            told(null);
            if (drawn !== "none") { drawn = "none"; replace(files, nothing("What would be written is seen when it is saved.")); }
            return;
        }
        told(answer.data.count ?? 0);
        if (answer.text === drawn) return;
        drawn = answer.text;
        replace(files, filesView(answer.data, answer.nodes));
    }

    /** The files of an answer of `stop` or `preview`, or its mappings. */
    function filesView(data, nodes) {
        const list = Array.isArray(data.files) ? data.files.map((f) => [f.file ?? f.path ?? f.name, f.text ?? f.content ?? "", f])
            : Object.entries(data.files ?? {}).map(([name, value]) => [name, typeof value === "string" ? value : value.text ?? "", value]);
        if (!list.length && data.mappings) list.push(["mappings", formatJSON(nodes)]);
        if (!list.length) return nothing("Nothing yet.");
        return list.slice(0, 40).map(([name, text, extra], i) => el("details", { class: "fold", open: i === 0 }, el("summary", null, el("code", null, shown(name, 200)), " ",
            extra?.result ? badge(shown(extra.result, 30)) : null),
        text ? [el("div", { class: "toolbar" }, copyButton(app, () => text)), code(shownLines(text.slice(0, 60_000)), `Content of ${shown(name, 200)}`)]
            : el("p", { class: "muted" }, "Bytes that are no text.")));
    }

    async function start() {
        const url = target.value.trim();
        if (!/^https?:\/\/[^/]/i.test(url)) {
            app.notice("The server is an address such as https://api.example.com", "warn");
            return target.focus();
        }
        const began = await attempt(app, () => call("POST", "recordings/start", { json: { targetBaseUrl: url } }), "Recording");
        if (began) { startedAt = Date.now() - 500; replace(written); }
        poll.now();
    }

    async function stop() {
        const answer = await attempt(app, () => callNodes("POST", "recordings/stop?format=files"), "Saved");
        if (answer) {
            const warning = answer.headers.get("X-StuntDouble-Warning");
            replace(written, part("Saved", warning ? el("p", { class: "warn" }, icon("client"), " ", shown(warning, 1000)) : null,
                el("p", null, "The stubs answer from now on. ", el("a", { href: "#/stubs" }, "See the stubs")), filesView(answer.data, answer.nodes)));
        }
        poll.now();
    }

    async function drop() {
        if (!await app.confirm({ title: "Discard what was recorded?", text: "The recording ends, and its exchanges become no stubs. They stay in the list of requests.", action: "Discard" })) return;
        await attempt(app, () => call("POST", "recordings/stop?discard=true"), "Discarded");
        poll.now();
    }
    return { update() {}, unmount() { poll.stop(); clearTimeout(timer); for (const off of offs) off(); } };
}

/** When this page began the recording. */
let startedAt = 0;
