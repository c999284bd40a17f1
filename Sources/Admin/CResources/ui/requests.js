// The requests: the list, its filter, and the one that is open.

import { el, replace, icon, shown, coded, formatTime, formatDuration, formatSize, formatCount, counted, copy, fileLine } from "./dom.js";
import { call, session } from "./api.js";
import { rows, faultNames } from "./rows.js";
import { parseFilter, toggled, EXAMPLES } from "./filter.js";
import { makeGrid, markOf, markIcon } from "./list.js";
import { makeDetail, compare } from "./detail.js";
import { copyChoices, copyAs } from "./copy.js";
import { exampleOf, keepDraft, shortly } from "./editor.js";

const COLUMNS = [
    { name: "when", title: "When", width: 100, min: 560 },
    { name: "mark", title: "Mark", isTitleHidden: true, width: 20, min: 0, isFixed: true },
    { name: "method", title: "Method", width: 64, min: 0, isFixed: true },
    { name: "url", title: "URL", width: 0, min: 0, isFixed: true },
    { name: "answer", title: "Status", width: 92, min: 0, isFixed: true, class: "number" },
    { name: "time", title: "Time", width: 68, min: 380, class: "number" },
    { name: "size", title: "Sent", hint: "All that was sent: the body with its headers", width: 68, min: 640, class: "number" },
    { name: "stub", title: "Stub", width: 180, min: 880 },
    { name: "session", title: "Session", width: 120, min: 820, isAutomatic: true },
    { name: "fault", title: "Fault", width: 120, min: 0, isOff: true },
    { name: "type", title: "Type", width: 130, min: 0, isOff: true },
    { name: "protocol", title: "Protocol", width: 76, min: 0, isOff: true },
    { name: "host", title: "Host", width: 130, min: 1000, isOff: true },
    { name: "client", title: "Client", width: 100, min: 0, isOff: true },
];
const ENDS = {
    clientGone: "client gone", targetGone: "target gone", clientStalled: "client stalled", cancelled: "cancelled", refused: "refused",
    stopped: "daemon stopped",
};
const GROUPS = { none: "No groups", session: "By session", stub: "By stub" };

// What is kept while another view is shown.
const fresh = () => ({
    line: "", at: null, tab: null, isPaused: false, frozen: null, waiting: 0, follow: true, top: 0, hiddenUpTo: null, group: "none",
    folded: new Set(), picked: new Set(), columns: readColumns(), history: [], seen: 0, seenUnmatched: 0, sort: null,
});
const kept = fresh();

