// The editor of one stub: its text with what is wrong under it, an example request tried against it, and where it will live.

import { coded, counted, el, icon, replace, shown, shownLines } from "./dom.js";
import { CallError, call, callNodes, session } from "./api.js";
import { compactText, formatJSON, readJSON } from "./json.js";
import {
    ago, attempt, badge, button, code, copyButton, differenceView, disable, field, form, input, keyOf, nothing, placeOf, refusal, select,
    setText, show, stubLink, stubName, submit, tick, timeOf,
} from "./parts.js";
import { states } from "./stubs.js";

/** What the file of a recorded stub has in the place of a secret. */
export const MARK = "REDACTED";

/** The height of a line of the text, as `views.css` has it. */
const LINE = 20;

const FIRST = "GET /hello:\n  json: { message: hello }\n";

/** What was typed and not added, by session and the stub's id or where a new one began. It lives as long as the document. */
const drafts = new Map();
const draftKeyOf = (name) => `${session ?? ""}/${name}`;

/** Whether there is text that somebody typed and that is added nowhere. */
export function hasDrafts() {
    return [...drafts.values()].some((draft) => !draft.isMade);
}

/** Keeps a text for the editor of a new stub. */
export function keepDraft(text, form, isMade = false) {
    drafts.set(draftKeyOf("new?"), { text, form, baseText: FIRST, baseForm: "yaml", isMade });
}

/**
 * A text area with line numbers beside it and what is wrong at the ends of its lines. `on`: `input`, `check` (Ctrl+Enter), `save`
 * (Ctrl+S), `use(problem)`.
 */
