// Faults, state, data and scenarios: what a session holds beside its stubs.

import { counted, el, formatCount, icon, replace, shown } from "./dom.js";
import { CallError, call, callNodes } from "./api.js";
import { compactText, formatJSON, readJSON, scalarText } from "./json.js";
import { codeField, member } from "./editor.js";
import {
    attempt, badge, button, disable, field, form, head, input, keyed, keyOf, nothing, ownNote, part, polled, refusal, select, setText, show, stubLink,
    submit, table,
} from "./parts.js";

/** Asks for a document in a dialog; `send` gets its text and throws a refusal, which is shown. */
async function askDocument(app, { title, text, hint, action, send, kind = "primary" }) {
    const area = codeField("The document in JSON", {});
    area.value = text;
    const wrong = el("p", { class: "error", role: "alert" });
    return await app.dialog({
        title, kind: "wide",
        content: [hint ? el("p", { class: "muted" }, hint) : null, area.node, wrong],
        actions: [{ text: "Cancel", value: null }, { text: action, value: true, kind, run: async () => {
            try {
                readJSON(area.value);
            } catch (error) {
                const before = area.value.slice(0, error.offset ?? 0);
                const line = before.split("\n").length;
                area.mark([{ severity: "error", message: error.message, line }]);
                setText(wrong, `Line ${line}: ${error.message}`);
                return false;
            }
            try {
                await send(area.value);
                return true;
            } catch (error) {
                if (!(error instanceof CallError)) throw error;
                setText(wrong, refusal(error));
                return false;
            }
        } }],
    }) === true;
}

/** Whether a fault for the first requests is over: it has acted on them. */
const isSpent = (fault) => Boolean(fault.first && fault.acted >= fault.first);

/** A strip above every view while faults of this session are on. */
export function watchFaults(app) {
    let drawn = "";
    const look = async () => {
        const faults = ((await call("GET", "faults")).data.faults ?? []).filter((fault) => !isSpent(fault));
        app.count("faults", faults.length, faults.length ? "warn" : "");
        const names = faults.slice(0, 3).map((fault) => shown(fault.name || fault.id, 60));
        const text = JSON.stringify([faults.length, names]);
        if (text === drawn) return;
        drawn = text;
        if (!faults.length) return app.strip("faults", null);
        app.strip("faults", el("span", { class: "warn" }, icon("fault")), ` ${counted(faults.length, "fault")} on: `, names.map((name, i) => [i ? ", " : "", el("bdi", null, name)]),
            faults.length > 3 ? ", …" : "", el("span", { class: "grow" }), app.link("#/faults", "Faults"));
    };
    app.every(5000, look);
    app.on("entered", () => { drawn = ""; });
    for (const type of ["fault", "reset", "restart", "entered"]) app.on(type, () => look().catch(() => {}));
    // One that acts may be the last: what it was on is said at once.
    let timer = 0;
    app.on("response", () => {
        if (drawn && drawn[1] !== "0") timer ||= setTimeout(() => { timer = 0; look().catch(() => {}); }, 500);
    });
}

/** The numbers of scenarios, contexts and collections, also before their views are opened. */
export function watchCounts(app) {
    const look = async () => {
        const of = app.session;
        const answers = await Promise.all(["scenarios", "state", "data"].map((path) => call("GET", path)));
        if (of !== app.session) return;
        ["scenarios", "contexts", "collections"].forEach((key, i) => app.count(["scenarios", "state", "data"][i], answers[i].data[key]?.length ?? 0));
    };
    let timer = 0;
    app.every(10_000, look);
    for (const type of ["stub", "reload", "reset", "restart", "entered"]) {
        app.on(type, () => { timer ||= setTimeout(() => { timer = 0; look().catch(() => {}); }, 500); });
    }
}

// Faults.

