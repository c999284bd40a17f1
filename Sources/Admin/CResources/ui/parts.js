// What the views beside Requests share: fields, buttons, tables whose rows stay, and calls whose refusal is told.

import { copy, counted, el, fileLine, formatDuration, icon, shown } from "./dom.js";
import { CallError } from "./api.js";

/** The head of a view: its name and what can be done in it. */
export function head(title, ...actions) {
    return el("header", { class: "view-head" }, el("h1", null, title), el("div", { class: "toolbar" }, actions));
}

/** Says that a view shows what is the daemon's own, while the page shows all sessions and some are open. `stop` ends it. */
export function ownNote(app, what) {
    const node = el("p", { class: "muted", hidden: true }, `${what}. Each session has its own: open one under `, el("a", { href: "#/sessions" }, "Sessions"), ".");
    const look = () => show(node, !app.session && app.only !== "own" && (app.sessions ?? []).length > 0);
    const offs = [app.on("sessions", look), app.on("only", look)];
    look();
    return { node, stop() { for (const off of offs) off(); } };
}

/** A part of a view with a heading of its own. */
export function part(title, ...children) {
    return el("section", { class: "part" }, el("h2", null, title), children);
}

/** A button in words. `kind`: `primary`, `danger` or `plain`. */
export function button(text, act, { kind = "", label, title, pressed } = {}) {
    return el("button", {
        type: "button", class: `button ${kind}`.trim(), "aria-label": label, title,
        "aria-pressed": pressed === undefined ? undefined : String(pressed), on: { click: act },
    }, text);
}

/** Says why a button can do nothing, or nothing: then it can. */
export function disable(node, reason) {
    node.disabled = Boolean(reason);
    node.title = reason || "";
}

let fields = 0;

/** A labelled field. `input` is an input, select or textarea; `hint` a line below it. */
export function field(label, input, hint) {
    input.id ||= `field-${++fields}`;
    const below = hint ? el("small", { class: "muted", id: `${input.id}-hint` }, hint) : null;
    if (below) input.setAttribute("aria-describedby", below.id);
    return el("div", { class: "field" }, el("label", { for: input.id }, label), input, below);
}

/** An input of one line. */
export function input(attributes) {
    return el("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
}

/** A choice: `options` are texts or `[value, text]`. */
export function select(options, attributes) {
    return el("select", attributes, options.map((option) => {
        const [value, text] = Array.isArray(option) ? option : [option, option];
        return el("option", { value }, text);
    }));
}

/** A box to tick with its words. */
export function tick(text, isOn, act) {
    const box = el("input", { type: "checkbox", on: { change: () => act?.(box.checked) } });
    box.checked = isOn;
    return el("label", { class: "tick" }, box, el("span", null, text));
}

/** Fields and buttons that Enter sends. */
export function form(send, ...children) {
    return el("form", {
        class: "form", novalidate: true,
        on: { submit: (event) => { event.preventDefault(); send(); } },
    }, children);
}

/** The button that sends a form. */
export function submit(text, kind = "primary") {
    return el("button", { type: "submit", class: `button ${kind}` }, text);
}

/** A table that is named for readers; `columns` are texts, or `[text, class]`. */
export function table(name, columns, body) {
    return el("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": name },
        el("table", { class: "list", "aria-label": name },
            el("thead", null, el("tr", null, columns.map((column) => {
                const [text, kind] = Array.isArray(column) ? column : [column];
                return text.startsWith("-")
                    ? el("td", { class: kind }, el("span", { class: "offscreen" }, text.slice(1)))
                    : el("th", { scope: "col", class: kind }, text);
            }))),
            body));
}

/**
 * Makes the children of `parent` those of `items`, in their order. A child whose item stays is kept and updated, so that focus
 * and what is typed stay. `make(item)` answers `{node, update(item)}`.
 */
