// The stubs: in the order in which they are tried, with what each has answered; and the editor of one.

import { counted, el, formatCount, replace, shown } from "./dom.js";
import { call } from "./api.js";
import { isSecretName } from "./copy.js";
import { openEditor } from "./editor.js";
import { ago, attempt, badge, button, head, input, keyed, nothing, placeOf, polled, setText, show, table, timeOf } from "./parts.js";

const STEP = 100;

const KINDS = [
    ["unused", "Never used", (s) => !s.matches],
    ["hidden", "Hidden by another", (s) => Boolean(s.hiddenBy)],
    ["off", "Off", (s) => s.enabled === false],
    ["edited", "Differs from its file", (s) => s.edited === true],
    ["memory", "In memory", (s) => !s.file],
];

export default { name: "stubs", title: "Stubs", key: "s", mount };

function mount(root, place, app) {
    const list = el("div", { class: "stubs view-body" });
    const other = el("div", { class: "view-body" });
    root.append(list, other);
    let editor = null;
    let stubs = null;
    let limit = STEP;
    let isStale = true, isWanted = true, at = 0;
    /** Where the list was scrolled to, and what had the focus, when a stub was opened. */
    let left = null;
    const chosen = new Set();
    /** What stubs ask for beside what their rows say, by id: of those that have the same method and path. */
    let hints = new Map();

    const search = input({
        type: "search", class: "grow", "aria-label": "Search stubs", placeholder: "Search: words, file, is:unused",
        on: { input: () => { limit = STEP; remember(); draw(); } },
    });
    const kinds = el("div", { class: "toolbar", role: "group", "aria-label": "Only these" });
    const kindButtons = KINDS.map(([key, text]) => {
        const node = button(text, () => toggle(key), { kind: "chip", pressed: false });
        kinds.append(node);
        return node;
    });
    const total = el("span", { class: "muted number" });
    const body = el("tbody");
    const all = el("input", { type: "checkbox", "aria-label": "Choose all that are shown", on: { change: chooseAll } });
    const holder = table("Stubs in the order in which they are tried", [
        ["-Chosen", "narrow"], "Request", "Where", ["Hits", "number"], ["Last hit", "number"], "State",
    ], body);
    holder.classList.add("stub-table");
    const first = holder.querySelector("thead td");
    replace(first, all);
    const more = button("", () => { limit += STEP; draw(); });
    const empty = el("div");
    const bulk = el("div", { class: "toolbar bulk", role: "group", "aria-label": "With the chosen stubs" });
    const bulkCount = el("span");
    bulk.append(bulkCount,
        button("Switch on", () => switchAll(true)), button("Switch off", () => switchAll(false)),
        button("Remove…", removeAll, { kind: "danger" }), button("Choose none", () => { chosen.clear(); draw(); }, { kind: "plain" }));
    list.append(
        head("Stubs", el("a", { class: "button primary", href: "#/stubs/new" }, "New stub"),
            button("Back to the files…", reset, { title: "Removes what was added here and takes edits back" })),
        el("div", { class: "toolbar" }, search, total), kinds, bulk, holder, empty, more);

    const poll = polled(app, 2000, async (signal) => {
        // Of very many stubs the list alone is megabytes.
        const age = Date.now() - at;
        if (!isWanted && age < (stubs?.length > 5000 ? 15_000 : isStale ? 1_900 : 10_000)) return;
        isStale = isWanted = false;
        at = Date.now();
        stubs = (await call("GET", "requests/counters", { signal })).data.stubs ?? [];
        for (const stub of stubs) stub.words = `${stub.name ?? ""} ${stub.key ?? ""} ${stub.file ?? "in memory"} ${stub.id}`.toLowerCase();
        KINDS.forEach(([, text, test], i) => setText(kindButtons[i], `${text} ${formatCount(stubs.filter(test).length)}`));
        draw();
    });
    const unbind = app.keys("Stubs", [
        { keys: ["/"], text: "Search", when: () => !editor, run: () => { search.focus(); search.select(); } },
        { keys: ["n"], text: "New stub", when: () => !editor, run: () => app.go("#/stubs/new") },
    ]);
    const stale = () => { isStale = true; };
    const now = () => { isWanted = true; poll.now(); };
    const offs = [
        ...["stub", "reset", "reload", "restart"].map((type) => app.on(type, () => { hints = new Map(); })),
        app.on("request", stale), app.on("stub", now), app.on("reset", now), app.on("reload", now), app.on("gap", now), app.on("restart", now),
    ];

    function query() {
        const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
        const wanted = new Set(words.filter((w) => w.startsWith("is:")).map((w) => w.slice(3)));
        return { wanted, words: words.filter((w) => !w.startsWith("is:")) };
    }

    function toggle(key) {
        const token = `is:${key}`;
        const words = search.value.trim().split(/\s+/).filter(Boolean);
        search.value = (words.includes(token) ? words.filter((w) => w !== token) : [...words, token]).join(" ");
        limit = STEP;
        remember();
        draw();
    }

    function remember() {
        const text = search.value.trim();
        app.go(`#/stubs${text ? `?q=${encodeURIComponent(text)}` : ""}`, { replace: true });
    }

    function holds(stub, { wanted, words }) {
        for (const [key, , test] of KINDS) if (wanted.has(key) && !test(stub)) return false;
        return words.every((word) => word.startsWith("-") && word.length > 1 ? !stub.words.includes(word.slice(1)) : stub.words.includes(word));
    }

    function draw() {
        if (!stubs || editor) return;
        const asked = query();
        const found = stubs.filter((stub) => holds(stub, asked));
        KINDS.forEach(([key], i) => kindButtons[i].setAttribute("aria-pressed", String(asked.wanted.has(key))));
        setText(total, found.length === stubs.length ? counted(stubs.length, "stub") : `${formatCount(found.length)} of ${formatCount(stubs.length)}`);
        keyed(body, found.slice(0, limit), (stub) => stub.id, row);
        show(holder, found.length > 0);
        show(more, found.length > limit);
        setText(more, `Show ${formatCount(Math.min(STEP, found.length - limit))} more`);
        show(empty, !found.length);
        if (!found.length) {
            replace(empty, stubs.length
                ? nothing("No stub is like that. ", button("Show all", () => { search.value = ""; remember(); draw(); search.focus(); }, { kind: "plain" }))
                : nothing("There are no stubs yet: requests get a 404. ", el("a", { href: "#/stubs/new" }, "Write the first one"), "."));
        }
        readHints(found.slice(0, limit));
        const ids = new Set(stubs.map((stub) => stub.id));
        for (const id of chosen) if (!ids.has(id)) chosen.delete(id);
        show(bulk, chosen.size > 0);
        setText(bulkCount, `${counted(chosen.size, "stub")} chosen`);
        const isShown = found.slice(0, limit);
        all.checked = isShown.length > 0 && isShown.every((stub) => chosen.has(stub.id));
    }

    /** Asks for the conditions of stubs that look alike, and draws again when they are there. */
    async function readHints(list) {
        const counts = new Map();
        for (const { key, name } of list) counts.set(`${key} ${name ?? ""}`, (counts.get(`${key} ${name ?? ""}`) ?? 0) + 1);
        const wanted = list.filter((stub) => counts.get(`${stub.key} ${stub.name ?? ""}`) > 1 && !hints.has(stub.id)).slice(0, 30);
        if (!wanted.length) return;
        const mine = hints;
        for (const stub of wanted) mine.set(stub.id, "");
        await Promise.all(wanted.map(async ({ id }) => {
            try { mine.set(id, conditionsOf((await call("GET", `mappings/${encodeURIComponent(id)}`)).data)); } catch { /* gone meanwhile */ }
        }));
        if (mine === hints) draw();
    }

    function row() {
        const box = el("input", { type: "checkbox", on: { change: () => { box.checked ? chosen.add(id) : chosen.delete(id); draw(); } } });
        const link = el("a", { class: "key" });
        const name = el("span", { class: "muted name" });
        const where = el("td", { class: "stub-file muted" });
        const hits = el("td", { class: "number hits" });
        const last = el("td", { class: "number last muted" });
        const state = el("td", { class: "states" });
        let id, drawn = "";
        const node = el("tr", null, el("td", { class: "narrow" }, box), el("td", { class: "what" }, link, name), where, hits, last, state);
        return {
            node,
            update(stub) {
                id = stub.id;
                box.checked = chosen.has(id);
                const key = stub.key || stub.name || stub.id;
                box.setAttribute("aria-label", `Choose ${shown(key, 200)}`);
                link.href = `#/stubs/${encodeURIComponent(id)}`;
                setText(link, shown(key, 300));
                setText(name, [stub.name && stub.name !== key && shown(stub.name, 120), hints.get(id)].filter(Boolean).join(" · "));
                setText(where, placeOf(stub));
                setText(hits, formatCount(stub.matches ?? 0));
                const time = timeOf(stub.lastHit);
                setText(last, ago(time));
                last.title = Number.isFinite(time) ? new Date(time).toISOString() : "";
                const marks = states(stub);
                const sum = marks.map((m) => m.join()).join("|") + (stub.hiddenBy?.id ?? "");
                if (sum === drawn) return;
                drawn = sum;
                replace(state, marks.map(([text, kind]) => kind === "hidden"
                    ? el("a", { class: "badge warn", href: `#/stubs/${encodeURIComponent(stub.hiddenBy.id)}` }, text)
                    : kind === "quiet" ? el("span", { class: "muted small" }, text) : badge(text, kind)));
            },
        };
    }

    function chooseAll() {
        const asked = query();
        for (const stub of stubs.filter((s) => holds(s, asked)).slice(0, limit)) all.checked ? chosen.add(stub.id) : chosen.delete(stub.id);
        draw();
    }

    async function switchAll(enabled) {
        const ids = [...chosen];
        await attempt(app, async () => {
            for (const id of ids) await call("PATCH", `mappings/${encodeURIComponent(id)}`, { json: { enabled } });
        }, `${counted(ids.length, "stub")} switched ${enabled ? "on" : "off"}: those of files until a reset, or until their file changes`);
        now();
    }

    async function removeAll() {
        const ids = [...chosen];
        const inFiles = stubs.filter((stub) => chosen.has(stub.id) && stub.file && !stub.persistent).length;
        const isMeant = await app.confirm({
            title: `Remove ${counted(ids.length, "stub")}?`,
            text: inFiles
                ? `${counted(inFiles, "stub")} of files: the files stay, and bring the stubs back with a reset or when they change.`
                : "They are gone for good.",
            action: "Remove",
        });
        if (!isMeant) return;
        await attempt(app, async () => {
            for (const id of ids) await call("DELETE", `mappings/${encodeURIComponent(id)}`);
        }, `${counted(ids.length, "stub")} removed`);
        chosen.clear();
        now();
    }

    async function reset() {
        const isMeant = await app.confirm({
            title: "Back to the stubs of the files?",
            text: "Stubs that were added and not saved are removed, and edits are taken back. The journal is emptied, with state, faults, and what was changed "
                + "in collections; scenarios are back at Started, gates are closed, and requests in flight end. Running tests notice.",
            action: "Reset",
        });
        if (isMeant && await attempt(app, () => call("POST", "mappings/reset"), "Reset: the stubs are those of the files")) now();
    }

    function update(next) {
        place = next;
        const id = next.path[1];
        if (!id) {
            show(list, true);
            show(other, false);
            editor?.close();
            editor = null;
            const text = next.query.get("q") ?? "";
            if (document.activeElement !== search) search.value = text;
            now();
            draw();
            if (left) {
                root.closest("main").scrollTop = left.top;
                if (left.focus?.isConnected) left.focus.focus({ preventScroll: true });
                left = null;
            }
            return;
        }
        left ??= { top: root.closest("main")?.scrollTop ?? 0, focus: list.contains(document.activeElement) ? document.activeElement : null };
        show(list, false);
        show(other, true);
        const from = next.query.get("from") ?? next.query.get("copy") ?? "";
        const key = `${id}?${from}`;
        if (editor?.key === key) return;
        editor?.close();
        replace(other);
        editor = openEditor(other, { id: id === "new" ? null : id, from: next.query.get("from"), copy: next.query.get("copy") }, app);
        editor.key = key;
        root.closest("main")?.scrollTo(0, 0);
    }
    update(place);
    return {
        update,
        unmount() {
            editor?.close();
            poll.stop();
            unbind();
            for (const off of offs) off();
        },
    };
}