const COMMON = [
    ["503", "status 503", { status: 503 }],
    ["500", "status 500", { status: 500 }],
    ["429", "status 429", { status: 429 }],
    ["status", "another status…", null],
    ["never", "no answer at all", { neverAnswer: true }],
    ["reset", "connection reset", { kind: "CONNECTION_RESET_BY_PEER" }],
    ["empty", "closed without an answer", { kind: "EMPTY_RESPONSE" }],
    ["half", "cut in the middle of the body", { cutAfter: "50%" }],
    ["head", "cut after the headers", { cutAfter: "headers" }],
    ["late", "2 s late", { delay: "2s" }],
    ["slow", "at 3 KB/s", { bandwidth: "3KB/s" }],
    ["stall", "stalled in the body", { stall: { after: 1, for: "forever" } }],
    ["garbage", "garbage, then close", { kind: "RANDOM_DATA_THEN_CLOSE" }],
];

/** A path as it is meant: its slash may be missing. */
const pathOf = (text) => text.trim().replace(/^(?=[^/*\s])/, "/");

/** A path with `*`, `**` and `{name}` as members of a request pattern. */
export function pathPattern(text) {
    const path = pathOf(text);
    if (!path || path === "**" || path === "/**") return {};
    if (!/[*{]/.test(path)) return { [path.includes("?") ? "url" : "urlPath"]: path };
    const expression = path.replace(/\*\*|\*|\{[^{}/]*\}|[\\^$.|?+()[\]{}]/g, (m) =>
        m === "**" ? ".*" : m === "*" || (m.startsWith("{") && m.length > 1) ? "[^/]+" : `\\${m}`);
    return { urlPathPattern: expression };
}

function mountFaults(root, place, app) {
    const list = el("div", { class: "rows" });
    const sets = el("div", { class: "rows" });
    const none = nothing("No fault acts: every answer is that of its stub.");
    const noSets = nothing("No file of the folder has sets of faults. A set under ", el("code", null, "chaos"), " in a file of routes is a switch here.");
    const count = input({ class: "count-field", inputmode: "numeric", placeholder: "all", size: 4 });
    const method = select([["", "any method"], "GET", "POST", "PUT", "PATCH", "DELETE"]);
    const pattern = input({ placeholder: "/api/**", size: 24 });
    const kind = select(COMMON.map(([value, text]) => [value, text]), { on: { change: () => show(statusField, kind.value === "status") } });
    const status = input({ inputmode: "numeric", size: 5, value: "418" });
    const statusField = field("Status", status);
    show(statusField, false);
    const own = ownNote(app, "These are the daemon’s own faults");
    replace(root, head("Faults", button("By JSON…", byJSON), button("Remove all…", removeAll, { kind: "danger" })), own.node,
        part("A new fault", form(add, el("div", { class: "toolbar fields-bar" }, field("The next", count), field("requests", method), field("to", pattern), field("get", kind), statusField, submit("Add the fault")),
            el("p", { class: "muted small" }, "Nothing for a number: all of them, until it is removed. ", el("code", null, "*"), " is a segment of a path, ", el("code", null, "**"), " anything. A reset removes all faults."))),
        part("Faults that are on", none, list), part("Sets", noSets, sets));
    const poll = polled(app, 2000, async (signal) => {
        const { data } = await call("GET", "faults", { signal });
        const faults = data.faults ?? [];
        keyed(list, faults.slice(0, 200), (fault) => fault.id, faultRow);
        show(none, !faults.length);
        keyed(sets, data.sets ?? [], (set) => set.name, setRow);
        show(noSets, !data.sets?.length);
        const on = faults.filter((fault) => !isSpent(fault));
        app.count("faults", on.length, on.length ? "warn" : "");
    });
    const offs = ["fault", "reset", "reload", "restart"].map((type) => app.on(type, () => poll.now()));

    async function add() {
        const fault = {};
        const request = pathPattern(pattern.value);
        if (method.value) request.method = method.value;
        if (Object.keys(request).length) fault.request = request;
        const chosen = COMMON.find(([value]) => value === kind.value);
        Object.assign(fault, chosen[2] ?? { status: Number(status.value) });
        const number = count.value.trim();
        if (number && number !== "all") {
            if (!/^[1-9]\d*$/.test(number)) { app.notice(`How many is a number, not ${shown(number, 40)}`, "warn"); return count.focus(); }
            fault.first = Number(number);
        }
        fault.name = `${number ? `next ${number}` : "all"} to ${method.value ? `${method.value} ` : ""}${pathOf(pattern.value) || "anything"}: ${chosen[2] ? chosen[1] : `status ${status.value}`}`;
        if (await attempt(app, () => call("POST", "faults", { json: fault }), "The fault is on")) poll.now();
    }

    async function byJSON() {
        const text = JSON.stringify({ name: "slow api", request: { urlPathPattern: "/api/.*" }, delay: "200ms", probability: "50%" }, null, 2);
        if (await askDocument(app, { title: "A fault, or a list of them", text, hint: ["All that a fault may say: ", el("a", { href: "../docs" }, "the calls"), "."], action: "Add", send: (json) => call("POST", "faults", { json }) })) {
            app.say("The fault is on");
            poll.now();
        }
    }

    async function removeAll() {
        if (!await app.confirm({ title: "Remove all faults?", text: "Those of sets go, too. Faults of stubs stay.", action: "Remove" })) return;
        await attempt(app, () => call("DELETE", "faults"), "No fault is on");
        poll.now();
    }

    function faultRow(first) {
        const acted = el("span", { class: "number" });
        const { id, name, acted: ignored, ...rest } = first;
        void ignored;
        const words = shown(name || JSON.stringify(rest), 120);
        return {
            node: el("div", { class: "row" }, el("span", { class: "mark warn" }, icon("fault")), el("div", { class: "grow" }, el("bdi", null, words),
                el("div", { class: "muted small" }, el("code", null, shown(JSON.stringify(rest), 400)))), acted,
            button("Remove", async () => {
                await attempt(app, () => call("DELETE", `faults/${encodeURIComponent(id)}`), "Removed");
                poll.now();
            }, { label: `Remove the fault ${words}` })),
            update(fault) { setText(acted, isSpent(fault) ? `acted on ${formatCount(fault.acted)}: over` : fault.acted ? `acted on ${formatCount(fault.acted)}` : "has not acted"); },
        };
    }

    function setRow(first) {
        const name = shown(first.name, 100);
        let isOn = false;
        const onOff = el("button", { type: "button", class: "switch", role: "switch", "aria-label": `Set ${name}`, on: { click: async () => {
            await attempt(app, () => call(isOn ? "DELETE" : "PUT", `faults/sets/${encodeURIComponent(first.name)}`), `${name} is ${isOn ? "off" : "on"}`);
            poll.now();
        } } });
        const where = el("span", { class: "muted" });
        return {
            node: el("div", { class: "row" }, onOff, el("bdi", { class: "grow" }, name), where),
            update(set) {
                isOn = set.isOn;
                onOff.setAttribute("aria-checked", String(isOn));
                setText(onOff, isOn ? "On" : "Off");
                setText(where, `${shown(set.file ?? "", 200)}`);
            },
        };
    }
    return { update() {}, unmount() { poll.stop(); own.stop(); for (const off of offs) off(); } };
}

export const faults = { name: "faults", title: "Faults", key: "f", mount: mountFaults };

// State.

function mountState(root, place, app) {
    const contexts = el("div");
    const none = nothing("The state is empty. Stubs with ", el("code", null, "capture"), " put values into it.");
    const name = input({ placeholder: "name of a context", "aria-label": "Name of a new context" });
    const own = ownNote(app, "This is the daemon’s own state");
    replace(root, head("State", button("Empty it…", async () => {
        if (!await app.confirm({ title: "Empty the state?", text: "All contexts are removed.", action: "Empty" })) return;
        await attempt(app, () => call("DELETE", "state"), "The state is empty");
        poll.now();
    }, { kind: "danger" })), own.node, none, contexts,
    part("A new context", form(make, el("div", { class: "toolbar" }, name, submit("Make it", "")))));
    let wanted = place.path[1] ?? null;
    const poll = polled(app, 2000, async (signal) => {
        const { nodes } = await callNodes("GET", "state", { signal });
        const list = (member(nodes, "contexts")?.items ?? []).map((node) => ({ name: member(node, "contextName")?.value ?? "", node }));
        keyed(contexts, list.slice(0, 100), (context) => context.name, contextCard);
        show(none, !list.length);
        app.count("state", list.length);
        if (wanted !== null) {
            const row = contexts.keyedRows?.get(wanted);
            if (row) row.node.scrollIntoView({ block: "start" });
            else if (list.length) app.notice(`There is no context ${shown(wanted, 80)} any more`, "warn");
            wanted = null;
        }
    });
    const offs = ["reset", "restart"].map((type) => app.on(type, () => poll.now()));

    async function make() {
        const text = name.value.trim();
        if (!text) return name.focus();
        if (await attempt(app, () => call("PATCH", `state/${encodeURIComponent(text)}`, { json: { properties: {} } }), "Made")) name.value = "";
        poll.now();
    }

    function contextCard(first) {
        const path = `state/${encodeURIComponent(first.name)}`;
        const name = shown(first.name, 120);
        const sum = el("span", { class: "muted" });
        const body = el("tbody");
        const properties = table(`Properties of ${name}`, ["Property", "Value"], body);
        const listPart = el("div");
        const key = input({ size: 16, "aria-label": `New property of ${name}`, placeholder: "property" });
        const value = input({ size: 24, "aria-label": "Its value", placeholder: "value" });
        let node = first.node;
        let drawnList = null;
        const patch = async (property, text) => {
            await attempt(app, () => call("PATCH", path, { json: JSON.stringify({ properties: Object.fromEntries([[property, text]]) }) }), `${shown(property, 60)} is set`);
            await poll.now();
        };
        const card = el("section", { class: "card", "aria-label": `Context ${name}`, id: undefined },
            el("div", { class: "card-head" }, el("h2", null, el("bdi", null, name)), sum, el("span", { class: "grow" }),
                button("Raw JSON…", async () => {
                    const text = formatJSON({ type: "object", entries: node.entries.filter(([k]) => k === "properties" || k === "list") });
                    if (await askDocument(app, { title: `Context ${name}`, text, action: "Replace it", send: (json) => call("PUT", path, { json }) })) poll.now();
                }, { label: `${name} as raw JSON` }),
                button("Remove…", async () => {
                    if (!await app.confirm({ title: `Remove the context ${name}?`, text: "Stubs that ask for it find it no longer.", action: "Remove" })) return;
                    await attempt(app, () => call("DELETE", path), "Removed");
                    poll.now();
                }, { label: `Remove ${name}`, kind: "danger" })),
            properties, form(async () => {
                if (!key.value.trim()) return key.focus();
                await patch(key.value.trim(), value.value);
                key.value = value.value = "";
                key.focus();
            }, el("div", { class: "toolbar" }, key, value, submit("Set", ""))), listPart);
        return {
            node: card,
            update(context) {
                node = context.node;
                const entries = member(node, "properties")?.entries ?? [];
                const items = member(node, "list")?.items ?? [];
                const updates = member(node, "updateCount");
                setText(sum, `${counted(Number(updates?.raw ?? 0), "update")}`);
                keyed(body, entries.slice(0, 200).map(([k, v]) => ({ k, v })), (e) => e.k, (e) => cellRow(e.k, patch));
                show(properties, entries.length > 0);
                const text = items.length ? formatJSON(member(node, "list")) : "";
                if (text === drawnList) return;
                drawnList = text;
                replace(listPart, items.length ? [el("h3", null, `List of ${counted(items.length, "record")}`),
                    recordsTable(`Records of ${name}`, items.slice(0, 50), null)] : null);
            },
        };
    }

    function cellRow(property, patch) {
        const cell = editable(`Value of ${shown(property, 60)}`, (text) => patch(property, text));
        return {
            node: el("tr", null, el("td", null, el("bdi", null, shown(property, 200))), el("td", null, cell.node)),
            update({ v }) { cell.update(v.type === "string" ? v.value : formatJSON(v), v.type === "string" ? undefined : compactText(v, 500)); },
        };
    }
    return {
        update(next) { wanted = next.path[1] ?? null; poll.now(); },
        unmount() { poll.stop(); own.stop(); for (const off of offs) off(); },
    };
}

export const state = { name: "state", title: "State", key: "t", mount: mountState };

const PRESS = "Press a value to change it: Enter keeps, Esc takes back.";

/** A value that becomes a field when it is pressed: Enter or leaving keeps, Esc does not. */
function editable(label, keep) {
    let value = "";
    const text = el("button", { type: "button", class: "cell", on: { click: begin } });
    const node = el("div", { class: "cell-holder" }, text);
    let area = null;

    function begin() {
        if (area) return;
        area = el("textarea", { class: "cell-field", rows: Math.min(8, value.split("\n").length), spellcheck: "false", "aria-label": label, value, on: {
            keydown: (event) => {
                if (event.key === "Escape") { event.stopPropagation(); end(false); }
                else if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); end(true); }
            },
            blur: () => end(true, false),
        } });
        replace(node, area);
        area.focus();
        area.select();
    }

    function end(isKept, hasFocus = true) {
        if (!area) return;
        const typed = area.value;
        area = null;
        replace(node, text);
        if (hasFocus) text.focus();
        if (isKept && typed !== value) keep(typed);
    }
    return {
        node,
        update(next, words = next) {
            value = next;
            setText(text, shown(words, 200) || "(empty)");
            text.setAttribute("aria-label", `${label}: ${shown(words, 100) || "empty"}. Edit`);
        },
    };
}

/** Nodes of records as a table. `edit(record, column, text)` makes cells fields. */
function recordsTable(name, records, edit) {
    const columns = [];
    for (const record of records) for (const [key] of record.entries ?? []) if (!columns.includes(key) && columns.length < 12) columns.push(key);
    return table(name, columns.map((c) => shown(c, 60)), el("tbody", null, records.map((record) => el("tr", null, columns.map((column) => {
        const value = member(record, column);
        return el("td", null, value ? el("bdi", null, shown(value.type === "string" ? value.value : compactText(value, 500), 200)) : el("span", { class: "muted" }, "–"));
    })))));
}

// Data.

function mountData(root, place, app) {
    const title = head("Data");
    const own = ownNote(app, "These are the daemon’s own collections");
    const list = el("div", { class: "rows" });
    const none = nothing("No collection. A route ", el("code", null, "CRUD /path"), " serves one.");
    const open = el("div");
    replace(root, title, own.node, none, list, open);
    let name = null, poll2 = null;
    const poll = polled(app, 2000, async (signal) => {
        const { data } = await call("GET", "data", { signal });
        const found = data.collections ?? [];
        keyed(list, found, (c) => c.name, collectionRow);
        show(none, !found.length);
        app.count("data", found.length);
        const about = found.find((c) => c.name === name);
        if (name !== null && about) openPart?.about(about);
    });
    let openPart = null;
    const offs = ["reset", "reload", "restart"].map((type) => app.on(type, () => { poll.now(); poll2?.now(); }));

    function collectionRow(first) {
        const link = el("a", { href: `#/data/${encodeURIComponent(first.name)}` }, el("bdi", null, shown(first.name, 100)));
        const count = el("span", { class: "number" });
        const where = el("span", { class: "muted grow" });
        const changed = badge("changed since its declaration", "warn");
        return {
            node: el("div", { class: "row" }, link, count, where, changed),
            update(c) {
                setText(count, counted(c.count, "record"));
                setText(where, [(c.paths ?? []).map((p) => shown(p, 100)).join(", "), c.file && shown(c.file, 100)].filter(Boolean).join(" · "));
                show(changed, c.changed);
                if (c.name === name) link.setAttribute("aria-current", "true");
                else link.removeAttribute("aria-current");
            },
        };
    }

    function collection(wanted, key) {
        const path = `data/${encodeURIComponent(wanted)}`;
        const words = shown(wanted, 100);
        let keyName = "id", records = [], drawn = "";
        const sum = el("span", { class: "muted" });
        const holder = el("div");
        const reset = button("Reset…", async () => {
            if (!await app.confirm({ title: `Take ${words} back to its declaration?`, text: "What requests and people have changed is lost.", action: "Reset" })) return;
            await attempt(app, () => call("POST", `${path}/reset`), "Reset");
            refresh();
        });
        const node = el("section", { class: "card", "aria-label": `Collection ${words}` }, el("div", { class: "card-head" },
            el("h2", null, el("bdi", null, words)), sum, el("span", { class: "grow" }),
            button("Add a record…", async () => {
                const sample = records[0] ? { type: "object", entries: (records[0].entries ?? []).filter(([k]) => k !== keyName) } : { type: "object", entries: [] };
                if (await askDocument(app, { title: `A new record of ${words}`, text: formatJSON(sample), hint: "Without a key it gets the next one.", action: "Add", send: (json) => call("POST", path, { json }) })) refresh();
            }), button("Raw JSON…", async () => {
                if (await askDocument(app, { title: words, text: formatJSON({ type: "array", items: records }), action: "Replace all", send: (json) => call("PUT", path, { json }) })) refresh();
            }), reset), holder);
        const refresh = () => { poll.now(); poll2?.now(); };
        const rows = el("tbody");
        poll2 = polled(app, 2000, async (signal) => {
            let nodes;
            try {
                ({ nodes } = await callNodes("GET", path, { signal }));
            } catch (error) {
                if (error.status === 404) replace(holder, nothing(`There is no collection ${words}.`));
                throw error;
            }
            records = nodes.items ?? [];
            if (holder.contains(document.activeElement) && document.activeElement.tagName === "TEXTAREA") return;
            const columns = [];
            for (const record of records.slice(0, 100)) for (const [k] of record.entries ?? []) if (!columns.includes(k) && columns.length < 12) columns.push(k);
            const shape = columns.join("\n");
            if (shape !== drawn || !holder.firstChild) {
                drawn = shape;
                rows.keyedRows = new Map();
                replace(rows);
                replace(holder, records.length ? [table(`Records of ${words}`, [...columns.map((c) => shown(c, 60)), "-Remove"], rows), el("p", { class: "muted small" }, PRESS)] : nothing("No records."));
            }
            keyed(rows, records.slice(0, 100), (record) => keyText(record), (record) => recordRow(record, columns));
            setText(sum, records.length > 100 ? `the first 100 of ${formatCount(records.length)}` : counted(records.length, "record"));
            if (key !== null) {
                const row = rows.keyedRows?.get(key);
                if (row) { row.node.scrollIntoView({ block: "center" }); row.node.setAttribute("aria-selected", "true"); }
                else app.notice(`${words} has no record ${shown(key, 80)}`, "warn");
                key = null;
            }
        });
        const keyText = (record) => {
            const value = member(record, keyName);
            return value ? (value.type === "string" ? value.value : value.entries || value.items ? formatJSON(value) : scalarText(value)) : formatJSON(record);
        };

        function recordRow(first, columns) {
            const own = keyText(first);
            let record = first;
            const cells = columns.map((column) => {
                if (column === keyName) {
                    const text = el("bdi");
                    return { node: el("td", null, text), update(value) { setText(text, shown(value?.value ?? value?.raw ?? "", 100)); } };
                }
                const cell = editable(`${shown(column, 60)} of ${shown(own, 60)}`, (typed) => change(column, typed));
                return { node: el("td", null, cell.node), update(value) { cell.update(!value ? "" : value.type === "string" ? value.value : formatJSON(value), value && value.type !== "string" ? compactText(value, 500) : undefined); } };
            });
            async function change(column, typed) {
                const before = member(record, column);
                let value = { type: "string", value: typed };
                if (before?.type !== "string" || /^(null|true|false)$/.test(typed)) {
                    try { value = readJSON(typed); } catch { /* then it is a text */ }
                }
                if (before?.type === "string") value = { type: "string", value: typed };
                const entries = before ? record.entries.map(([k, v]) => [k, k === column ? value : v]) : [...record.entries, [column, value]];
                await attempt(app, () => call("PUT", `${path}/${encodeURIComponent(own)}`, { json: formatJSON({ type: "object", entries }) }), `${shown(column, 60)} is changed`);
                refresh();
            }
            return {
                node: el("tr", null, cells.map((c) => c.node), el("td", { class: "narrow" }, button("Remove", async () => {
                    if (!await app.confirm({ title: `Remove the record ${shown(own, 60)}?`, text: `From ${words}, until it is reset.`, action: "Remove" })) return;
                    await attempt(app, () => call("DELETE", `${path}/${encodeURIComponent(own)}`), "Removed");
                    refresh();
                }, { kind: "plain", label: `Remove ${shown(own, 60)}` }))),
                update(next) { record = next; cells.forEach((cell, i) => cell.update(member(next, columns[i]))); },
            };
        }
        return {
            node,
            about(c) {
                if (c.key && c.key !== keyName) { keyName = c.key; drawn = ""; poll2?.now(); }
                disable(reset, c.changed ? "" : "It is as it was declared.");
            },
        };
    }

    function update(next) {
        const wanted = next.path[1] ?? null;
        if (wanted === name) return;
        poll2?.stop();
        poll2 = null;
        openPart = null;
        name = wanted;
        replace(open);
        if (name !== null) { openPart = collection(name, next.path[2] ?? null); replace(open, openPart.node); }
        poll.now();
    }
    update(place);
    return { update, unmount() { poll.stop(); poll2?.stop(); own.stop(); for (const off of offs) off(); } };
}

export const data = { name: "data", title: "Data", key: "d", mount: mountData };

// Scenarios.

function mountScenarios(root, place, app) {
    const list = el("div");
    const none = nothing("No stub belongs to a scenario. A route with ", el("code", null, "scenario"), " has states.");
    const own = ownNote(app, "These are the daemon’s own scenarios");
    replace(root, head("Scenarios", button("All to Started…", async () => {
        if (!await mayChange("Take all scenarios back to Started?")) return;
        await attempt(app, () => call("POST", "scenarios/reset"), "All scenarios are in Started");
        poll.now();
    })), own.node, none, list);
    let wanted = place.path[1] ?? null;
    let lastRequest = 0;
    const poll = polled(app, 2000, async (signal) => {
        const { data } = await call("GET", "scenarios", { signal });
        const found = data.scenarios ?? [];
        keyed(list, found.slice(0, 50), (s) => s.name, scenarioCard);
        show(none, !found.length);
        app.count("scenarios", found.length);
        if (wanted !== null) {
            const row = list.keyedRows?.get(wanted);
            if (row) row.node.scrollIntoView({ block: "start" });
            else app.notice(`There is no scenario ${shown(wanted, 80)}`, "warn");
            wanted = null;
        }
    });
    const offs = [
        ...["scenario", "reset", "stub", "reload", "restart"].map((type) => app.on(type, () => poll.now())),
        app.on("request", () => { lastRequest = Date.now(); }),
    ];

    /** One question, if tests are running. */
    async function mayChange(title) {
        if (Date.now() - lastRequest > 5000) return true;
        return await app.confirm({ title, text: "Requests came in the last five seconds: running tests notice.", action: "Change it" });
    }

    function scenarioCard(first) {
        const name = shown(first.name, 120);
        const now = el("span", { class: "muted" });
        const states = el("div", { class: "states-columns", role: "group", "aria-label": `States of ${name}` });
        const body = el("tbody");
        const node = el("section", { class: "card", "aria-label": `Scenario ${name}` },
            el("div", { class: "card-head" }, el("h2", null, el("bdi", null, name)), now), states,
            table(`Stubs of ${name}`, ["In state", "Request", "Leads to"], body));
        let drawn = "", current = "";
        const set = async (state) => {
            if (state === current || !await mayChange(`Set ${name} to ${shown(state, 80)}?`)) return;
            await attempt(app, () => call("PUT", `scenarios/${encodeURIComponent(first.name)}/state`, { json: { state } }), `${name} is in ${shown(state, 80)}`);
            poll.now();
        };
        return {
            node,
            update(scenario) {
                current = scenario.state;
                setText(now, `now in ${shown(scenario.state, 80)}`);
                const text = JSON.stringify([scenario.possibleStates, scenario.mappings]);
                if (text !== drawn) {
                    drawn = text;
                    const columns = byDistance(scenario);
                    replace(states, columns.map((column, i) => [i ? el("span", { class: "muted arrow", "aria-hidden": "true" }, "→") : null,
                        el("div", { class: "states-column" }, column.map((state) => {
                            const chip = button(el("bdi", null, shown(state, 80)), () => set(state), { kind: "state-chip", pressed: false });
                            chip.stateName = state;
                            return el("div", { class: "state-box" }, chip, (scenario.possibleStates?.length ?? 0) > 30 ? null : leaving(scenario, state));
                        }))]));
                    replace(body, (scenario.mappings ?? []).slice(0, 200).map((stub) => el("tr", null,
                        el("td", null, stub.requiredScenarioState ? el("bdi", null, shown(stub.requiredScenarioState, 80)) : el("span", { class: "muted" }, "any")),
                        el("td", null, stubLink(app, { id: stub.id, name: keyOf(stub) })),
                        el("td", null, stub.newScenarioState ? el("bdi", null, shown(stub.newScenarioState, 80)) : el("span", { class: "muted" }, "stays")))));
                }
                for (const chip of states.querySelectorAll("button")) {
                    const isNow = chip.stateName === current;
                    chip.setAttribute("aria-pressed", String(isNow));
                    const mark = chip.querySelector(".now");
                    if (isNow && !mark) chip.append(el("span", { class: "now" }, " now"));
                    else if (!isNow) mark?.remove();
                }
            },
        };
    }
    return {
        update(next) { wanted = next.path[1] ?? null; poll.now(); },
        unmount() { poll.stop(); own.stop(); for (const off of offs) off(); },
    };
}

/** What a state answers, and where that leads. */
function leaving(scenario, state) {
    const stubs = (scenario.mappings ?? []).filter((stub) => stub.requiredScenarioState === state);
    return el("ul", { class: "leaving" }, stubs.slice(0, 8).map((stub) => el("li", null, shown(keyOf(stub), 80),
        stub.newScenarioState && stub.newScenarioState !== state ? [" ", el("strong", null, "→ ", el("bdi", null, shown(stub.newScenarioState, 60)))] : null)),
    stubs.length > 8 ? el("li", { class: "muted" }, `and ${stubs.length - 8} more`) : null);
}

/** The states in columns by their distance from `Started`; at the end those that nothing leads to. */
export function byDistance(scenario) {
    const all = scenario.possibleStates ?? [];
    const distance = new Map([["Started", 0]]);
    const edges = (scenario.mappings ?? []).filter((m) => m.newScenarioState);
    for (let step = 0, isGrowing = true; isGrowing; step++) {
        isGrowing = false;
        for (const edge of edges) {
            const from = edge.requiredScenarioState;
            if (distance.has(edge.newScenarioState)) continue;
            if (from === undefined || distance.get(from) === step) { distance.set(edge.newScenarioState, step + 1); isGrowing = true; }
        }
        if (!isGrowing && [...distance.values()].some((d) => d > step)) isGrowing = true;
    }
    const columns = [];
    for (const state of all) {
        const at = distance.get(state) ?? Infinity;
        const index = at === Infinity ? "last" : at;
        (columns[index] ??= []).push(state);
    }
    return [...columns.filter(Boolean), ...(columns.last ? [columns.last] : [])];
}

export const scenarios = { name: "scenarios", title: "Scenarios", key: "c", mount: mountScenarios };

