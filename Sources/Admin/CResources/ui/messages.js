// Channels and what is said on them: who is connected, message by message as it comes, and the message stubs.

import { counted, el, formatSize, formatTime, replace, shown, shownLines } from "./dom.js";
import { call } from "./api.js";
import { attempt, badge, button, code, form, head, input, keyed, nothing, ownNote, part, polled, setText, show, submit, table, timeOf } from "./parts.js";

/** The most messages that are kept, and that are shown. */
const KEPT = 2000, SHOWN = 200;

export default { name: "messages", title: "Messages", key: "m", mount };

/** A message of the journal, or of an event, as a row. */
function rowOf(d) {
    const request = d.channel?.initiatingRequest;
    return {
        id: d.id, at: d.timestamp ? timeOf(d.timestamp) : Date.now(), isIn: (d.direction ?? d.eventType) === "received",
        channel: d.channel?.id, where: d.channel?.url ?? request?.url ?? `${d.channel?.providerName}/${d.channel?.channelName}`,
        text: d.message ?? "", size: d.size, kind: d.kind, matched: d.wasMatched !== false,
        stub: d.stub ?? (d.stubMapping && { id: d.stubMapping.id, name: d.stubMapping.name }),
        failure: d.failure ?? d.subEvents?.[0]?.data?.message,
    };
}