export function keyed(parent, items, keyOf, make) {
    const before = parent.keyedRows ?? new Map();
    const after = new Map();
    for (const item of items) {
        const key = keyOf(item);
        if (after.has(key)) continue;
        const row = before.get(key) ?? make(item);
        row.update?.(item);
        after.set(key, row);
    }
    const hadFocus = parent.contains(document.activeElement) ? document.activeElement : null;
    let index = 0;
    const gone = [];
    for (const [key, row] of before) if (after.get(key) !== row) gone.push(row.node);
    for (const node of gone) {
        if (hadFocus && node.contains(hadFocus)) focusBeside(node, parent);
        node.remove();
    }
    for (const row of after.values()) {
        const there = parent.children[index];
        if (there !== row.node) parent.insertBefore(row.node, there ?? null);
        index++;
    }
    while (parent.children.length > index) parent.lastElementChild.remove();
    parent.keyedRows = after;
}

/** Where focus goes when the row that has it disappears: into the next one, or the one before, or what holds them. */
function focusBeside(node, parent) {
    const beside = node.nextElementSibling ?? node.previousElementSibling;
    const target = beside?.querySelector("a[href], button:not(:disabled), input, select, textarea");
    if (target) return target.focus();
    const holder = parent.closest("[tabindex]") ?? parent.closest(".view");
    holder?.focus?.();
}

/** Sets the text of a node if it is another one. */
export function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

/** What a call answers; of a refusal it tells and answers null. */
export async function attempt(app, work, done) {
    try {
        const answer = await work();
        if (done) app.say(typeof done === "function" ? done(answer) : done);
        return answer ?? true;
    } catch (error) {
        if (error?.name === "AbortError") return null;
        if (!(error instanceof CallError)) throw error;
        app.notice(refusal(error), "error");
        return null;
    }
}

/** A refusal in words. */
export function refusal(error) {
    return (error.problems ?? []).map((p) => [p.title, p.detail].filter(Boolean).map((t) => shown(t.replaceAll("\n", "; "), 500)).join(": ")).join("; ")
        || shown(error.message, 500);
}

/** Calls `read` at once and then every `ms` while the page is visible, never two at a time. Answers `{now(), stop()}`. */
export function polled(app, ms, read) {
    const stopper = new AbortController();
    let isRunning = false, isWanted = false;
    const now = async () => {
        if (stopper.signal.aborted) return;
        if (isRunning) { isWanted = true; return; }
        isRunning = true;
        try {
            await read(stopper.signal);
        } catch (error) {
            if (!(error instanceof CallError) && error?.name !== "AbortError") throw error;
        } finally {
            isRunning = false;
            if (isWanted) { isWanted = false; now(); }
        }
    };
    const off = app.every(ms, now);
    return { now, stop() { off(); stopper.abort(); } };
}

/** `dogs.yaml:17`, or where else a stub is. */
export function placeOf(stub) {
    return stub.file ? shown(fileLine(stub), 200) : "in memory";
}

/** A stub as its name, or its key. */
export function stubName(stub, limit = 200) {
    return shown(stub?.name || stub?.key || stub?.id || "a stub", limit);
}

/** `GET /path` of a mapping. */
export function keyOf(stub) {
    const request = stub.request ?? {};
    return `${request.method ?? "ANY"} ${request.url ?? request.urlPath ?? request.urlPathTemplate ?? request.urlPattern ?? request.urlPathPattern ?? "any URL"}`;
}

/** A link to a stub. */
export function stubLink(app, stub, text) {
    return app.link(`#/stubs/${encodeURIComponent(stub.id)}`, text ?? stubName(stub));
}

/** A button that opens a request. */
export function requestLink(app, request) {
    return el("a", {
        href: `#/requests?at=${encodeURIComponent(request.id)}`, class: "request-link",
        on: { click: (event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            app.openRequest(request.id);
        } },
    }, el("span", { class: "method" }, shown(request.method, 20)), " ",
    el("bdi", { class: "url" }, shown(request.url, 300)));
}

/** `2 s ago`; nothing for no time. */
export function ago(ms, now = Date.now()) {
    if (!Number.isFinite(ms)) return "";
    const age = now - ms;
    if (age < 1000) return "just now";
    for (const [unit, ms] of [["days", 172_800_000], ["h", 7_200_000], ["min", 60_000], ["s", 1000]]) {
        if (age >= ms) return `${Math.floor(age / ({ days: 86_400_000, h: 3_600_000 }[unit] ?? ms))} ${unit} ago`;
    }
}