function readColumns() {
    let list = null;
    try { list = JSON.parse(localStorage.getItem("stuntdouble-columns")); } catch { /* none kept */ }
    const known = COLUMNS.map((c) => c.name);
    return Array.isArray(list) ? new Set(list.filter((n) => known.includes(n))) : null;
}
function mount(root, place, app) {
    let filter = parseFilter("");
    let items = [], lastLength = 0, lastGeneration = -1, lastRemoved = 0, lastList = null;
    let remote = null;
    let isDirty = false, detail = null, lastPaint = 0, paintTimer = null, endsTimer = null;
    const offs = [];
    const context = { get p95() { return rows.p95; }, now: Date.now(), remote: (row) => !remote || remote.ids.has(row.id) };

    // --- Elements
    const input = el("input", {
        class: "filter", type: "search", "aria-label": "Filter the requests", placeholder: "Filter: status:4xx -path:/health  ( / )",
        autocomplete: "off", spellcheck: "false", autocapitalize: "off", list: "filters",
    });
    const past = el("datalist", { id: "filters" });
    const tally = el("span", { class: "tally-text muted" });
    const unmatchedOnly = el("button", { type: "button", class: "only", "aria-pressed": "false", on: { click: () => setLine(toggled(input.value, "is:unmatched")) } }, markIcon("unmatched"), el("span", {}, "Unmatched"));
    const pauseButton = el("button", { type: "button", class: "pause", on: { click: togglePause } });
    const actionsButton = el("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", class: "view-menu", on: { click: () => viewMenu() } }, el("span", {}, "List"), icon("down"));
    const chips = el("div", { class: "chips", hidden: true });
    const picked = el("div", { class: "picked toolbar", hidden: true });
    const pill = el("button", { type: "button", class: "pill", hidden: true, on: { click: followNewest } });
    const empty = el("div", { class: "start", hidden: true });
    const older = el("button", { type: "button", class: "link older", hidden: true, on: { click: loadOlder } }, "Search the journal for older ones");
    const grid = makeGrid({
        label: "Requests", columns: visibleColumns, paint, height: rowHeight,
        onActive: (item, why) => { if (detail.isOpen && why === "key" && !item.isMarker && !item.isGroup) open(item, { inPlace: true }); },
        onPick: pick, onMenu: (item, anchor) => { if (item.id) rowMenu(item, anchor); }, onOpen: openItem,
        onAway: () => { kept.follow = false; remember(); showPill(); }, onEnd: () => { if (!detail.isOpen && !kept.isPaused) followNewest(); else showPill(); },
    });
    const separator = el("div", { class: "split", role: "separator", tabindex: 0, "aria-label": "Size of the detail", "aria-orientation": "vertical", "aria-valuemin": 20, "aria-valuemax": 80, "aria-valuenow": 50 });
    const aside = el("aside", { class: "detail", "aria-label": "The open request", hidden: true });
    const listPane = el("div", { class: "list-pane" }, grid.element, pill, empty);
    const split = el("div", { class: "panes" }, listPane, separator, aside);
    replace(root,
        el("h1", { class: "offscreen" }, "Requests"),
        el("div", { class: "toolbar list-tools" }, el("span", { class: "filter-box" }, icon("search"), input, past), tally, unmatchedOnly, pauseButton, actionsButton),
        chips, picked, split);
    separator.hidden = true;
    detail = makeDetail(aside, app, {
        onClose: () => close(), onTab: (tab) => { kept.tab = tab; address({ inPlace: true }); },
        onBack: () => grid.element.focus(),
    });

    // --- Columns and height
    const phone = matchMedia("(max-width: 699px)");
    function rowHeight() {
        if (phone.matches) return 52;
        return app.settings.density === "compact" ? 24 : 28;
    }
    let severalSessions = false, severalHosts = false, columnKey = "";
    // Measured when it changes: to ask for it in between lays the page out.
    let paneWidth = listPane.clientWidth;
    function visibleColumns() {
        const width = paneWidth || 1000;
        if (phone.matches) return COLUMNS.filter((c) => ["mark", "method", "url", "answer", "time"].includes(c.name));
        return COLUMNS.filter((c) => {
            if (c.isFixed) return true;
            if (kept.columns ? !kept.columns.has(c.name) : c.isOff && !(c.name === "host" && severalHosts)) return false;
            if (c.isAutomatic && !kept.columns && !severalSessions) return false;
            return width >= c.min;
        });
    }
    let urlLetters = 60;
    function layoutColumns() {
        const list = visibleColumns();
        const width = paneWidth || 1000;
        const isNarrow = width < 720;
        const key = list.map((c) => c.name).join() + (phone.matches ? "p" : "") + isNarrow;
        const fixed = list.reduce((sum, c) => sum + (c.name === "when" && isNarrow ? 64 : c.width) + 8, 0) + 24;
        urlLetters = phone.matches ? Math.floor((width - 24) / 7.2) : Math.max(12, Math.floor((width - fixed) / 7.2));
        if (key === columnKey) return;
        columnKey = key;
        grid.element.style.setProperty("--columns", list.map((c) => (c.width ? `${c.name === "when" && isNarrow ? 64 : c.width}px` : "minmax(0, 1fr)")).join(" "));
        grid.element.dataset.narrow = isNarrow ? "yes" : "no";
        grid.setColumns();
    }
    const sizes = new ResizeObserver(() => { paneWidth = listPane.clientWidth; layoutColumns(); grid.queue(); });
    sizes.observe(listPane);

    // --- Painting of one row
    function put(node, name, text, title) {
        const cell = node.cells[name];
        if (!cell || node.cache[name] === text) return;
        node.cache[name] = text;
        cell.textContent = text;
        if (title !== undefined) cell.title = title;
    }
    function paint(node, item) {
        if (item.isMarker || item.isGroup) { paintLine(node, item); return; }
        if (node.cache.line) { node.cache = {}; node.querySelector(".line")?.remove(); node.classList.remove("is-line"); for (const c of Object.values(node.cells)) c.hidden = false; }
        const mark = markOf(item);
        const isPicked = kept.picked.has(item.id);
        const state = `${item.id === kept.at ? "opened " : ""}${isPicked ? "picked " : ""}${item.isOld ? "old " : ""}${mark ? `is-${mark[0]}` : ""}`;
        if (node.cache.state !== state) {
            node.cache.state = state;
            node.className = `grid-row ${node.isActive ? "active " : ""}${state}`;
            node.setAttribute("aria-selected", isPicked || item.id === kept.at ? "true" : "false");
            replace(node.cells.mark, mark ? [markIcon(mark[0]), el("span", { class: "offscreen" }, mark[1])] : null);
        }
        if (node.cells.when && node.cache.at !== item.at) {
            node.cache.at = item.at;
            const text = formatTime(item.at);
            replace(node.cells.when, text.slice(0, 8), el("span", { class: "fraction" }, text.slice(8)));
            node.cells.when.title = Number.isFinite(item.at) ? new Date(item.at).toISOString() : "";
        }
        put(node, "method", shown(item.method, 20));
        if (node.cache.url !== item.url || node.cache.letters !== urlLetters) {
            node.cache.url = item.url;
            node.cache.letters = urlLetters;
            const { path, query } = elided(shown(item.url), urlLetters);
            replace(node.cells.url, el("bdi", {}, path, query && el("span", { class: "muted" }, query)));
            node.cells.url.title = shown(item.url, 500);
        }
        const endWord = item.end && item.end !== "sent" && item.end !== "faultApplied" && !item.isFault ? ENDS[item.end] ?? item.end : "";
        put(node, "answer", item.ended || item.status && !item.gate ? [item.answer, endWord].filter(Boolean).join(" ") : item.gate ? "held" : "", endWord || undefined);
        put(node, "time", item.ended ? formatDuration(item.durationMs) : item.isOld ? "" : item.at && context.now - item.at >= 1000 ? formatDuration(Math.floor((context.now - item.at) / 1000) * 1000) : "…");
        put(node, "size", item.size === undefined ? "" : formatSize(item.size));
        if (node.cells.stub) put(node, "stub", stubName(item), item.stub ? shown([item.stub.name, item.stub.key, fileLine(item.stub)].filter(Boolean).join("\n"), 500) : "");
        if (node.cells.session) put(node, "session", item.session ? shown(item.session.name ?? item.session.id, 60) : "");
        if (node.cells.fault) put(node, "fault", shown(faultNames(item), 80));
        if (node.cells.type) put(node, "type", shown(item.type ?? "", 80));
        if (node.cells.protocol) put(node, "protocol", item.protocol === "HTTP/2.0" ? "HTTP/2" : shown(item.protocol ?? "", 20));
        if (node.cells.host) put(node, "host", shown(item.host ?? "", 80));
        if (node.cells.client) put(node, "client", shown(item.clientIp ?? "", 80));
    }
    function paintLine(node, item) {
        const text = item.isGroup ? `${item.isFolded ? "folded " : ""}${item.label}: ${counted(item.count, "request")}${item.unmatched ? `, ${formatCount(item.unmatched)} unmatched` : ""}` : item.text;
        const key = `${text} ${item.kind ?? ""}`;
        if (node.cache.line === key) return;
        node.cache = { line: key };
        node.className = `grid-row is-line ${item.isGroup ? "group" : `marker ${item.kind ?? ""}`}`;
        node.removeAttribute("aria-selected");
        for (const c of Object.values(node.cells)) { c.hidden = true; }
        node.querySelector(".line")?.remove();
        node.append(el("div", { class: "line", role: "gridcell", "aria-expanded": item.isGroup ? String(!item.isFolded) : null },
            item.isGroup && markIcon(item.isFolded ? "right" : "down"), el("span", {}, shown(item.isGroup ? item.label : text, 200)),
            item.isGroup && el("span", { class: "muted" }, counted(item.count, "request")),
            item.isGroup && item.unmatched > 0 && el("span", { class: "unmatched" }, `${formatCount(item.unmatched)} unmatched`)));
    }

    // --- The list
    function inScope(row) {
        if (kept.hiddenUpTo !== null && row.at <= kept.hiddenUpTo) return false;
        if (row.isMarker) return true;
        if (app.only === "own" && row.session) return false;
        return true;
    }
    function passes(row) {
        if (!inScope(row)) return false;
        if (row.isMarker) return filter.isEmpty;
        return filter.isEmpty || filter.test(row, context);
    }
    /** Brings the list up to date; all of it if rows left, the filter changed, or rows have changed that it asks about. */
    function refresh(isWhole = false) {
        if (kept.isPaused && kept.frozen) {
            kept.waiting = Math.max(0, rows.received - kept.frozen.received);
            if (!isWhole) { showPause(); return; }
        }
        const source = kept.isPaused && kept.frozen ? kept.frozen.list : rows.list;
        context.now = Date.now();
        isWhole ||= isDirty || source !== lastList || rows.generation !== lastGeneration || kept.group !== "none" || kept.sort;
        if (isWhole) {
            items = [];
            for (const row of source) if ((row.isShown = passes(row))) items.push(row);
            if (kept.sort && kept.isPaused) sortItems();
            const flat = kept.group === "none" ? items : grouped(items);
            isDirty = false;
            grid.setItems(flat, false);
        } else {
            const gone = rows.removed - lastRemoved;
            if (gone) items = items.filter((row) => !row.isGone);
            for (let i = lastLength - gone; i < source.length; i++) {
                const row = source[i];
                if ((row.isShown = passes(row))) items.push(row);
                if (row.session && !severalSessions) severalSessions = true;
            }
            grid.setItems(items, !gone);
        }
        lastRemoved = rows.removed;
        lastList = source; lastLength = source.length; lastGeneration = rows.generation;
        if (isWhole) look();
        layoutColumns();
        showTally(); showPill(); showEmpty();
    }
    // Whether there are several sessions and hosts.
    function look() {
        let host = null;
        severalSessions = severalHosts = false;
        for (const row of lastList.slice(-2000)) {
            if (row.isMarker) continue;
            if (row.session) severalSessions = true;
            if (host === null) host = row.host; else if (row.host !== host && row.host !== undefined) severalHosts = true;
        }
        if (session) severalSessions = false;
    }
    function grouped(list) {
        const groups = new Map();
        for (const row of list) {
            if (row.isMarker) continue;
            const key = kept.group === "session" ? row.session?.id ?? "" : row.stub?.id ?? "";
            let group = groups.get(key);
            if (!group) {
                group = { isGroup: true, key, label: kept.group === "session" ? row.session ? `Session ${row.session.name ?? row.session.id}` : "Without a session" : row.stub ? stubName(row) || row.stub.id : "No stub", count: 0, unmatched: 0, rows: [], isFolded: kept.folded.has(key) };
                groups.set(key, group);
            }
            group.count++;
            if (!row.matched) group.unmatched++;
            if (!group.isFolded) group.rows.push(row);
        }
        const flat = [];
        for (const group of groups.values()) { flat.push(group); for (const row of group.rows) flat.push(row); group.rows = null; }
        return flat;
    }
    function sortItems() {
        const of = { when: (r) => r.at, method: (r) => r.method, url: (r) => r.url, answer: (r) => r.answer, time: (r) => r.durationMs ?? -1, size: (r) => r.size ?? -1, stub: stubName, session: (r) => r.session?.name ?? "" }[kept.sort.name];
        if (!of) return;
        items = items.filter((r) => !r.isMarker).sort((a, b) => { const x = of(a), y = of(b); return (x < y ? -1 : x > y ? 1 : 0) * kept.sort.sign; });
    }
    grid.element.addEventListener("click", (e) => {
        const header = e.target.closest?.("[role=columnheader]");
        if (!header || !kept.isPaused) return;
        const name = visibleColumns()[[...header.parentNode.children].indexOf(header)]?.name;
        sortBy(name);
    });
    function sortBy(name) {
        kept.sort = kept.sort?.name === name && kept.sort.sign === 1 ? { name, sign: -1 } : { name, sign: 1 };
        const headers = grid.element.querySelectorAll("[role=columnheader]");
        visibleColumns().forEach((c, i) => {
            if (c.name === name) headers[i]?.setAttribute("aria-sort", kept.sort.sign > 0 ? "ascending" : "descending"); else headers[i]?.removeAttribute("aria-sort");
        });
        refresh(true);
    }

    // At a high rate fewer frames are enough for the eye, and leave time for what is typed.
    function changed() {
        const pause = rows.rate > 200 ? 100 : 0;
        const wait = lastPaint + pause - performance.now();
        if (wait <= 0) { lastPaint = performance.now(); refresh(); } else paintTimer ??= setTimeout(() => { paintTimer = null; lastPaint = performance.now(); refresh(); }, wait);
    }
    rows.onFinish = (row) => {
        if (!filter.changesAtEnd || kept.isPaused || row.isShown === passes(row)) return;
        isDirty = true;
        endsTimer ??= setTimeout(() => { endsTimer = null; refresh(); }, 250);
    };

    function showTally() {
        const shownCount = items.length, total = lastList ? lastList.length : 0;
        tally.textContent = filter.isEmpty && kept.hiddenUpTo === null && app.only !== "own" ? (total ? formatCount(total) : "") : `${formatCount(shownCount)} of ${formatCount(total)}`;
        unmatchedOnly.setAttribute("aria-pressed", String(filter.tokens.some((t) => t.raw === "is:unmatched")));
    }
    function remember() { kept.seen = rows.received; kept.seenUnmatched = rows.receivedUnmatched; }
    function showPill() {
        const fresh = rows.received - kept.seen, unmatched = rows.receivedUnmatched - kept.seenUnmatched;
        const isShown = !kept.follow && !kept.isPaused && fresh > 0;
        if (pill.hidden === isShown) pill.hidden = !isShown;
        if (isShown) {
            const text = `${formatCount(fresh)} new${unmatched ? `, ${formatCount(unmatched)} unmatched` : ""}`;
            if (pill.dataset.text !== text) { pill.dataset.text = text; replace(pill, text, icon("down")); }
        }
    }
    function followNewest() {
        if (kept.isPaused) { togglePause(); return; }
        kept.follow = true;
        remember();
        grid.follow(true);
        showPill();
    }

    function togglePause() {
        kept.isPaused = !kept.isPaused;
        kept.frozen = kept.isPaused ? { list: [...rows.list], received: rows.received } : null;
        kept.waiting = 0;
        if (!kept.isPaused) kept.sort = null;
        showPause();
        refresh(true);
        if (!kept.isPaused && kept.follow) grid.follow(true);
        app.say(kept.isPaused ? "Paused. The daemon goes on, and so does the collecting." : "Going on");
    }
    function showPause() {
        const text = kept.isPaused ? `Resume${kept.waiting ? `: ${formatCount(kept.waiting)} waiting` : ""}` : "Pause";
        if (pauseButton.dataset.text === text) return;
        pauseButton.dataset.text = text;
        pauseButton.setAttribute("aria-pressed", String(kept.isPaused));
        replace(pauseButton, icon(kept.isPaused ? "play" : "pause"), el("span", {}, text));
        root.classList.toggle("paused", kept.isPaused);
    }

    // --- Filter
    let chipTimer = null, sayTimer = null, addressTimer = null, typedAddress = null;
    function setLine(line, { push = false, isTyped = false } = {}) {
        if (input.value !== line) input.value = line;
        if (line === kept.line && filter.line === line) return;
        kept.line = line;
        filter = parseFilter(line);
        askDaemon();
        refresh(true);
        if (kept.follow && !kept.isPaused) grid.follow(true);
        clearTimeout(chipTimer);
        clearTimeout(addressTimer);
        if (isTyped) {
            // What costs time waits until nobody types.
            chipTimer = setTimeout(showChips, 200);
            typedAddress = fragment();
            addressTimer = setTimeout(() => address({ inPlace: true }), 400);
        } else {
            address({ inPlace: !push });
            showChips();
        }
        clearTimeout(sayTimer);
        sayTimer = setTimeout(() => { if (!filter.isEmpty) app.say(`${counted(items.length, "request")} of ${formatCount(lastList.length)}`); }, 800);
    }
    function showChips() {
        chipTimer = null;
        chips.hidden = filter.isEmpty;
        if (filter.isEmpty) { replace(chips); return; }
        const counts = filter.tokens.map((t) => { let n = 0; for (const row of lastList ?? []) if (!row.isMarker && t.passes(row, context)) n++; return n; });
        replace(chips, filter.tokens.map((token, i) => el("span", { class: `chip${token.note ? " noted" : ""}` },
            el("span", {}, shown(token.label, 120)), el("span", { class: "muted number" }, token.isRemote && !remote?.isDone ? remote?.note ?? "searching the journal" : `${formatCount(counts[i])}${token.isRemote && remote?.note ? `, ${remote.note}` : ""}`),
            el("button", { type: "button", class: "plain", "aria-label": `Remove ${token.label}`, on: { click: () => { setLine(toggled(input.value, token.raw)); input.focus(); } } }, icon("close")))),
        filter.tokens.filter((t) => t.note).map((t) => el("span", { class: "warn" }, coded(shown(t.note, 200)))), older);
        older.hidden = filter.isEmpty;
    }
    input.addEventListener("input", () => setLine(input.value, { isTyped: true }));
    input.addEventListener("change", () => {
        const line = input.value.trim();
        if (!line) return;
        // In memory alone: a page of the mock may read what is stored, and a filter may hold a secret.
        kept.history = [line, ...kept.history.filter((l) => l !== line)].slice(0, 10);
        showHistory();
    });
    input.addEventListener("keydown", (e) => {
        if (e.key === "Escape") {
            e.preventDefault();
            if (input.value) setLine(""); else grid.element.focus();
        } else if (e.key === "Enter") {
            e.preventDefault();
            input.dispatchEvent(new Event("change"));
            grid.element.focus();
            if (grid.activeIndex < 0) grid.move(Infinity);
        }
    });
    function showHistory() { replace(past, kept.history.map((l) => el("option", { value: l }))); }

    // What only the journal knows is asked of the daemon: again while requests come in.
    let askController = null, askTimer = null;
    async function askDaemon() {
        askController?.abort();
        clearTimeout(askTimer);
        if (!filter.remote.length) { remote = null; return; }
        const asked = filter;
        const controller = askController = new AbortController();
        remote = remote && remote.line === asked.line ? remote : { line: asked.line, ids: new Set(), isDone: false };
        askTimer = setTimeout(async () => {
            const received = rows.received;
            try {
                const q = asked.remote.map((t) => t.raw.replace(/^-/, "")).join(" ");
                const found = new Set();
                // A search is bounded in time: it goes on where it has stopped.
                for (let next = "", rounds = 0; rounds < 20; rounds++) {
                    const answer = await call("GET", `requests?view=row&limit=1000&q=${encodeURIComponent(q)}${session ? "" : "&sessions=all"}${next}`, { signal: controller.signal });
                    if (filter !== asked) return;
                    for (const r of answer.data.requests) found.add(r.id);
                    rows.older(answer.data.requests);
                    const meta = answer.data.meta ?? {};
                    remote.note = meta.complete === false ? "part of the journal" : undefined;
                    if (meta.complete !== false || !meta.next) break;
                    remote.ids = new Set([...remote.ids, ...found]);
                    refresh(true);
                    next = `&before=${encodeURIComponent(meta.next)}`;
                }
                remote.ids = found;
                remote.isDone = true;
            } catch (error) {
                if (error.name === "AbortError" || filter !== asked) return;
                remote.note = "not answered";
            }
            refresh(true);
            showChips();
            askTimer = setInterval(() => { if (rows.received !== received && filter === asked && !document.hidden) { clearInterval(askTimer); askDaemon(); } }, 2000);
        }, remote.isDone ? 0 : 250);
    }
    async function loadOlder() {
        const first = rows.list.find((r) => !r.isMarker && !r.isOld);
        try {
            const before = first ? `&before=${encodeURIComponent(first.id)}` : "";
            const answer = await call("GET", `requests?view=row&limit=1000&q=${encodeURIComponent(filter.line)}${before}${session ? "" : "&sessions=all"}`);
            const count = rows.list.length;
            rows.older(answer.data.requests);
            app.say(`${counted(rows.list.length - count, "older request")} found`);
            if (rows.list.length === count) app.notice(answer.data.meta?.complete ? "The journal has no older ones" : "None found yet: the search was ended by its time", "info");
        } catch (error) {
            app.failed(error);
        }
    }

    // --- Opening
    function openItem(item) {
        if (item.isGroup) { fold(item); return; }
        if (item.isMarker) return;
        if (detail.isOpen && detail.id === item.id) { detail.focus(); return; }
        open(item, {});
    }
    function open(item, { inPlace = false } = {}) {
        const wasOpen = detail.isOpen;
        kept.at = item.id;
        grid.follow(false);
        if (kept.follow) { kept.follow = false; remember(); }
        aside.hidden = separator.hidden = false;
        root.classList.add("with-detail");
        kept.tab = wasOpen && inPlace ? kept.tab : null;
        detail.show(item, kept.tab);
        address({ inPlace: inPlace || wasOpen });
        layoutColumns();
        if (grid.activeIndex >= 0) requestAnimationFrame(() => grid.reveal(grid.activeIndex));
        grid.draw();
    }
    function close({ isSilent = false } = {}) {
        if (!detail.isOpen) return;
        detail.close();
        aside.hidden = separator.hidden = true;
        root.classList.remove("with-detail");
        const id = kept.at;
        kept.at = null;
        kept.tab = null;
        if (!isSilent) address({ inPlace: false });
        layoutColumns();
        if (grid.activeIndex < 0) { const i = grid.items.findIndex((r) => r.id === id); if (i >= 0) grid.setActive(i, "key"); }
        grid.element.focus({ preventScroll: true });
        grid.draw();
    }
    function fold(group) {
        if (kept.folded.has(group.key)) kept.folded.delete(group.key); else kept.folded.add(group.key);
        refresh(true);
        const i = grid.items.findIndex((g) => g.isGroup && g.key === group.key);
        if (i >= 0) grid.setActive(i, "fold");
    }
    function pick(item, e) {
        grid.element.focus({ preventScroll: true });
        if (item.isGroup) { fold(item); return; }
        if (item.isMarker) return;
        if (e.ctrlKey || e.metaKey) { togglePicked(item); return; }
        if (e.shiftKey && kept.anchor) {
            const list = grid.items, a = list.findIndex((r) => r.id === kept.anchor), b = list.indexOf(item);
            if (a >= 0) for (let i = Math.min(a, b); i <= Math.max(a, b); i++) if (list[i].id) kept.picked.add(list[i].id);
            showPicked();
            return;
        }
        kept.anchor = item.id;
        open(item, {});
    }
    function togglePicked(item) {
        if (!item?.id) return;
        if (kept.picked.has(item.id)) kept.picked.delete(item.id); else kept.picked.add(item.id);
        kept.anchor = item.id;
        kept.follow = false;
        grid.follow(false);
        remember();
        showPicked();
    }
    function showPicked() {
        const n = kept.picked.size;
        picked.hidden = n === 0;
        if (n) {
            const chosen = () => rows.list.filter((r) => kept.picked.has(r.id));
            replace(picked, el("strong", {}, `${formatCount(n)} selected`),
                el("button", { type: "button", disabled: n !== 2, title: n === 2 ? null : "Select two to compare them", on: { click: () => compare(app, chosen()) } }, "Compare"),
                el("button", { type: "button", on: { click: () => copyMany(chosen(), "curl") } }, "Copy as curl"),
                el("button", { type: "button", on: { click: () => copyMany(chosen(), "har") } }, "Copy as HAR"),
                el("button", { type: "button", on: { click: clearPicked } }, "Clear"));
        }
        grid.draw();
    }
    function clearPicked() { kept.picked.clear(); showPicked(); grid.element.focus(); }
    async function copyMany(list, kind) {
        try {
            const text = await copyAs(kind, list, app);
            if (await copy(text)) app.notice(`Copied ${counted(list.length, "request")}`, "ok");
        } catch (error) { app.failed(error); }
    }

    // --- Menus
    function rowMenu(item, anchor) {
        app.menu(anchor, [
            { text: "Open", run: () => open(item, {}) },
            !item.matched && { text: "Why not", run: () => { open(item, {}); detail.tab("why"); } },
            { text: "Make a stub of this", detail: "m", run: () => app.draftFrom(item.id, item.session?.id ?? session) },
            null,
            ...copyChoices(item, app),
            null,
            { text: kept.picked.has(item.id) ? "Deselect" : "Select", detail: "Space", run: () => togglePicked(item) },
            item.stub && { text: "Only this stub", run: () => setLine(`stub:"${item.stub.id}"`, { push: true }) },
            { text: "Only this path", run: () => setLine(`path:"${item.url.split("?")[0].replaceAll("\\", "\\\\").replaceAll("\"", "\\\"")}"`, { push: true }) },
            item.session && { text: "Only this session", run: () => setLine(`session:${item.session.id}`, { push: true }) },
        ].filter((x) => x !== false && x !== undefined));
    }
    function viewMenu() {
        app.menu(actionsButton, [
            ...Object.entries(GROUPS).map(([key, text]) => ({ text, detail: kept.group === key ? "✓" : "", run: () => { kept.group = key; refresh(true); if (kept.follow) grid.follow(true); } })),
            null,
            ...(kept.isPaused ? [...["when", "url", "answer", "time", "size"].map((name) => ({ text: `Sort by ${COLUMNS.find((c) => c.name === name).title.toLowerCase()}`, detail: kept.sort?.name === name ? (kept.sort.sign > 0 ? "↑" : "↓") : "", run: () => sortBy(name) })), null] : []),
            { text: "Columns…", run: chooseColumns },
            { text: "Hide earlier ones", run: () => { kept.hiddenUpTo = rows.list.findLast((r) => r.at)?.at ?? null; refresh(true); app.say("Earlier ones are hidden"); } },
            kept.hiddenUpTo !== null && { text: "Show hidden ones", run: () => { kept.hiddenUpTo = null; refresh(true); } },
            null,
            { text: "Empty the journal…", run: emptyJournal },
        ].filter((x) => x !== false));
    }
    async function emptyJournal() {
        if (!await app.confirm({
            title: "Empty the journal?", action: "Empty the journal",
            text: `The daemon forgets the requests that it has received${session ? " in this session" : ""}. Tests that are running count from then on.`,
        })) return;
        try { await call("DELETE", "requests"); app.notice("The journal is empty", "ok"); } catch (error) { app.failed(error); }
    }
    function chooseColumns() {
        const now = new Set(kept.columns ?? visibleColumns().map((c) => c.name).concat(COLUMNS.filter((c) => !c.isOff && !c.isFixed && !c.isAutomatic).map((c) => c.name)));
        app.dialog({
            title: "Columns",
            content: [el("p", { class: "muted" }, "Where the list is narrow, those at the end are left out first."),
                COLUMNS.filter((c) => !c.isFixed).map((c) => el("div", {}, el("label", {}, el("input", {
                    type: "checkbox", checked: now.has(c.name), on: { change: (e) => { if (e.target.checked) now.add(c.name); else now.delete(c.name); } },
                }), c.title)))],
            actions: [{ text: "Cancel", value: null }, { text: "Show these", kind: "primary", value: "ok" }],
        }).then((answer) => {
            if (answer !== "ok") return;
            kept.columns = now;
            try { localStorage.setItem("stuntdouble-columns", JSON.stringify([...now])); } catch { /* not kept, then */ }
            layoutColumns();
        });
    }

    // --- The split
    let share = 46;
    function setShare(value) {
        share = Math.max(20, Math.min(80, value));
        split.style.setProperty("--share", `${share}%`);
        separator.setAttribute("aria-valuenow", Math.round(share));
    }
    setShare(share);
    separator.addEventListener("pointerdown", (e) => {
        separator.setPointerCapture(e.pointerId);
        const move = (m) => {
            const box = split.getBoundingClientRect();
            setShare(innerWidth >= 1280 ? (box.right - m.clientX) / box.width * 100 : (box.bottom - m.clientY) / box.height * 100);
        };
        separator.addEventListener("pointermove", move);
        separator.addEventListener("pointerup", () => separator.removeEventListener("pointermove", move), { once: true });
    });
    separator.addEventListener("keydown", (e) => {
        const by = { ArrowLeft: 4, ArrowUp: 4, ArrowRight: -4, ArrowDown: -4 }[e.key];
        if (by) { e.preventDefault(); setShare(share + by); }
    });

    // --- Address
    function fragment() {
        const q = [];
        if (kept.line) q.push(`q=${encodeURIComponent(kept.line).replaceAll("%3A", ":").replaceAll("%2F", "/")}`);
        if (kept.at) q.push(`at=${encodeURIComponent(kept.at)}`);
        if (kept.at && kept.tab) q.push(`tab=${kept.tab}`);
        return `#/requests${q.length ? "?" + q.join("&") : ""}`;
    }
    function address({ inPlace }) {
        clearTimeout(addressTimer);
        if (typedAddress && !inPlace) history.replaceState(null, "", typedAddress);
        typedAddress = null;
        const target = fragment();
        if (target === location.hash) return;
        history[inPlace ? "replaceState" : "pushState"](null, "", target);
    }
    async function update({ query }) {
        const isBare = ![...query.keys()].length;
        const line = isBare && !isUpdated ? kept.line : query.get("q") ?? "";
        const at = isBare && !isUpdated ? kept.at : query.get("at");
        isUpdated = true;
        const tab = query.get("tab");
        if (line !== filter.line || line !== input.value) {
            input.value = line;
            kept.line = line;
            filter = parseFilter(line);
            askDaemon();
            refresh(true);
            if (kept.follow && !kept.isPaused) grid.follow(true);
            showChips();
        }
        if (at && (at !== detail.id || !detail.isOpen)) {
            const row = rows.find(at);
            kept.tab = tab;
            if (row) {
                const i = grid.items.indexOf(row);
                if (i >= 0) { grid.setActive(i, "address"); grid.reveal(i); }
            }
            kept.at = at;
            kept.follow = false;
            grid.follow(false);
            remember();
            aside.hidden = separator.hidden = false;
            root.classList.add("with-detail");
            detail.show(row ?? { id: at, isUnknown: true }, tab);
            layoutColumns();
        } else if (at && tab && tab !== detail.current) {
            detail.tab(tab);
        } else if (!at && detail.isOpen) {
            close({ isSilent: true });
        }
        address({ inPlace: true });
    }
    let isUpdated = false;

    // --- Nothing yet
    let emptyKey = "";
    function showEmpty() {
        const status = app.status();
        const isEmpty = !lastList?.some((r) => !r.isMarker) && isLoaded;
        const hasNone = !isEmpty && items.length === 0 && (lastList?.length ?? 0) > 0;
        empty.hidden = !isEmpty && !hasNone;
        grid.element.classList.toggle("is-empty", isEmpty);
        if (empty.hidden) { emptyKey = ""; return; }
        const key = hasNone ? "none" : `${status?.stubs} ${app.url()} ${rows.isEmptied}`;
        if (key === emptyKey) return;
        emptyKey = key;
        if (hasNone) replace(empty, el("p", {}, kept.hiddenUpTo !== null && filter.isEmpty ? "Earlier ones are hidden." : "No request passes the filter."),
            el("button", { type: "button", on: { click: () => { kept.hiddenUpTo = null; if (kept.line) setLine(""); else refresh(true); input.focus(); } } }, kept.line ? "Clear the filter" : "Show them"));
        else replace(empty, start(app, status));
    }
    let isLoaded = rows.list.length > 0 || rows.isLoaded === true;
    offs.push(app.on("loaded", () => { isLoaded = true; rows.isLoaded = true; refresh(true); if (kept.at && detail.isUnknown) { const row = rows.find(kept.at); if (row) detail.show(row, kept.tab); } }));

    // --- Keys
    const nextUnmatched = (sign) => {
        const list = grid.items;
        let i = grid.activeIndex >= 0 ? grid.activeIndex : sign > 0 ? -1 : list.length;
        for (i += sign; i >= 0 && i < list.length; i += sign) {
            const row = list[i];
            if (!row.isMarker && !row.isGroup && !row.matched) { grid.setActive(i, "jump"); if (detail.isOpen) open(row, { inPlace: true }); return; }
        }
        app.notice(sign > 0 ? "No unmatched request below" : "No unmatched request above", "info");
    };
    const inList = () => document.activeElement === grid.element || document.activeElement === document.body || document.activeElement?.id === "main";
    const now = () => (detail.isOpen ? rows.find(detail.id) : null) ?? (grid.active?.id ? grid.active : null);
    offs.push(app.keys("Requests", [
        { keys: ["/"], text: "Filter", run: () => { input.focus(); input.select(); } },
        { keys: ["j", "ArrowDown"], text: "Next", when: (e) => e.key === "j" || inList(), run: () => grid.move(1) },
        { keys: ["k", "ArrowUp"], text: "Previous", when: (e) => e.key === "k" || inList(), run: () => grid.move(-1) },
        { keys: ["PageDown"], text: "One page on", when: inList, run: () => grid.move("page") },
        { keys: ["PageUp"], text: "One page back", when: inList, run: () => grid.move("-page") },
        { keys: ["Home"], text: "First", when: inList, run: () => grid.move(-Infinity) },
        { keys: ["End"], text: "Last", when: inList, run: () => grid.move(Infinity) },
        { keys: ["Enter"], text: "Open; again: into the detail", when: inList, run: () => grid.open() },
        { keys: ["Escape"], text: "Close, back to the row", run: () => { if (detail.isOpen) close(); else if (kept.picked.size) clearPicked(); } },
        { keys: ["["], text: "Tab before", when: () => detail.isOpen, run: () => detail.step(-1) },
        { keys: ["]"], text: "Next tab", when: () => detail.isOpen, run: () => detail.step(1) },
        { keys: ["f"], text: "Follow the newest", run: () => { if (detail.isOpen) close(); followNewest(); } },
        { keys: ["p"], text: "Pause the picture, and go on", run: togglePause },
        { keys: ["u"], text: "Only unmatched ones, or all", run: () => setLine(toggled(input.value, "is:unmatched"), { push: true }) },
        { keys: ["n"], text: "Next unmatched", run: () => nextUnmatched(1) },
        { keys: ["N"], text: "Previous unmatched", run: () => nextUnmatched(-1) },
        { keys: [" "], text: "Select", when: inList, run: () => togglePicked(grid.active) },
        { keys: [".", "ContextMenu"], text: "Actions", when: () => now(), run: () => rowMenu(now(), grid.rowNode() ? menuAnchor(grid.rowNode()) : aside) },
        { keys: ["y"], text: "Copy as curl", when: () => now(), run: () => copyMany([now()], "curl") },
        { keys: ["m"], text: "Make a stub of this", when: () => now(), run: () => app.draftFrom(now().id, now().session?.id ?? session) },
    ]));
    const menuAnchor = (node) => ({ getBoundingClientRect: () => { const b = node.getBoundingClientRect(); return { left: b.left + 40, bottom: b.bottom, top: b.top }; }, focus: () => grid.element.focus() });

    // --- Start
    offs.push(rows.onChange(changed));
    offs.push(app.on("only", () => refresh(true)));
    offs.push(app.on("status", () => showEmpty()));
    offs.push(app.on("restart", () => detail.forget()));
    offs.push(app.on("setting-of-page", () => { columnKey = ""; layoutColumns(); refresh(true); }));
    offs.push(app.every(1000, () => {
        context.now = Date.now();
        if (rows.open.size || !empty.hidden) grid.queue();
        if (!filter.isEmpty && !kept.isPaused) { if (filter.tokens.some((t) => /last:|is:slow/.test(t.raw))) refresh(true); showChipsCounts(); }
        detail.tick();
    }));
    function showChipsCounts() { if (!chipTimer && !chips.contains(document.activeElement)) showChips(); }
    const density = () => { columnKey = ""; layoutColumns(); grid.queue(); };
    phone.addEventListener("change", density);
    showHistory();
    showPause();
    layoutColumns();
    refresh(true);
    if (kept.follow) grid.follow(true); else requestAnimationFrame(() => { grid.top = kept.top; });
    showPicked();
    update(place);

    return {
        update,
        unmount() {
            kept.top = grid.top;
            clearTimeout(paintTimer); clearTimeout(endsTimer); clearTimeout(askTimer); clearTimeout(chipTimer); clearTimeout(addressTimer);
            askController?.abort();
            rows.onFinish = null;
            for (const off of offs) off();
            phone.removeEventListener("change", density);
            sizes.disconnect();
            grid.stop();
            detail.close();
        },
    };
}