/** What a stub asks for beside its method and path, shortly. */
function conditionsOf({ request = {}, scenarioName, requiredScenarioState }) {
    const words = [];
    const one = (kind, name, matcher) => {
        const [[how, value] = []] = Object.entries(matcher ?? {});
        const text = how === undefined || isSecretName(name) ? "" : how === "equalTo" ? ` = ${value}` : ` ${how} ${typeof value === "string" ? value : JSON.stringify(value)}`;
        words.push(shown([kind, name].filter(Boolean).join(" ") + text, 60));
    };
    for (const [key, kind] of [["queryParameters", "query"], ["headers", "header"], ["cookies", "cookie"], ["formParameters", "form"], ["pathParameters", "path"]]) {
        for (const [name, matcher] of Object.entries(request[key] ?? {})) one(kind, name, matcher);
    }
    if (request.basicAuthCredentials) one("user", request.basicAuthCredentials.username ?? "", {});
    for (const pattern of request.bodyPatterns ?? []) one("body", "", pattern);
    if (requiredScenarioState) words.push(shown(`${scenarioName} in ${requiredScenarioState}`, 60));
    return words.length > 3 ? `${words.slice(0, 3).join(", ")}, …` : words.join(", ");
}

/** What there is to say of a stub: `[text, kind]`. */
export function states(stub) {
    const out = [];
    if (stub.enabled === false) out.push(["off", "warn"]);
    if (stub.timesLeft === 0) out.push(["used up", "warn"]);
    else if (stub.timesLeft > 0) out.push([`${formatCount(stub.timesLeft)} left`, ""]);
    if (stub.hiddenBy) out.push([`hidden by ${shown(stub.hiddenBy.name || stub.hiddenBy.key || "another", 80)}`, "hidden"]);
    else if (!stub.matches) out.push(["never used", "quiet"]);
    if (stub.edited) out.push(["differs from its file", "warn"]);
    if (stub.persistent) out.push(["persistent", ""]);
    return out;
}