function mount(root, place, app) {
    const own = ownNote(app, "These are the daemon's own channels and messages");
    const open = el("div", { class: "rows" }), noOpen = nothing("No client has a WebSocket open.");
    const body = el("tbody"), none = nothing("No message has come yet.");
    const stubs = el("div", { class: "rows" }), noStubs = nothing("There are no message stubs: they stand in files below ", el("code", null, "message-mappings/"), ".");
    const list = table("Messages, the newest first", [["Time", "number"], "Channel", "Message", "Answered by"], body);
    const only = button("Unmatched only", () => { isOnly = !isOnly; only.setAttribute("aria-pressed", String(isOnly)); draw(); }, { kind: "chip", pressed: false });
    const search = input({ type: "search", class: "grow", "aria-label": "Search messages", placeholder: "Search: words, a path", on: { input: () => draw() } });
    const rest = el("p", { class: "muted" });
    let isOnly = false, rows = [], ids = new Set(), timer = 0;
    replace(root, head("Messages", button("Forget all", forget)), own.node,
        part("Open channels", noOpen, open), part("Messages", el("div", { class: "toolbar" }, search, only), none, list, rest), part("Message stubs", noStubs, stubs));

    function add(row) {
        if (!row.id || ids.has(row.id)) return;
        ids.add(row.id);
        rows.unshift(row);
        if (rows.length > KEPT) for (const old of rows.splice(KEPT)) ids.delete(old.id);
    }
    function soon() { timer ||= setTimeout(() => { timer = 0; draw(); }, 150); }
    const isHere = (d) => (d.session?.id ?? null) === (app.session ?? null);
    const offs = [
        app.on("message", (d) => { if (isHere(d)) { add(rowOf(d)); soon(); } }),
        app.on("channel", (d) => { if (isHere(d)) poll.now(); }),
        ...["reset", "restart"].map((type) => app.on(type, () => { read(); poll.now(); })),
    ];
    const poll = polled(app, 5000, async (signal) => {
        const [channels, mappings] = await Promise.all(["channels", "message-mappings?limit=500"].map((path) => call("GET", path, { signal })));
        keyed(open, channels.data.channels.slice(0, SHOWN), (c) => c.id, channelRow);
        show(noOpen, !channels.data.channels.length);
        keyed(stubs, mappings.data.messageMappings, (s) => s.id, stubRow);
        show(noStubs, !mappings.data.messageMappings.length);
    });

    /** What came before the page was opened. */
    async function read() {
        rows = [];
        ids = new Set();
        const answer = await attempt(app, () => call("GET", `messages?limit=${SHOWN}`));
        for (const event of (answer?.data.messageServeEvents ?? []).reverse()) add(rowOf(event));
        draw();
    }

    async function forget() {
        if (await attempt(app, () => call("DELETE", "messages"), "Forgotten")) read();
    }

    function draw() {
        const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
        const found = rows.filter((row) => (!isOnly || !row.matched)
            && words.every((word) => `${row.where} ${row.text} ${row.stub?.name ?? ""}`.toLowerCase().includes(word)));
        keyed(body, found.slice(0, SHOWN), (row) => row.id, messageRow);
        show(list, found.length > 0);
        show(none, !rows.length);
        setText(rest, found.length > SHOWN ? `and ${counted(found.length - SHOWN, "older message")}` : "");
    }

    function channelRow(channel) {
        const request = channel.initiatingRequest;
        const name = shown(request?.url ?? `${channel.providerName}/${channel.channelName}`, 200);
        const said = input({ "aria-label": `Message to ${name}`, size: 20, placeholder: "message" });
        const send = () => attempt(app, () => call("POST", "channels/send", { json: request
            ? { type: "websocket", initiatingRequest: { url: request.url }, message: said.value }
            : { type: "fixed", providerName: channel.providerName, channelName: channel.channelName, message: said.value } }), "Sent");
        return {
            node: el("div", { class: "row" }, el("bdi", { class: "url" }, name),
                el("small", { class: "muted" }, request ? `${shown(request.clientIp, 60)}, since ${formatTime(request.loggedDate).slice(0, 8)}` : "fixed"),
                el("span", { class: "grow" }),
                form(send, el("div", { class: "toolbar" }, said, submit(request ? "Send to all of this URL" : "Send", ""))),
                button("Close", async () => { await attempt(app, () => call("DELETE", `channels/${channel.id}`), "Closed"); poll.now(); }, { label: `Close ${name}` })),
        };
    }

    function messageRow(row) {
        const text = el("button", { type: "button", class: "plain message", "aria-expanded": "false", on: { click: () => unfold() } }, shown(row.text, 300) || "(empty)");
        const cell = el("td", null, text, row.kind === "binary" ? badge("binary") : null, row.size > row.text.length ? el("small", { class: "muted" }, " ", formatSize(row.size)) : null);
        let more = null;
        async function unfold() {
            text.setAttribute("aria-expanded", String(!more));
            if (more) { more.remove(); more = null; return; }
            more = el("div", null, code(shownLines(row.text), "The message"));
            cell.append(more);
            if (row.matched || !row.isIn) return;
            const answer = await attempt(app, () => call("GET", `messages/${row.id}/explain`));
            const why = answer?.data.smallestChange ?? answer?.data.reason;
            const near = answer?.data.nearMisses?.[0];
            if (why) more?.append(el("p", null, near ? `Nearest: ${shown(near.stubMapping?.name ?? near.key, 100)}. ` : "", shown(why, 600)));
        }
        return {
            node: el("tr", null, el("td", { class: "number" }, formatTime(row.at)),
                el("td", null, el("span", { "aria-hidden": "true" }, row.isIn ? "→ " : "← "), el("span", { class: "offscreen" }, row.isIn ? "received on" : "sent on"), " ", el("bdi", null, shown(row.where, 120))),
                cell,
                el("td", null, row.failure ? badge(shown(row.failure, 200), "error") : !row.matched ? badge("unmatched", "unmatched") : row.stub ? shown(row.stub.name ?? row.stub.id, 100) : "")),
        };
    }

    function stubRow(stub) {
        const trigger = stub.trigger ?? {};
        const request = trigger.channel?.initiatingRequestPattern ?? trigger.requestPattern;
        const url = request?.url ?? request?.urlPath ?? request?.urlPathTemplate ?? request?.urlPattern ?? request?.urlPathPattern;
        const says = trigger.message?.body ? JSON.stringify(trigger.message.body) : (trigger.type ?? "message") === "message" ? "any message" : trigger.type;
        return {
            node: el("details", { class: "row" }, el("summary", null, el("strong", null, shown(stub.name ?? stub.id, 100)), " ",
                el("bdi", { class: "muted" }, shown(`${url ?? "any channel"}: ${says}`, 200))),
            code(JSON.stringify(stub, null, 2), "The message stub")),
        };
    }

    read();
    return { update() {}, unmount() { poll.stop(); own.stop(); clearTimeout(timer); for (const off of offs) off(); } };
}
