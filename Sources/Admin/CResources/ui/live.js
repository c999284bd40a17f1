// What waits or goes on now: gates with those who wait there, streams with their readers, delayed answers.

import { counted, el, formatDuration, formatSize, formatTime, replace, shown } from "./dom.js";
import { CallError, call, pageAddress } from "./api.js";
import { JSONError, readJSON } from "./json.js";
import { attempt, badge, button, field, form, head, input, keyed, nothing, part, polled, refusal, requestLink, select, setText, show, stubLink, stubName, submit, wholeSeconds } from "./parts.js";

/** What was last pushed to a stream, as long as the page lives. */
const pushed = new Map();

/** The most sessions that are asked what waits in them. */
const MOST = 12;

export default { name: "live", title: "Live", key: "l", mount };

function mount(root, place, app) {
    const gates = el("div"), streams = el("div"), delayed = el("div", { class: "rows" });
    const noGate = nothing("Nobody waits at a gate. A stub with ", el("code", null, "hold"), " holds its answer here until you let it go.");
    const noStream = nothing("Nobody reads a stream.");
    const noDelayed = nothing("No answer is delayed or paced.");
    const names = el("datalist", { id: "gate-names" });
    const gateName = input({
        placeholder: "name of a gate", "aria-label": "Gate to open before somebody waits there", list: "gate-names", on: { focus: () => readNames() },
    });
    const more = el("p", { class: "muted" });
    replace(root, head("Live"),
        part("Gates", noGate, gates, form(openByName, el("div", { class: "toolbar" }, gateName, names, submit("Open it ahead", "")))),
        part("Streams", noStream, streams),
        part("Delayed answers", noDelayed, delayed, more));
    /** When the last answer came: ages are counted from there. */
    let readAt = Date.now();
    const ticking = new Map();
    const poll = polled(app, 1000, read);
    const offs = [...["request", "response", "gate", "reset", "restart", "only"].map((type) => app.on(type, soon)), app.every(1000, tick)];
    let soonTimer = 0;
    function soon() {
        if (soonTimer) return;
        soonTimer = setTimeout(() => { soonTimer = 0; poll.now(); }, 250);
    }

    /** This page's session; where it shows all, those in which a request is open, too. */
    function sources() {
        const found = new Map([[app.session, null]]);
        if (!app.session && app.only !== "own") {
            for (const row of app.rows.open.values()) if (row.session && found.size < MOST) found.set(row.session.id, row.session);
        }
        return [...found];
    }

    /** What waits in a session: gates, streams and answers, of which each knows where it is. */
    async function readOne([of, about], signal) {
        const lists = [];
        for (const [path, key] of [["gates", "gates"], ["streams", "streams"], ["in-flight", "inFlight"]]) {
            try {
                const { data } = await call("GET", path, { signal, session: of });
                lists.push((data[key] ?? []).map((one) => ({ ...one, of, about })));
            } catch (error) {
                // One that has ended meanwhile has nothing any more.
                if (!about || !(error instanceof CallError)) throw error;
                lists.push([]);
            }
        }
        return lists;
    }

    async function read(signal) {
        const all = await Promise.all(sources().map((source) => readOne(source, signal)));
        readAt = Date.now();
        const [listed, open, inFlight] = [0, 1, 2].map((i) => all.flatMap((lists) => lists[i]));
        const keyOf = (one) => `${one.of ?? ""} ${one.name}`;
        keyed(gates, listed, keyOf, gateCard);
        show(noGate, !listed.length);
        keyed(streams, open, keyOf, streamCard);
        show(noStream, !open.length);
        const named = new Set(open.flatMap((stream) => (stream.requests ?? []).map((r) => r.id)));
        const slow = inFlight.filter((r) => r.state !== "held" && !named.has(r.id));
        keyed(delayed, slow.slice(0, 50), (r) => r.id, delayedRow);
        show(noDelayed, !slow.length);
        show(more, slow.length > 50);
        setText(more, slow.length > 50 ? `and ${counted(slow.length - 50, "more answer")}` : "");
        tick();
    }

    /** The session of what is not in this page's. */
    function sessionNote({ of, about }) {
        return about && el("small", { class: "muted" }, "in session ", el("a", { href: pageAddress(of, "#/live") }, el("bdi", null, shown(about.name ?? of, 80))));
    }

    function stubNote(stub, of) {
        return stub && el("small", { class: "muted" }, of === app.session ? stubLink(app, stub)
            : el("a", { href: pageAddress(of, `#/stubs/${encodeURIComponent(stub.id)}`) }, stubName(stub)));
    }

    function tick() {
        const passed = Date.now() - readAt;
        for (const [node, age] of ticking) {
            if (!node.isConnected) ticking.delete(node);
            else setText(node, wholeSeconds(age + passed));
        }
    }

    async function act({ path, of }, what, json, done) {
        const answer = await attempt(app, () => call("POST", `${path}/${what}`, { session: of, ...(json && { json }) }), done);
        const warning = answer?.headers?.get("X-StuntDouble-Warning");
        if (warning) app.notice(shown(warning, 500), "warn");
        poll.now();
        return answer;
    }

    /** The gates that stubs name. */
    async function readNames() {
        if (names.firstChild) return;
        const found = new Set();
        try {
            for (const stub of (await call("GET", "mappings?limit=2000")).data.mappings ?? []) {
                for (const answer of [stub.response, ...(stub.responses ?? [])]) {
                    const hold = answer?.hold;
                    if (hold) found.add(typeof hold === "string" ? hold : hold.gate);
                }
            }
        } catch { return; }
        replace(names, [...found].filter(Boolean).slice(0, 100).map((name) => el("option", { value: name })));
    }

    function openByName() {
        const name = gateName.value.trim();
        if (!name) return gateName.focus();
        gateName.value = "";
        act({ path: `gates/${encodeURIComponent(name)}`, of: app.session }, "open", undefined, `Gate ${shown(name, 80)} is open: nobody waits there`);
    }

    // Gates.

    function gateCard(first) {
        const there = { path: `gates/${encodeURIComponent(first.name)}`, of: first.of };
        const name = shown(first.name, 120);
        const sum = el("span", { class: "muted" });
        const openMark = badge("open: nobody waits here", "warn");
        const release = button("Release all", () => act(there, "release", {}, (a) => `${counted(a.data.released, "request")} released`), { kind: "primary", label: `Release all at ${name}` });
        const fail = button("Break all…", () => breakThem(there, {}, `all at ${name}`), { label: `Break all at ${name}` });
        const open = button("Open", () => act(there, "open", undefined, `Gate ${name} is open`), { label: `Open ${name}`, title: "Lets all go, and nobody wait until it is closed" });
        const close = button("Close", () => act(there, "close", undefined, `Gate ${name} is closed`), { label: `Close ${name}` });
        const rows = el("div", { class: "rows" });
        const rest = el("p", { class: "muted" });
        const node = el("section", { class: "card gate", "aria-label": `Gate ${name}` },
            el("div", { class: "card-head" }, el("h3", null, el("bdi", null, name)), sessionNote(first), sum, openMark, el("span", { class: "grow" }), release, fail, open, close), rows, rest);
        return {
            node,
            update(gate) {
                setText(sum, gate.waiting ? `${gate.waiting === 1 ? "1 waits" : `${gate.waiting} wait`}` : "nobody waits");
                show(openMark, gate.open);
                show(open, !gate.open);
                show(close, gate.open);
                show(release, gate.waiting > 0);
                show(fail, gate.waiting > 0);
                keyed(rows, (gate.requests ?? []).slice(0, 30), (r) => r.id, (r) => waitingRow(there, r));
                const more = gate.waiting - Math.min(30, gate.requests?.length ?? 0);
                setText(rest, more > 0 ? `and ${more} more` : "");
                show(rest, more > 0);
            },
        };
    }

    function waitingRow(there, request) {
        const age = el("span", { class: "number age" });
        const words = shown(`${request.method} ${request.url}`, 80);
        const node = el("div", { class: "row" }, age, requestLink(app, request),
            stubNote(request.stub, there.of),
            request.inStream ? badge("in a stream") : null, el("span", { class: "grow" }),
            el("span", { class: "toolbar" },
                button("Release", () => act(there, "release", { id: request.id }, "Released"), { label: `Release ${words}` }),
                request.inStream ? null : button("Answer with…", () => answerWith(there, request), { label: `Answer ${words} with` }),
                button("Break…", () => breakThem(there, { id: request.id }, words), { label: `Break ${words}` })));
        return { node, update(r) { ticking.set(age, r.ageMs); } };
    }

    async function answerWith({ path, of }, request) {
        const status = input({ value: "200", inputmode: "numeric", size: 6 });
        const type = select([["application/json", "JSON"], ["text/plain; charset=utf-8", "Text"], ["text/html; charset=utf-8", "HTML"]]);
        const body = el("textarea", { class: "small-area", rows: 5, spellcheck: "false" });
        const wrong = el("p", { class: "error", role: "alert" });
        let answer = null, refused = null;
        await app.dialog({
            title: `Answer ${shown(`${request.method} ${request.url}`, 60)} with`,
            content: [el("div", { class: "toolbar fields-bar" }, field("Status", status), field("Type", type)), field("Body", body), wrong],
            actions: [{ text: "Cancel", value: null }, { text: "Answer", value: "yes", kind: "primary", run: async () => {
                const number = Number(status.value);
                if (!Number.isInteger(number) || number < 100 || number > 999) {
                    setText(wrong, `A status is a number from 100 to 999, not ${shown(status.value, 20) || "nothing"}.`);
                    status.focus();
                    return false;
                }
                if (type.value === "application/json" && body.value.trim() && refused !== body.value) {
                    try { readJSON(body.value); } catch (error) {
                        if (!(error instanceof JSONError)) throw error;
                        refused = body.value;
                        setText(wrong, `This is no JSON: line ${body.value.slice(0, error.offset).split("\n").length}: ${error.message}. Answer sends it all the same.`);
                        return false;
                    }
                }
                try {
                    answer = await call("POST", `${path}/release`, { session: of, json: { id: request.id, response: { status: number, headers: { "Content-Type": type.value }, body: body.value } } });
                    return true;
                } catch (error) {
                    if (!(error instanceof CallError)) throw error;
                    setText(wrong, refusal(error));
                    return false;
                }
            } }],
        });
        if (answer) app.notice(answer.data.released ? `Answered with ${status.value}` : "It waits no longer", answer.data.released ? "ok" : "warn");
        poll.now();
    }

    async function breakThem(there, which, words) {
        const kind = select([
            ["CONNECTION_RESET_BY_PEER", "reset the connection"], ["EMPTY_RESPONSE", "close it without an answer"],
            ["MALFORMED_RESPONSE_CHUNK", "a broken chunk"], ["RANDOM_DATA_THEN_CLOSE", "garbage, then close"],
        ]);
        const chosen = await app.dialog({
            title: `Break ${words}?`, content: field("How", kind),
            actions: [{ text: "Cancel", value: null }, { text: "Break", value: "yes", kind: "danger" }],
        });
        if (chosen === "yes") act(there, "fail", { ...which, fault: kind.value }, (a) => `${counted(a.data.failed ?? a.data.released ?? 0, "request")} broken`);
    }

    // Streams.

    function streamCard(first) {
        const there = { path: `streams/${encodeURIComponent(first.name)}`, of: first.of };
        const name = shown(first.name, 120);
        const last = pushed.get(first.name) ?? {};
        const sum = el("span", { class: "muted" });
        const rows = el("div", { class: "rows" });
        const event = input({ value: last.event ?? "", size: 12 });
        const id = input({ value: last.id ?? "", size: 8 });
        const data = el("textarea", { class: "small-area", rows: 2, spellcheck: "false", value: last.data ?? "" });
        const told = el("p", { class: "muted", role: "status" });
        const push = async () => {
            const kept = { event: event.value.trim(), id: id.value.trim(), data: data.value };
            pushed.set(first.name, kept);
            const json = { data: kept.data };
            if (kept.event) json.event = kept.event;
            if (kept.id) json.id = kept.id;
            const answer = await attempt(app, () => call("POST", there.path, { session: there.of, json }));
            if (answer) setText(told, `Sent to ${counted(answer.data.readers, "reader")} at ${formatTime(Date.now()).slice(0, 8)}. Push sends the same again.`);
            poll.now();
        };
        const node = el("section", { class: "card stream", "aria-label": `Stream ${name}` },
            el("div", { class: "card-head" }, el("h3", null, el("bdi", null, name)), sessionNote(first), sum, el("span", { class: "grow" }),
                button("Close", () => act(there, "close", undefined, `Stream ${name} closed`), { label: `Close the stream ${name}`, title: "Ends it in order for all readers" }),
                button("Break…", async () => {
                    if (await app.confirm({ title: `Break the stream ${name}?`, text: "The connections of all its readers are reset.", action: "Break" })) act(there, "fail", undefined, `Stream ${name} broken`);
                }, { label: `Break the stream ${name}` })),
            rows, form(push, el("div", { class: "toolbar fields-bar" }, field("Event", event), field("Id", id), grown(field("Data", data)), submit("Push")), told));
        return {
            node,
            update(stream) {
                setText(sum, `${counted(stream.readers, "reader")}, ${counted(stream.sent, "event")} sent`);
                keyed(rows, (stream.requests ?? []).slice(0, 20), (r) => r.id, (request) => {
                    const age = el("span", { class: "number age" });
                    const waits = el("small", { class: "muted" });
                    return {
                        node: el("div", { class: "row" }, age, requestLink(app, request), waits),
                        update(r) { ticking.set(age, r.ageMs); setText(waits, r.pendingBytes ? `${formatSize(r.pendingBytes)} wait for its reader` : ""); },
                    };
                });
            },
        };
    }

    // Delayed answers.

    function delayedRow(request) {
        const age = el("span", { class: "number age" });
        const state = el("small", { class: "muted" });
        const words = shown(`${request.method} ${request.url}`, 80);
        const end = button("End", async () => {
            await attempt(app, () => call("DELETE", `in-flight/${encodeURIComponent(request.id)}`, { session: request.of }), "Ended");
            poll.now();
        }, { label: `End ${words}` });
        return {
            node: el("div", { class: "row" }, age, requestLink(app, request), sessionNote(request), stubNote(request.stub, request.of), state, el("span", { class: "grow" }), end),
            update(r) {
                ticking.set(age, r.ageMs);
                setText(state, r.state === "delayed" ? `of ${formatDuration(r.delayMs)} delay` : r.state === "sending" ? "is being sent" : shown(r.state, 40));
            },
        };
    }

    return {
        update() {},
        unmount() { poll.stop(); clearTimeout(soonTimer); for (const off of offs) off(); },
    };
}

function grown(node) {
    node.classList.add("grow");
    return node;
}