/** A URL in a number of letters: elided in the middle of its path, never in its last segment; then its query. */
export function elided(url, letters) {
    const at = url.indexOf("?");
    let path = at < 0 ? url : url.slice(0, at);
    const query = at < 0 ? "" : url.slice(at);
    if (path.length > letters) {
        const last = path.slice(path.lastIndexOf("/", path.length - 2));
        const room = letters - last.length - 1;
        if (room >= 1) path = `${path.slice(0, room)}…${last}`;
    }
    return { path, query };
}

/** What a row says of its stub: its name, or where it stands, or its key. */
export function stubName(row) {
    const s = row.stub;
    if (!s) return row.matched ? "" : "–";
    return shown(s.name ?? (s.file ? fileLine(s) : s.key ?? s.id ?? ""), 120);
}

// The first screen of a daemon that has received nothing.
function start(app, status) {
    const url = app.url();
    const line = (text) => el("div", { class: "copyable" }, el("code", {}, text), el("button", {
        type: "button", on: { click: async () => { if (await copy(text)) app.notice("Copied", "ok"); } },
    }, icon("copy"), "Copy"));
    const waiting = el("section", {}, el("h2", {}, rows.isEmptied ? "The journal is empty" : "Waiting for the first request"), el("p", {}, "It appears here by itself."));
    const ask = el("div", {}, line(`curl -i ${url}/hello`));
    const address = el("section", {}, el("h2", {}, "The address"), el("p", {}, "Point the application under test at it:"), line(`export BASE_URL=${url}`), ask);
    if (status?.stubs) {
        const places = el("p", {});
        const tell = async () => {
            const { mappings } = (await call("GET", "mappings?limit=200")).data;
            const plain = mappings.map(exampleOf).filter((r) => r?.method === "GET" && !Object.keys(r.headers).length && !r.body && /^\/[\w/.~-]*$/.test(r.url));
            replace(ask);
            for (const request of plain.slice(0, 5)) {
                if (!(await call("POST", "explain", { json: request })).data.stubMapping) continue;
                replace(ask, line(`curl -i ${url}${request.url}`));
                break;
            }
            if (status.stubs > 5000) return;
            const inFiles = (await call("GET", "requests/counters")).data.stubs.filter((s) => s.file).length;
            const rest = status.stubs - inFiles;
            replace(places, [inFiles && `${formatCount(inFiles)} in files${status.folder?.path ? ` of ${shown(status.folder.path, 200)}` : ""}`, rest > 0 && `${formatCount(rest)} in memory`].filter(Boolean).join(", "), ".");
        };
        tell().catch(() => {});
        return [el("section", {}, el("h2", {}, `${counted(status.stubs, "stub")}, none asked for yet`), places, el("p", {}, app.link("#/stubs", "See the stubs"))), address, waiting];
    }
    const text = el("textarea", { class: "code", rows: 8, spellcheck: "false", "aria-label": "The first stub, as JSON", value: FIRST });
    const problem = el("div", { class: "error", role: "alert" });
    const add = el("button", { type: "button", class: "primary", on: { click: async () => {
        try {
            const wrong = (await call("POST", "mappings/validate", { json: text.value })).data.problems.filter((p) => p.severity === "error");
            replace(problem, wrong.slice(0, 5).map((p) => el("p", {}, p.line ? `Line ${p.line}: ` : "", coded(shown(shortly(p), 500)))));
            if (wrong.length) return;
            await call("POST", "mappings", { json: text.value });
            app.notice("Added. Now ask for it.", "ok");
        } catch (error) { replace(problem, shown(error.message, 500)); }
    } } }, "Add this stub");
    const edit = app.link("#/stubs/new", "Open in the editor");
    edit.addEventListener("click", () => keepDraft(text.value, "json", text.value === FIRST));
    return [address, el("section", {}, el("h2", {}, "A first stub"), text, problem, el("div", { class: "actions" }, add, edit)), waiting];
}

const FIRST = `{
  "request": { "method": "GET", "urlPath": "/hello" },
  "response": {
    "status": 200,
    "headers": { "Content-Type": "application/json" },
    "jsonBody": { "hello": "world" }
  }
}`;

export default {
    name: "requests", title: "Requests", key: "r", mount,
    /** Forgets what is kept of another session's requests. */
    forget() { Object.assign(kept, fresh()); },
    help: () => el("section", {}, el("h3", {}, "Filter"), el("table", { class: "keys filters" }, el("tbody", {}, EXAMPLES.map(([text, means]) =>
        el("tr", {}, el("th", { scope: "row" }, el("code", {}, text)), el("td", {}, means)))))),
};