/** `5 s`, or `1 m 04 s`: what ticks needs no more. */
export function wholeSeconds(ms) {
    const seconds = Math.floor(ms / 1000);
    return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** Milliseconds of a time as the admin API writes it. */
export function timeOf(text) {
    return typeof text === "number" ? text : Date.parse(text ?? "");
}

/** A text with a button that copies it. */
export function copyButton(app, textOf, words = "Copy") {
    return el("button", {
        type: "button", class: "button plain",
        on: { click: async () => {
            const isDone = await copy(textOf());
            if (isDone) app.say("Copied");
            else app.notice("The browser did not let it be copied: choose the text and copy it by hand", "warn");
        } },
    }, icon("copy"), " ", words);
}

/** Code that is only shown. */
export function code(text, label) {
    return el("pre", { class: "code", tabindex: "0", "aria-label": label, role: label ? "region" : undefined }, text);
}

/** A state in words, with a mark for what is bad. `kind`: `ok`, `warn`, `error`, `unmatched` or nothing. */
export function badge(text, kind = "") {
    return el("span", { class: `badge ${kind}`.trim() }, text);
}

/** A sentence where there is nothing. */
export function nothing(...text) {
    return el("p", { class: "nothing" }, text);
}

/** Shows or hides. */
export function show(node, isShown) {
    node.hidden = !isShown;
}

/** The lines of two texts as a difference: `[["same" | "added" | "removed" | "skipped", text]]`. */
export function difference(before, after, context = 3) {
    const a = before.split("\n"), b = after.split("\n");
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start++;
    let end = 0;
    while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
    const x = a.slice(start, a.length - end), y = b.slice(start, b.length - end);
    const middle = x.length * y.length > 1_000_000
        ? [...x.map((t) => ["removed", t]), ...y.map((t) => ["added", t])]
        : common(x, y);
    const lines = [
        ...a.slice(0, start).map((t) => ["same", t]), ...middle, ...a.slice(a.length - end).map((t) => ["same", t]),
    ];
    const isNear = lines.map(() => false);
    lines.forEach(([kind], i) => {
        if (kind === "same") return;
        for (let j = Math.max(0, i - context); j <= Math.min(lines.length - 1, i + context); j++) isNear[j] = true;
    });
    const out = [];
    lines.forEach((line, i) => {
        if (isNear[i]) out.push(line);
        else if (out.at(-1)?.[0] === "skipped") out.at(-1)[1]++;
        else out.push(["skipped", 1]);
    });
    return out;
}

function common(x, y) {
    const width = y.length + 1;
    const best = new Uint16Array((x.length + 1) * width);
    for (let i = x.length - 1; i >= 0; i--) {
        for (let j = y.length - 1; j >= 0; j--) {
            best[i * width + j] = x[i] === y[j]
                ? best[(i + 1) * width + j + 1] + 1
                : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
        }
    }
    const out = [];
    let i = 0, j = 0;
    while (i < x.length || j < y.length) {
        if (i < x.length && j < y.length && x[i] === y[j]) { out.push(["same", x[i++]]); j++; }
        else if (j >= y.length || (i < x.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) out.push(["removed", x[i++]]);
        else out.push(["added", y[j++]]);
    }
    return out;
}

const SIGNS = { same: "  ", added: "+ ", removed: "- " };

/** A difference to be seen. */
export function differenceView(before, after, label) {
    const lines = difference(before, after);
    if (!lines.some(([kind]) => kind === "added" || kind === "removed")) return nothing("No difference.");
    const isLong = lines.length > 400;
    const rows = lines.slice(0, 400).map(([kind, text]) => kind === "skipped"
        ? el("div", { class: "skipped" }, `  ${counted(text, "line")} as before`)
        : el("div", { class: kind }, SIGNS[kind] + shown(text, 500)));
    return el("div", { class: "code difference", tabindex: "0", role: "region", "aria-label": label }, rows,
        isLong ? el("div", { class: "skipped" }, `  ${counted(lines.length - 400, "line")} more`) : null);
}