export function codeField(label, on) {
    const gutter = el("div", { class: "gutter", "aria-hidden": "true" });
    const mirror = el("div", { class: "mirror", "aria-hidden": "true" });
    const area = el("textarea", {
        class: "area", wrap: "off", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": label,
        on: { input: () => { draw(); on.input?.(); }, keydown, focus: () => { isTyping = false; } },
    });
    const node = el("div", { class: "editor" }, gutter, el("div", { class: "sheet" }, mirror, area));
    let isTyping = false;
    let problems = [];
    let count = 0;

    function keydown(event) {
        const isCommand = event.ctrlKey || event.metaKey;
        if (isCommand && event.key === "Enter") { event.preventDefault(); return on.check?.(); }
        if (isCommand && event.key.toLowerCase() === "s") { event.preventDefault(); return on.save?.(); }
        if (event.key === "Escape" && isTyping) { isTyping = false; event.stopPropagation(); return; }
        if (event.key === "Tab" && isTyping && !isCommand && !event.altKey) {
            event.preventDefault();
            return event.shiftKey ? outdent() : type("  ");
        }
        if (event.key === "Enter" && !isCommand && !event.shiftKey && !event.isComposing) {
            const line = area.value.slice(area.value.lastIndexOf("\n", area.selectionStart - 1) + 1, area.selectionStart);
            const indent = /^ */.exec(line)[0] + (/[:{[]\s*$/.test(line) ? "  " : "");
            if (indent) { event.preventDefault(); type("\n" + indent); }
        }
        if (!["Tab", "Shift", "Control", "Alt", "Meta", "Escape"].includes(event.key)) isTyping = true;
    }

    function type(text) {
        // The one way that keeps the browser's own undo.
        if (!document.execCommand("insertText", false, text)) {
            area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
            area.dispatchEvent(new Event("input"));
        }
    }

    function outdent() {
        const start = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
        const width = Math.min(2, /^ */.exec(area.value.slice(start))[0].length);
        if (!width) return;
        const caret = Math.max(start, area.selectionStart - width);
        area.setSelectionRange(start, start + width);
        type("");
        area.setSelectionRange(caret, caret);
    }

    function draw() {
        const lines = area.value.split("\n");
        if (lines.length !== count) {
            count = lines.length;
            gutter.textContent = lines.map((_, i) => i + 1).join("\n");
        }
        // Only the longest line and those with problems are there: a stub may have very many.
        let longest = "", width = 0;
        for (const text of lines) {
            if (text.length * 2 < width) continue;
            let wide = text.length;
            for (const c of text) if (c > "\u1100" || c === "\t") wide++;
            if (wide > width) { width = wide; longest = text; }
        }
        mirror.style.minHeight = `${lines.length * LINE + 16}px`;
        const byLine = new Map();
        for (const problem of problems) {
            const line = Math.min(Math.max(problem.line ?? 1, 1), lines.length);
            if (!byLine.has(line) && byLine.size < 50) byLine.set(line, problem);
        }
        replace(mirror, el("div", { class: "line" }, el("span", { class: "ghost" }, longest || " ")), [...byLine].map(([line, problem]) => {
            const node = el("div", { class: `line problem ${problem.severity}` }, el("span", { class: "ghost" }, lines[line - 1] || " "),
                el("span", { class: "lens" }, icon(problem.severity === "error" ? "failed" : "client"), " ", shown(shortly(problem), 100)));
            node.style.top = `${(line - 1) * LINE + 8}px`;
            return node;
        }));
    }

    return {
        node, area,
        get value() { return area.value; },
        set value(text) { area.value = text; problems = []; draw(); },
        mark(found) { problems = found; draw(); },
        focus: () => area.focus(),
        /** Replaces a part of the text so that it can be undone. */
        put(start, end, text) {
            area.focus();
            area.setSelectionRange(start, end);
            type(text);
        },
        go(line, column) {
            const lines = area.value.split("\n");
            const offset = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.max(0, (column ?? 1) - 1);
            area.focus();
            area.setSelectionRange(offset, offset);
        },
    };
}

/** What is wrong, with the nearest valid name. */
export function shortly(problem) {
    const message = problem.message ?? "";
    return problem.suggestion && !message.includes("did you mean") ? `${message}; did you mean ${problem.suggestion}?` : message;
}

/** Opens the editor in `root`: of the stub `id`, of a new one, of one made of the request `from`, or of a copy. */
export function openEditor(root, { id, from, copy: original }, app) {
    const draftKey = draftKeyOf(id ?? `new?${from ?? original ?? ""}`);
    let form = "yaml";
    /** The mapping as it was read, laid out; null for a new one. */
    let base = null;
    let baseText = "";
    let checked = null;
    let isClosed = false;
    let info = null;
    let isSaving = false;
    let isOff = false, areWritesOpen = false;
    let checking = null;
    let timer = 0;
    let lost = null;
    let looking = null, examples = null;
    let newId;
    const offs = [];

    const title = el("h1", { tabindex: -1 }, id ? "Stub" : from ? "Stub of a request" : "New stub");
    const facts = el("p", { class: "stub-facts muted" });
    const actions = el("div", { class: "toolbar" });
    const meanwhile = el("div", { class: "strip warn", role: "status", hidden: true });
    const restored = el("div", { class: "strip", hidden: true });
    const source = el("div");
    const yaml = button("Routes in YAML", () => turn("yaml"), { kind: "chip", pressed: true });
    const json = button("WireMock’s JSON", () => turn("json"), { kind: "chip", pressed: false });
    const text = codeField("Text of the stub", { input: typed, check: () => { check(); }, save: () => { keep(); } });
    const verdict = el("p", { class: "told", role: "status" });
    const problems = el("ul", { class: "problems", "aria-label": "What is wrong" });
    text.area.setAttribute("aria-describedby", "editor-tab-hint");
    const where = el("p", { class: "lives" });
    const add = button(id ? "Change until reset" : "Add until reset", () => send(false), { kind: "primary" });
    const save = button("Save to a new file", () => send(true));
    const saveWhy = el("p", { class: "muted small" });
    const writes = el("div");
    const relations = el("div"), losses = el("div");
    const trial = tryPane(app, () => checked ?? {}, id);
    const link = (words, href) => el("a", { class: "button", href }, words);

    replace(root,
        el("a", { class: "back", href: "#/stubs" }, icon("back"), " Stubs"),
        el("header", { class: "view-head" }, title, actions), facts, meanwhile, restored,
        el("div", { class: "two" },
            el("div", { class: "column" }, source,
                el("div", { class: "toolbar", role: "group", "aria-label": "Written as" }, yaml, json),
                text.node, el("p", { class: "muted small", id: "editor-tab-hint" },
                    "Tab indents once you type; Esc, then Tab leaves. Ctrl+Enter checks and tries, Ctrl+S adds."),
                verdict, problems, where, el("div", { class: "toolbar" }, add, save), saveWhy, writes),
            el("div", { class: "column" }, losses, trial.node, relations)));

    // What had the focus is hidden now.
    if (!document.activeElement || document.activeElement === document.body || !document.activeElement.checkVisibility?.()) title.focus({ preventScroll: true });
    offs.push(app.keys("Editor", [
        { keys: ["Ctrl+Enter"], text: "Check and try", run() {} }, { keys: ["Ctrl+S"], text: "Add, or change until reset", run() {} },
    ]));
    let lastFolder = "";
    offs.push(app.on("status", (status) => {
        const folder = JSON.stringify(status.folder ?? null);
        if (folder === lastFolder || isClosed) return;
        lastFolder = folder;
        drawWhere();
        drawButtons();
    }));
    if (id) {
        offs.push(app.on("stub", (event) => {
            if (isSaving || (event.id && event.id !== id)) return;
            compare();
        }), app.on("reset", compare), app.on("reload", compare), app.on("restart", compare));
    }
    start();

    async function start() {
        try {
            if (id) {
                await load();
                if (from && !drafts.has(draftKey)) await fit(from);
            } else if (from) await beginFrom(from);
            else if (original) setText(title, "Copy of a stub"), await begin(await mappingOf(original), true);
            else { text.value = FIRST; baseText = FIRST; }
        } catch (error) {
            if (!(error instanceof CallError)) throw error;
            if (isClosed) return;
            lost = id ? "There is no stub with this id any more: it was removed, or was one of a daemon that has ended."
                : `It cannot be read: ${refusal(error)}`;
            replace(root, el("a", { class: "back", href: "#/stubs" }, icon("back"), " Stubs"), el("h1", null, "Stub"), nothing(lost));
            return;
        }
        if (isClosed) return;
        const draft = drafts.get(draftKey);
        if (draft && draft.text !== baseText && draft.text !== text.value) {
            setForm(draft.form);
            text.value = draft.text;
            show(restored, true);
            replace(restored, "What you typed before is still here. ", button("Discard it", () => {
                drafts.delete(draftKey);
                show(restored, false);
                setForm(draft.baseForm);
                text.value = draft.baseText;
                check();
            }, { kind: "plain" }));
        }
        drawWhere();
        check();
    }

    async function mappingOf(stub) {
        const { nodes } = await callNodes("GET", `mappings/${encodeURIComponent(stub)}`);
        without(nodes, "uuid");
        return nodes;
    }

    async function load() {
        const nodes = await mappingOf(id);
        base = formatJSON(nodes);
        await begin(nodes, false);
        drawActions();
        await drawFacts();
    }

    /** Begins with a mapping: as routes where it can be said so. */
    async function begin(nodes, isCopy) {
        if (isCopy) for (const key of ["id", "persistent", "timesLeft"]) without(nodes, key);
        const routes = await routesOf(nodes);
        if (isClosed) return;
        setForm(routes ? "yaml" : "json");
        baseText = routes ?? formatJSON(nodes);
        text.value = baseText;
    }

    /** A mapping as a text of routes; null where it cannot be said so. */
    async function routesOf(nodes) {
        const json = formatJSON({ ...nodes, entries: nodes.entries.filter(([key]) => key !== "id" && key !== "uuid") });
        try {
            const { paste } = (await call("POST", "mappings/validate", { json })).data;
            // What no route can say is a mapping in YAML, with an id that was made for it.
            return paste && !/^request:/m.test(paste) ? paste : null;
        } catch (error) {
            if (!(error instanceof CallError)) throw error;
            return null;
        }
    }

    async function beginFrom(request) {
        const { data, nodes } = await callNodes("GET", `requests/${encodeURIComponent(request)}`);
        const kept = data.request ?? data;
        trial.fill(kept);
        replace(source, requestPanel(app, kept, async (mapping) => {
            await begin(mapping, false);
            drafts.delete(draftKey);
            check();
        }));
        void nodes;
        await source.firstChild.make();
    }

    /** Changes the method and the path so that a request meets them; the rest of what differs is told by the trial. */
    async function fit(request) {
        const answer = await attempt(app, () => call("GET", `requests/${encodeURIComponent(request)}`));
        if (!answer || isClosed) return;
        const kept = answer.data.request ?? answer.data;
        trial.fill(kept);
        const { data } = await call("GET", `requests/${encodeURIComponent(request)}/explain`);
        const near = data.nearMisses?.find((miss) => miss.stubMapping?.id === id);
        const wrong = new Set((near?.attributes ?? []).filter((a) => !a.matches).map((a) => a.attribute));
        const nodes = readJSON(base);
        const wanted = member(nodes, "request");
        if (!wanted || isClosed) return;
        const done = [];
        const string = (value) => ({ type: "string", value });
        if (wrong.has("method")) {
            wanted.entries = [...wanted.entries.filter(([key]) => key !== "method"), ["method", string(kept.method)]];
            done.push("method");
        }
        const key = ["url", "urlPath", "urlPathTemplate", "urlPattern", "urlPathPattern"].find((name) => member(wanted, name));
        if (key && wrong.has(key)) {
            const path = kept.url.split("?")[0];
            const before = (member(wanted, key).value ?? "").split("/"), after = path.split("/");
            const isTemplate = key === "urlPathTemplate" && before.length === after.length;
            const value = isTemplate ? after.map((text, i) => (/^\{.*\}$/.test(before[i]) ? before[i] : text)).join("/") : key === "url" ? kept.url : path;
            wanted.entries = wanted.entries.map((entry) => entry[0] === key ? [isTemplate ? key : key === "url" ? "url" : "urlPath", string(value)] : entry);
            done.push("path");
        }
        if (!done.length) return;
        const was = [baseText, form];
        await begin(nodes, false);
        if (isClosed) return;
        drafts.set(draftKey, { text: text.value, form, baseText: was[0], baseForm: was[1], isMade: true });
        baseText = form === was[1] ? was[0] : formatJSON(readJSON(base));
        show(restored, true);
        replace(restored, `Its ${done.join(" and ")} ${done.length > 1 ? "are" : "is"} changed here so that the request meets it. Nothing is added yet. `, button("Take it back", () => {
            drafts.delete(draftKey);
            show(restored, false);
            setForm(was[1]);
            text.value = baseText = was[0];
            check();
        }, { kind: "plain" }));
    }

    function close() {
        isClosed = true;
        clearTimeout(timer);
        checking?.abort();
        looking?.abort();
        trial.close();
        for (const off of offs) off();
    }

    // The text and its form.

    function setForm(next) {
        form = next;
        yaml.setAttribute("aria-pressed", String(form === "yaml"));
        json.setAttribute("aria-pressed", String(form === "json"));
    }

    function typed() {
        if (text.value === baseText) drafts.delete(draftKey);
        else drafts.set(draftKey, { text: text.value, form, baseText, baseForm: form });
        setText(verdict, "");
        clearTimeout(timer);
        timer = setTimeout(check, 300);
    }

    async function turn(next) {
        if (next === form) return;
        if (checked?.text !== text.value) await check();
        if (!checked?.valid) return app.notice("Mend what is wrong first: only what can be read can be written otherwise", "warn");
        const { nodes } = checked;
        const routes = next === "yaml" ? await routesOf(nodes[0]) : null;
        if (isClosed) return;
        if (next === "yaml" && !routes) {
            if (!collectionOf(nodes[0])) return app.notice("This cannot be said as a route", "warn");
            return app.notice(`It is one of the stubs of a collection, which a single route states: ${checked.paste ? "its text stands below" : "its text is in its file"}`, "warn");
        }
        if (next === "json" && nodes.length !== 1) return app.notice(`Only one stub is written so, not ${nodes.length}`, "warn");
        const isClean = text.value === baseText;
        if (next === "json") { if (!id) without(nodes[0], "id"); without(nodes[0], "uuid"); }
        text.value = routes ?? formatJSON(nodes[0]);
        setForm(next);
        if (isClean) baseText = text.value;
        else drafts.set(draftKey, { text: text.value, form, baseText, baseForm: form });
        check();
    }

    async function check() {
        clearTimeout(timer);
        checking?.abort();
        if (!text.value.trim()) {
            checked = null;
            text.mark([]);
            replace(problems);
            setText(verdict, "");
            drawButtons();
            return;
        }
        const mine = checking = new AbortController();
        const sent = text.value;
        const query = id ? `?id=${encodeURIComponent(id)}` : newId ? `?newId=${encodeURIComponent(newId)}` : "";
        try {
            const { data, nodes } = await callNodes("POST", `mappings/validate${query}`, { [form]: sent, signal: mine.signal });
            if (isClosed || mine.signal.aborted) return;
            // With it each check gives a new stub the same id, and so its file the same name.
            newId = data.newId;
            checked = { ...data, text: sent, nodes: member(nodes, "stubs")?.items ?? [] };
        } catch (error) {
            if (error?.name === "AbortError" || isClosed) return;
            if (!(error instanceof CallError)) throw error;
            checked = { valid: false, problems: problemsOf(error), stubs: [], nodes: [] };
        }
        drawChecked();
        if (checked.valid) trial.run();
        else trial.wait();
    }

    function drawChecked() {
        const found = checked.problems ?? [];
        text.mark(found);
        replace(problems, found.map((problem) => el("li", { class: problem.severity },
            el("div", null, badge(problem.severity === "error" ? "error" : "warning", problem.severity === "error" ? "error" : "warn"), " ",
                problem.line ? button(`line ${problem.line}`, () => text.go(problem.line, problem.column), { kind: "plain" }) : null, " ",
                el("span", null, coded(shown(shortly(problem), 1000))),
                problem.expected ? el("div", { class: "muted small" }, coded(`Expected ${shown(problem.expected, 400)}`)) : null),
            problem.suggestion ? button(["Use ", el("code", null, shown(problem.suggestion, 80))], () => use(problem), {}) : null)));
        const errors = found.filter((p) => p.severity === "error").length;
        const count = checked.stubs?.length ?? 0;
        const answers = checked.answers?.length ?? 0;
        const warnings = found.length - errors;
        const isUnused = !errors && hasOtherRecords();
        verdict.className = `told ${errors ? "error" : warnings || isUnused ? "warn" : "ok"}`;
        setText(verdict, errors ? `${counted(errors, "error")}.`
            : isUnused ? "Records are not changed here: those of a collection that is there stay, and these are never used. Change them under Data, or in its file."
                : `${warnings ? `It can be read, with ${counted(warnings, "warning")}` : count === 1 ? "Good" : `Good: ${counted(count, "stub")}`}${
                    answers ? `, and would answer ${counted(answers, "recent request")} that nothing answered` : ""}.`);
        drawRelations();
        drawButtons();
        findLosses();
    }

    /** Whether the text is of a collection that is there, with other records. */
    function hasOtherRecords() {
        const was = id && base ? collectionOf(readJSON(base)) : null;
        return Boolean(was) && (checked.nodes ?? []).some((node) => {
            const now = collectionOf(node);
            return now && textOf(member(now, "name")) === textOf(member(was, "name")) && textOf(member(now, "data")) !== textOf(member(was, "data"));
        });
    }

    function notAdded() {
        const errors = (checked?.problems ?? []).filter((p) => p.severity === "error").length;
        if (errors) setText(verdict, `${counted(errors, "error")}: nothing was added.`);
    }

    /** Requests that the stub answers as it is: recent ones, and one that is made of its text. */
    async function answered(signal) {
        const found = new Map();
        const { data } = await call("GET", `requests?matchingStub=${encodeURIComponent(id)}&limit=50`, { signal });
        for (const { request } of data.requests ?? []) {
            const key = `${request.method} ${request.url}`;
            const { method, url, headers, body, bodyAsBase64 } = request;
            if (found.has(key)) found.get(key).count++;
            else if (found.size < 8) found.set(key, { request: { method, url, headers, ...(bodyAsBase64 ? { bodyAsBase64 } : { body }) }, count: 1 });
        }
        const own = exampleOf(JSON.parse(base));
        if (own && !found.has(`${own.method} ${own.url}`)) {
            const { stubMapping } = (await call("POST", "explain", { json: own, signal })).data;
            if (stubMapping?.id === id) found.set("", { request: own, count: 0 });
        }
        return [...found.values()];
    }

    /** Says which of them it would not answer any more. */
    async function findLosses() {
        looking?.abort();
        if (!id || !checked?.valid || text.value === baseText) return replace(losses);
        const mine = looking = new AbortController();
        const nodes = checked.nodes, lost = [];
        try {
            if (examples?.of !== base) examples = { of: base, list: await answered(mine.signal) };
            for (const example of examples.list) {
                const { data } = await judge(example.request, nodes, mine.signal);
                if (data.stubMapping?.id !== id) lost.push({ ...example, by: data.stubMapping, key: data.key });
            }
        } catch (error) {
            if (error?.name === "AbortError") return;
            if (!(error instanceof CallError)) throw error;
        }
        if (isClosed || mine.signal.aborted) return;
        replace(losses, lost.length ? el("div", { class: "box warn", role: "status" }, el("p", null, el("strong", null, "It would no longer answer"), " what it answers now:"),
            el("ul", null, lost.map(({ request, count, by, key }) => el("li", null,
                button([el("span", { class: "method" }, shown(request.method, 20)), " ", el("bdi", null, shown(request.url, 200))],
                    () => { trial.fill(request); trial.run(); }, { kind: "plain", title: "Try with this request" }),
                count ? el("span", { class: "muted" }, `${counted(count, "recent request")}: `) : ": ",
                by ? ["answered by ", stubLink(app, { id: by.id, name: by.name, key: key ?? keyOf(by) })] : el("span", { class: "unmatched" }, "nothing would answer it")))),
            el("p", { class: "small" }, "To answer both, ", el("a", { href: `#/stubs/new?copy=${encodeURIComponent(id)}` }, "make a new stub of a copy"), ".")) : null);
    }

    function use(problem) {
        const value = text.value;
        const lines = value.split("\n");
        const line = lines[(problem.line ?? 1) - 1] ?? "";
        const start = lines.slice(0, (problem.line ?? 1) - 1).reduce((sum, l) => sum + l.length + 1, 0);
        const column = Math.max(0, (problem.column ?? 1) - 1);
        const bare = String(problem.found ?? "").replace(/^["'`]|["'`]$/g, "");
        let at = bare ? nearest(line, bare, column) : -1;
        let length = bare.length;
        if (at < 0) {
            at = column + (/["']/.test(line[column] ?? "") ? 1 : 0);
            length = (/^[\w$-]+/.exec(line.slice(at)) ?? [""])[0].length;
        }
        if (!length) return text.go(problem.line ?? 1, problem.column);
        text.put(start + at, start + at + length, problem.suggestion.replace(/^["'`]|["'`]$/g, ""));
        check();
    }

    function drawRelations() {
        const answers = checked.answers ?? [], hides = checked.hides ?? [], hiddenBy = checked.hiddenBy ?? [];
        replace(relations,
            hiddenBy.length ? el("div", { class: "box warn" }, el("p", null, "Never asked: what comes before it takes all of its requests."),
                el("ul", null, hiddenBy.slice(0, 10).map((s) => el("li", null, stubLink(app, s), " ", el("span", { class: "muted" }, placeOf(s)))))) : null,
            hides.length ? el("div", { class: "box warn" }, el("p", null, `It would take all requests of ${counted(hides.length, "other stub")}:`),
                el("ul", null, hides.slice(0, 10).map((s) => el("li", null, stubLink(app, s), " ", el("span", { class: "muted" }, placeOf(s)))))) : null,
            answers.length ? el("div", { class: "box" }, el("p", null, "It would answer these, which nothing answered:"),
                el("ul", null, answers.slice(0, 10).map((r) => el("li", null, button(
                    [el("span", { class: "method" }, shown(r.method, 20)), " ", el("bdi", null, shown(r.url, 200))],
                    () => trial.take(r.id), { kind: "plain", title: "Try with this request" }))))) : null,
            checked.incomplete ? el("p", { class: "muted small" }, `For want of time not looked at: ${shown(checked.incomplete, 300)}.`) : null);
    }

    // Where it lives, and the two ways to keep it.

    function folder() {
        return app.status()?.folder;
    }

    function drawWhere() {
        const there = folder();
        const path = there?.path ? `${shown(there.path.replace(/\/$/, ""), 200)}/` : "";
        setText(where, !id ? "Until it is saved it lives in memory, and is gone with a reset or the end of the daemon."
            : info?.file ? `It lives in ${path}${placeOf(info)}. What is changed here leaves the file as it is, and lasts until a reset, or until the file changes.`
                : app.session ? "It lives in the memory of this session, and is gone with its end."
                    : "It lives in memory, and is gone with a reset or the end of the daemon.");
    }

    /** When what is changed here and not saved is undone. */
    function end() {
        return info?.file ? "the next reset, or until its file changes" : "the next reset";
    }

    /** Whether the text is of several new stubs. */
    function isSeveral() {
        return !id && checked?.valid && checked.nodes.length > 1;
    }

    function whyNotSaved() {
        if (app.session) return "A session writes nothing to the disk.";
        const there = folder();
        if (there === null) return "The daemon serves no folder: copy the text.";
        if (there && there.writable === false) return `The folder cannot be written${there.reason ? `: ${shown(there.reason, 200)}` : ""}. Copy the text.`;
        if (isSeveral()) return "";
        if (checked?.valid && !checked.file) {
            return info?.file && /\.ya?ml$/.test(info.file)
                ? `${shown(info.file, 200)} is a file of routes. It is yours, with its comments, and never rewritten: ${checked.paste
                    ? `put the text below in the place of what stands at line ${info.line}.` : `what stands at line ${info.line} is to be changed by hand, since this cannot stand in its place.`}`
                : `It cannot be saved${checked.notSaved ? `: ${shown(checked.notSaved, 300)}` : ""}.`;
        }
        return "";
    }

    function drawButtons() {
        const isWrong = !checked ? "There is nothing to add." : !checked.valid ? "Mend what is wrong first." : "";
        const isSame = id && !isWrong && text.value === baseText ? "Nothing was changed." : "";
        disable(add, isWrong || isSame);
        const why = whyNotSaved();
        const file = checked?.file;
        setText(save, file?.before ? `Save to ${shown(file.path.split("/").pop(), 60)}` : isSeveral() ? `Save to ${checked.nodes.length} new files` : "Save to a new file");
        disable(save, isWrong || why);
        setText(saveWhy, isWrong ? "" : why || (isSeveral() ? "Each of the stubs gets a file of its own." : ""));
        const paste = checked?.valid ? checked.paste : null;
        const isTelling = !isWrong && !why && file && writesSecrets(file);
        replace(writes,
            isTelling ? el("p", { class: "warn" }, icon("client"), ` The file has ${MARK} in the place of secrets: a save writes what stands here.`) : null,
            !isWrong && !why ? (file ? [file] : checked.files ?? []).map((one) => el("details", { class: "fold", open: isTelling || areWritesOpen, on: { toggle: (event) => { areWritesOpen = event.target.open; } } },
                el("summary", null, `What a save writes to ${shown(one.path, 200)}`), differenceView(one.before ?? "", one.after ?? "", "What a save writes"))) : null,
            !isWrong && why && paste && info?.file ? el("details", { class: "fold", open: true }, el("summary", null, `Text for ${placeOf(info)}`),
                el("div", { class: "toolbar" }, copyButton(app, () => paste, "Copy the text")), code(shownLines(paste), "Text to paste")) : null);
    }

    /** Whether a save writes what stands in the file as placeholders, as a recording has it. */
    function writesSecrets(file) {
        const marks = (text) => (text ?? "").split(MARK).length - 1;
        return marks(file.before) > marks(file.after);
    }

    function keep() {
        if (!add.disabled) send(false);
    }

    async function send(isSaved) {
        clearTimeout(timer);
        const sent = text.value;
        if (checked?.text !== sent) await check();
        if (!checked || !checked.valid || isClosed) return notAdded();
        if (id && await isChangedMeanwhile()) return;
        isSaving = true;
        try {
            let answer;
            const stubs = checked.nodes;
            const before = new Set(isSaved && !id ? (await counters()).map((stub) => stub.id) : []);
            const hasOwn = stubs.some((n) => member(n, "persistent")?.value === true);
            for (const node of stubs) {
                without(node, "persistent");
                if (isSaved) node.entries.push(["persistent", { type: "literal", value: true }]);
            }
            const body = !isSaved && !hasOwn ? { [form]: sent } : { json: formatJSON(stubs[0]) };
            if (id) {
                answer = await call("PUT", `mappings/${encodeURIComponent(id)}`, body);
            } else if (stubs.length > 1 && isSaved) {
                // An id that was made of the text may be that of a stub which is there: this is another one.
                for (const node of stubs) if (before.has(member(node, "id")?.value)) for (const key of ["id", "uuid"]) without(node, key);
                answer = await call("POST", "mappings/import", {
                    json: formatJSON({ type: "object", entries: [["mappings", { type: "array", items: stubs }]] }),
                });
            } else {
                try {
                    answer = await call("POST", "mappings", body);
                } catch (error) {
                    // The id that was made of the text is that of a stub which is there: this is another one.
                    const made = member(stubs[0], "id")?.value;
                    if (!(error instanceof CallError) || !body.json || !made || sent.includes(made)) throw error;
                    for (const key of ["id", "uuid"]) without(stubs[0], key);
                    answer = await call("POST", "mappings", { json: formatJSON(stubs[0]) });
                }
            }
            drafts.delete(draftKey);
            const warning = answer.headers?.get("X-StuntDouble-Warning");
            if (warning) app.notice(shown(warning, 1000), "warn");
            const made = answer.data?.id;
            const files = isSaved ? (await counters()).filter((stub) => (id ? stub.id === id : !before.has(stub.id)) && stub.file).slice(0, 5).map((stub) => shown(stub.file, 200)) : [];
            app.notice(isSaved ? `Saved${files.length ? ` to ${files.join(", ")}` : ""}` : id ? `Changed until ${end()}` : "Added until the next reset", "ok");
            if (!id) return app.go(made ? `#/stubs/${made}` : "#/stubs", { replace: true });
            base = formatJSON(await mappingOf(id));
            baseText = sent;
            show(meanwhile, false);
            show(restored, false);
            await drawFacts();
            check();
        } catch (error) {
            if (!(error instanceof CallError)) throw error;
            checked = { ...checked, problems: problemsOf(error) };
            drawChecked();
            notAdded();
            app.notice(refusal(error), "error");
        } finally {
            isSaving = false;
        }
    }

    // What others change.

    async function compare() {
        if (isClosed || isSaving) return;
        try {
            const now = formatJSON(await mappingOf(id));
            if (isClosed || isSaving || now === base) return drawFacts();
            if (text.value === baseText) {
                base = now;
                await begin(readJSON(now), false);
                await drawFacts();
                check();
                app.say("The stub was changed elsewhere; this is what it is now");
                return;
            }
            tellMeanwhile(now);
        } catch (error) {
            if (!(error instanceof CallError)) throw error;
            if (error.status !== 404 || isClosed) return;
            show(meanwhile, true);
            replace(meanwhile, "Removed meanwhile. What you see can be added anew. ",
                button("Add it anew", () => { const draft = text.value; keepDraft(draft, form); app.go("#/stubs/new"); }));
        }
    }

    async function isChangedMeanwhile() {
        try {
            const now = formatJSON(await mappingOf(id));
            if (now === base) return false;
            tellMeanwhile(now);
            meanwhile.scrollIntoView({ block: "nearest" });
            return true;
        } catch (error) {
            if (!(error instanceof CallError)) throw error;
            return false;
        }
    }

    function tellMeanwhile(now) {
        show(meanwhile, true);
        replace(meanwhile, el("p", null, el("strong", null, "Changed meanwhile"), ": another page, a test or a file has changed this stub since you opened it."),
            differenceView(base, now, "What was changed meanwhile"),
            el("div", { class: "toolbar" },
                button("Take that, drop mine", async () => {
                    drafts.delete(draftKey);
                    base = now;
                    await begin(readJSON(now), false);
                    show(meanwhile, false);
                    check();
                }),
                button("Keep mine, and overwrite it", () => { base = now; show(meanwhile, false); app.say("Your text is kept; add it to overwrite theirs"); })));
    }

    // The head.

    function drawActions() {
        const onOff = button("", async () => {
            isSaving = true;
            try {
                if (await attempt(app, () => call("PATCH", `mappings/${encodeURIComponent(id)}`, { json: { enabled: isOff } }))) {
                    app.notice(`${isOff ? "Switched on" : "Switched off"}${info?.persistent ? ", also in its file" : ` until ${end()}`}`, "ok");
                    await adopt();
                }
            } finally { isSaving = false; }
        });
        drawActions.onOff = onOff;
        replace(actions, onOff, link("Copy as new", `#/stubs/new?copy=${encodeURIComponent(id)}`),
            copyButton(app, () => location.href, "Link"),
            button("Remove…", remove, { kind: "danger" }));
    }

    /** Takes what this page has changed itself, without touching what is typed. */
    async function adopt() {
        const isClean = text.value === baseText;
        const nodes = await mappingOf(id);
        base = formatJSON(nodes);
        if (isClean) await begin(nodes, false);
        await drawFacts();
        check();
    }

    async function counters() {
        return (await call("GET", "requests/counters")).data.stubs ?? [];
    }

    async function drawFacts() {
        try {
            const stubs = await counters();
            if (isClosed) return;
            info = stubs.find((stub) => stub.id === id) ?? info;
        } catch { return; }
        if (!info) return;
        setText(title, shown(info.key || info.name || "Stub", 200));
        isOff = info.enabled === false;
        if (drawActions.onOff) setText(drawActions.onOff, isOff ? "Switch on" : "Switch off");
        const hits = info.matches ?? 0;
        replace(facts, info.name && info.name !== info.key ? [el("span", null, shown(info.name, 200)), " · "] : null,
            placeOf(info), " · ",
            hits ? el("a", { href: `#/requests?q=${encodeURIComponent(`stub:"${info.name || info.key}"`)}` }, counted(hits, "hit")) : "no hits",
            info.lastHit ? `, the last ${ago(timeOf(info.lastHit))}` : "", " ",
            states(info).filter(([words]) => words !== "never used").map(([words, kind]) => badge(words, kind === "hidden" ? "warn" : kind)));
        drawWhere();
        drawButtons();
    }

    async function remove() {
        await drawFacts();
        const isMeant = await app.confirm({
            title: `Remove ${stubName(info ?? { id }, 100)}?`,
            text: info?.persistent ? "Its file is removed with it." : info?.file
                ? `${placeOf(info)} stays, and brings it back with a reset or when the file changes.` : "It is gone for good.",
            action: "Remove",
        });
        if (!isMeant) return;
        isSaving = true;
        const done = await attempt(app, () => call("DELETE", `mappings/${encodeURIComponent(id)}`), "Removed");
        isSaving = false;
        if (!done) return;
        drafts.delete(draftKey);
        app.go("#/stubs", { replace: true });
    }

    return { close };
}

// Trying.

/** An example request that is judged against the draft; nothing is recorded. */
function tryPane(app, draft, id) {
    const method = input({ value: "GET", class: "method-field", list: "methods", size: 8 });
    const url = input({ class: "grow", placeholder: "/path?query" });
    const headers = el("textarea", { class: "small-area", rows: 2, spellcheck: "false", wrap: "off", placeholder: "Name: value" });
    const body = el("textarea", { class: "small-area", rows: 3, spellcheck: "false", wrap: "off" });
    const result = el("div", { class: "result", role: "status" });
    let isTouched = false, isClosed = false, running = null, isFilled = false;
    for (const node of [method, url, headers, body]) node.addEventListener("input", () => { isTouched = true; });
    const node = el("section", { class: "box try", "aria-label": "Try it" }, el("h2", null, "Try it"),
        form(() => run(), el("datalist", { id: "methods" }, ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map((m) => el("option", { value: m }))),
            el("div", { class: "toolbar fields-bar" }, field("Method", method), field("URL", url)),
            el("details", { class: "fold" }, el("summary", null, "Headers and body"), field("Headers", headers), field("Body", body)),
            el("div", { class: "toolbar" }, submit("Try", ""), el("small", { class: "muted" }, "Nothing is sent or recorded."))), result);
    node.querySelector(".fields-bar").lastChild.classList.add("grow");

    async function begin() {
        if (!id) return;
        try {
            const { data } = await call("GET", `requests?matchingStub=${encodeURIComponent(id)}&limit=1`);
            const last = data.requests?.[0]?.request;
            if (last && !isTouched && !isFilled) fill(last);
        } catch { /* without an example the stub itself gives one */ }
    }
    const begun = begin();

    function fill(request) {
        isFilled = true;
        method.value = request.method ?? "GET";
        url.value = request.url ?? "/";
        headers.value = Object.entries(request.headers ?? {}).filter(([name]) => !/^(host|user-agent|accept-encoding|connection|content-length)$/i.test(name))
            .flatMap(([name, value]) => [value].flat().map((v) => `${name}: ${v}`)).join("\n");
        body.value = request.body ?? "";
        if (headers.value || body.value) node.querySelector("details").open = true;
    }

    async function run() {
        await begun;
        const { stubs = [], nodes = [] } = draft();
        if (!isFilled && !isTouched && stubs[0]) example(stubs[0]);
        if (!url.value.trim() || isClosed) return replace(result);
        running?.abort();
        const mine = running = new AbortController();
        let path = url.value.trim();
        const whole = /^https?:\/\/[^/?#]*/i.exec(path);
        if (whole) path = path.slice(whole[0].length) || "/";
        if (!path.startsWith("/")) path = `/${path}`;
        const fields = {};
        for (const line of headers.value.split("\n")) {
            const colon = line.indexOf(":");
            if (colon < 1) continue;
            const name = line.slice(0, colon).trim(), value = line.slice(colon + 1).trim();
            if (Object.hasOwn(fields, name)) fields[name] = [fields[name], value].flat();
            else Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true });
        }
        const request = { method: method.value.trim() || "GET", url: path, headers: fields };
        if (body.value) request.body = body.value;
        try {
            const { data } = await judge(request, nodes, mine.signal);
            if (!isClosed) drawResult(data, new Set(stubs.map((s) => s.id)));
        } catch (error) {
            if (error?.name === "AbortError" || isClosed) return;
            if (!(error instanceof CallError)) throw error;
            replace(result, el("p", { class: "error" }, refusal(error)));
        }
    }

    function example(stub) {
        const request = exampleOf(stub);
        if (!request) return;
        method.value = request.method;
        url.value = request.url;
        headers.value = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`).join("\n");
        body.value = request.body ?? "";
    }

    function drawResult(data, drafts) {
        const stub = data.stubMapping;
        if (!stub) {
            const near = data.nearMisses?.find((n) => drafts.has(n.stubMapping?.id)) ?? data.nearMisses?.[0];
            const isOurs = near && drafts.has(near.stubMapping?.id);
            replace(result, el("p", { class: "told unmatched" }, icon("unmatched"), " Nothing would answer it."),
                data.ineligible?.filter((s) => !drafts.size || drafts.has((s.stubMapping ?? s).id)).slice(0, 3)
                    .map((s) => el("p", null, shown(s.reason ?? "", 300))),
                near ? [el("p", { class: "muted" }, isOurs ? "What differs from this stub:" : `Nearest: ${shown(near.key ?? "", 200)}`), attributes(near)] : null);
            return;
        }
        const isOurs = drafts.has(stub.id) || stub.id === id;
        replace(result, isOurs ? el("p", { class: "told ok" }, icon("check"), " This stub would answer it.")
            : el("p", { class: "told warn" }, icon("client"), " Another stub would answer it: ", stubLink(app, { id: stub.id, name: stub.name, key: data.key ?? keyOf(stub) })),
        data.reason && (isOurs || data.reason !== "It is the only matching stub") ? el("p", { class: "muted small" }, shown(data.reason, 500))
            : data.reason ? el("p", { class: "muted small" }, "The request does not meet what this stub asks for.") : null,
        data.answer ? answerView(data.answer) : null);
    }

    return {
        node, fill, run,
        /** The draft cannot be read. */
        wait() {
            running?.abort();
            replace(result, el("p", { class: "muted" }, "It is tried again once the text can be read."));
        },
        async take(request) {
            const answer = await attempt(app, () => call("GET", `requests/${encodeURIComponent(request)}`));
            if (!answer) return;
            fill(answer.data.request ?? answer.data);
            run();
            url.focus();
        },
        close() { isClosed = true; running?.abort(); },
    };
}

/** A request that a stub asks for, made of its text; null where that is not plain. */
export function exampleOf(stub) {
    const request = stub.request ?? {};
    const path = request.url ?? request.urlPath ?? request.urlPathTemplate?.replace(/\{[^}]*\}/g, "1");
    if (!path) return null;
    const equal = (members) => Object.entries(members ?? {}).filter(([, m]) => typeof m?.equalTo === "string").map(([name, m]) => [name, m.equalTo]);
    const query = equal(request.queryParameters).map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
    const wanted = request.bodyPatterns?.[0];
    const text = wanted?.equalToJson ?? wanted?.equalTo;
    return {
        method: !request.method || request.method === "ANY" ? "GET" : request.method,
        url: path + (query ? (path.includes("?") ? "&" : "?") + query : ""), headers: Object.fromEntries(equal(request.headers)),
        ...(text === undefined ? {} : { body: typeof text === "string" ? text : JSON.stringify(text, null, 2) }),
    };
}

/** Judges a request as if these stubs were there: as they were sent, with all digits of their numbers. */
function judge(request, nodes, signal) {
    return call("POST", "explain", { json: `${JSON.stringify(request).slice(0, -1)},"stubs":[${nodes.map(formatJSON).join(",")}]}`, signal });
}

function attributes(near) {
    const rows = (near.attributes ?? []).filter((a) => !a.matches);
    return el("ul", { class: "attributes" }, rows.map((a) => el("li", null, el("strong", null, shown(a.attribute, 100)),
        el("div", null, el("span", { class: "muted" }, "wanted "), el("code", null, shown(a.expected, 300))),
        el("div", null, el("span", { class: "muted" }, "came "), a.actual === undefined || a.actual === null ? "nothing" : el("code", null, shown(a.actual, 300))),
        a.differences?.length ? el("ul", null, a.differences.slice(0, 5).map((d) => el("li", null, shown(d, 300)))) : null)));
}

function answerView(answer) {
    const fields = Array.isArray(answer.headers) ? answer.headers.map((h) => [h.name ?? h[0], h.value ?? h[1]])
        : Object.entries(answer.headers ?? {}).flatMap(([name, value]) => [value].flat().map((v) => [name, v]));
    const bodyText = answer.body ?? "";
    let body = typeof bodyText === "string" ? bodyText : JSON.stringify(bodyText);
    try { if (/^\s*[[{]/.test(body)) body = formatJSON(readJSON(body)); } catch { /* as it is */ }
    return el("div", { class: "answer" }, el("p", null, el("strong", null, `Status ${answer.status}`)),
        fields.length ? el("dl", { class: "fields" }, fields.slice(0, 30).map(([name, value]) => [el("dt", null, shown(name, 100)), el("dd", null, el("bdi", null, shown(value, 500)))])) : null,
        body ? code(shownLines(body.slice(0, 20_000)), "Body of the answer") : el("p", { class: "muted" }, "No body."));
}

// A stub made of a request.

const LIKE_ID = /^(\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|[A-Za-z]*\d[\w-]{5,})$/i;

/** What of a request a stub should ask for; `use` takes the mapping. */
function requestPanel(app, request, use) {
    const [rawPath, rawQuery = ""] = splitOnce(request.url ?? "/", "?");
    const segments = rawPath.split("/");
    const variable = new Map(segments.map((text, i) => [i, LIKE_ID.test(text)]));
    const pairs = rawQuery ? rawQuery.split("&").filter(Boolean).map((p) => splitOnce(p, "=").map(decoded)) : [];
    const names = [...new Set(pairs.map(([name]) => name))];
    const query = new Set(names);
    const headers = new Set();
    let bodyKind = "off";
    let answer = "empty";
    let nearest = null;
    const bodyText = request.body ?? "";
    let bodyNodes = null;
    try { bodyNodes = bodyText ? readJSON(bodyText) : null; } catch { /* no JSON */ }
    const canTemplate = /^[^{}*]*$/.test(rawPath);

    function mapping() {
        const out = [];
        const string = (value) => ({ type: "string", value });
        const object = (entries) => ({ type: "object", entries });
        const isTemplate = canTemplate && [...variable].some(([, isOn]) => isOn);
        const taken = new Set();
        const path = segments.map((text, i) => {
            if (!isTemplate || !variable.get(i)) return text;
            const before = segments[i - 1]?.replace(/[^A-Za-z]/g, "").replace(/s$/, "");
            let name = before && !variable.get(i - 1) ? `${before}Id` : "id";
            if (![...variable].some(([j, isOn]) => j !== i && isOn)) name = "id";
            for (let n = 2; taken.has(name); n++) name = `${name.replace(/\d+$/, "")}${n}`;
            taken.add(name);
            return `{${name}}`;
        }).join("/");
        out.push(["method", string(request.method ?? "GET")], [isTemplate ? "urlPathTemplate" : "urlPath", string(path || "/")]);
        const chosen = names.filter((name) => query.has(name));
        if (chosen.length) {
            out.push(["queryParameters", object(chosen.map((name) => {
                const values = pairs.filter(([n]) => n === name).map(([, v]) => v ?? "");
                return [name, values.length === 1 ? object([["equalTo", string(values[0])]])
                    : object([["hasExactly", { type: "array", items: values.map((v) => object([["equalTo", string(v)]])) }]])];
            }))]);
        }
        const fields = Object.entries(request.headers ?? {}).filter(([name]) => headers.has(name));
        if (fields.length) out.push(["headers", object(fields.map(([name, value]) => [name, object([["equalTo", string([value].flat()[0])]])]))]);
        if (bodyKind !== "off" && bodyText) {
            const pattern = bodyNodes ? ["equalToJson", bodyKind === "structure" ? structure(bodyNodes) : bodyNodes] : ["equalTo", string(bodyText)];
            out.push(["bodyPatterns", { type: "array", items: [object([pattern])] }]);
        }
        const response = answer === "nearest" && nearest ? nearest
            : object([["status", { type: "number", raw: "200" }], ["jsonBody", object([])],
                ["headers", object([["Content-Type", string("application/json")]])]]);
        return object([["request", object(out)], ["response", response]]);
    }

    const make = () => use(mapping());
    const parts = [];
    const ids = segments.map((text, i) => text && canTemplate ? tick(decoded(text).length > 40 ? `${shown(decoded(text), 40)}` : shown(decoded(text)), variable.get(i), (isOn) => { variable.set(i, isOn); make(); }) : null).filter(Boolean);
    if (ids.length) parts.push(group("Any value in the path for", ids));
    if (names.length) {
        parts.push(group("Ask for these parameters", names.map((name) => tick(shown(name, 60), true, (isOn) => { isOn ? query.add(name) : query.delete(name); make(); }))));
    }
    const fieldNames = Object.keys(request.headers ?? {}).filter((name) => !/^(host|connection|content-length|accept-encoding)$/i.test(name));
    if (fieldNames.length) {
        parts.push(el("details", { class: "fold" }, el("summary", null, "Ask for headers, too"), group("", fieldNames.map((name) =>
            tick(shown(name, 60), false, (isOn) => { isOn ? headers.add(name) : headers.delete(name); make(); })))));
    }
    if (bodyText) {
        const kinds = select([["off", "any"], ["equal", "equal to this one"], ...(bodyNodes ? [["structure", "of the same structure"]] : [])],
            { on: { change: () => { bodyKind = kinds.value; make(); } } });
        parts.push(field("Body", kinds));
    }
    const answers = select([["empty", "200 with {}"], ["nearest", "that of the nearest stub"]], { on: { change: async () => {
        answer = answers.value;
        if (answer === "nearest" && !nearest) {
            const near = await attempt(app, () => callNodes("POST", "explain", { json: { method: request.method, url: request.url } }));
            const first = near && member(near.nodes, "nearMisses")?.items[0];
            nearest = member(near && member(near.nodes, "stubMapping")?.entries ? member(near.nodes, "stubMapping") : first && member(first, "stubMapping"), "response");
            if (!nearest) { answers.value = answer = "empty"; app.notice("There is no stub near it", "warn"); }
        }
        make();
    } } });
    parts.push(field("Answer", answers));
    const node = el("section", { class: "box", "aria-label": "From the request" }, el("h2", null, "From ", el("span", { class: "method" }, shown(request.method, 20)), " ",
        el("bdi", null, shown(request.url, 200))), parts,
    el("p", { class: "muted small" }, "A choice here writes the text below anew."));
    node.make = make;
    return node;
}

function group(legend, children) {
    return el("fieldset", { class: "ticks" }, legend ? el("legend", null, legend) : null, children);
}

/** The same document with placeholders for any value of its kind. */
function structure(node) {
    if (node.entries) return { type: "object", entries: node.entries.map(([key, child]) => [key, structure(child)]) };
    if (node.items) return { type: "array", items: node.items.map(structure) };
    const kind = node.type === "string" ? "any-string" : node.type === "number" ? "any-number" : typeof node.value === "boolean" ? "any-boolean" : null;
    return kind ? { type: "string", value: `\${json-unit.${kind}}` } : node;
}

function splitOnce(text, mark) {
    const at = text.indexOf(mark);
    return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text) {
    try { return decodeURIComponent(text.replace(/\+/g, " ")); } catch { return text; }
}

// Nodes of JSON.

/** A member of an object of JSON nodes. */
export function member(node, key) {
    return node?.entries?.find(([name]) => name === key)?.[1];
}

const textOf = (node) => (node ? compactText(node) : "");

/** What a stub of a collection says of it. */
function collectionOf(node) {
    return member(node, "resource") ?? member(member(member(node, "metadata"), "stuntdouble"), "resource");
}

function without(node, key) {
    if (node?.entries) node.entries = node.entries.filter(([name]) => name !== key);
}

function nearest(line, word, column) {
    let best = -1;
    for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
        if (best < 0 || Math.abs(at - column) < Math.abs(best - column)) best = at;
    }
    return best;
}

/** The problems of a refusal, with line and column where its words have them. */
function problemsOf(error) {
    return error.problems.map((p) => {
        const message = p.detail || p.title;
        const [, line, column] = /:(\d+):(\d+):/.exec(message) ?? [];
        return { severity: "error", message, pointer: p.pointer, line: line && Number(line), column: column && Number(column) };
    });
}
