// Sessions with their verdicts, and the report of a run laid out.

import { counted, el, formatCount, formatDuration, icon, replace, shown } from "./dom.js";
import { CallError, call, pageAddress } from "./api.js";
import { ago, attempt, badge, button, form, head, input, keyed, nothing, part, placeOf, polled, refusal, select, setText, show, submit, table, timeOf, wholeSeconds } from "./parts.js";

const REASONS = {
    unmatched: (n) => `${counted(n, "request")} that nothing answered`,
    unused: (n) => `${counted(n, "stub")} never used`,
    unmet: (n) => `${counted(n, "expectation")} not met`,
    fault: (n) => `${counted(n, "answer")} with a fault`,
    error: (n) => `${counted(n, "failure")} to answer`,
    webhook: (n) => `${counted(n, "webhook")} not delivered`,
    aborted: (n) => `${counted(n, "answer")} broken off`,
    slow: (n) => `${counted(n, "slow answer")}`,
};

/** Passed or failed, with its mark. */
function verdictBadge(verdict) {
    return el("span", { class: `verdict-mark ${verdict === "failed" ? "error" : "ok"}` }, icon(verdict === "failed" ? "failed" : "check"), " ", shown(verdict, 20));
}

const verdictOf = (s) => s.verdict ?? (s.unmatched || s.failed ? "failed" : "passed");

export default { name: "sessions", title: "Sessions", key: "e", mount };

function mount(root, place, app) {
    const list = el("div"), one = el("div");
    replace(root, list, one);
    let shownReport = null;
    const body = el("tbody"), gone = el("tbody");
    const name = input({ placeholder: "name, if any", "aria-label": "Name of a new session" });
    const none = app.session
        ? nothing("No session was begun through this one. ", el("a", { href: pageAddress(null, "#/sessions") }, "All sessions"))
        : nothing("No session is open. Each test can have its own: its stubs and its requests are its own.");
    const holder = table("Open sessions", ["Session", ["Age", "number"], ["Requests", "number"], ["Unmatched", "number"], ["Failed", "number"], "So far", "-What can be done"], body);
    const goneHolder = table("Sessions that have ended", ["Session", ["Ended", "number"], ["Requests", "number"], ["Unmatched", "number"], ["Failed", "number"], "Verdict"], gone);
    holder.classList.add("cards");
    goneHolder.classList.add("cards");
    const gonePart = part("Ended", goneHolder);
    const rest = el("p", { class: "muted" });
    const endAll = button("End all…", async () => {
        if (!await app.confirm({ title: "End all sessions?", text: "Their data are deleted and their requests in flight end. The daemon's own stubs and requests stay.", action: "End all" })) return;
        await attempt(app, () => call("DELETE", "sessions"), (a) => `${counted(a.data.ended, "session")} ended`);
        poll.now();
    }, { kind: "danger" });
    replace(list, head("Sessions", endAll), form(begin, el("div", { class: "toolbar" }, name, submit("Begin a session", ""))), none, holder, rest, gonePart);
    const poll = polled(app, 2000, async (signal) => {
        const { data } = await call("GET", "sessions?ended=true", { signal });
        const open = data.sessions ?? [], ended = data.ended ?? [];
        keyed(body, open.slice(0, 60), (s) => s.id, openRow);
        keyed(gone, ended.slice(0, 40), (s) => s.id, goneRow);
        show(none, !open.length);
        show(holder, open.length > 0);
        show(endAll, open.length > 0);
        show(gonePart, ended.length > 0);
        setText(rest, open.length > 60 ? `and ${counted(open.length - 60, "more session")}` : "");
    });
    const over = new Set();
    const offs = ["session", "request", "restart"].map((type) => app.on(type, soon));
    offs.push(app.on("session", (event) => {
        if (event.change !== "ended") return;
        over.add(event.id);
        shownReport?.now();
    }), app.on("sessions", () => shownReport?.now()));
    let timer = 0;
    function soon() { timer ||= setTimeout(() => { timer = 0; poll.now(); }, 500); }

    async function begin() {
        const json = name.value.trim() ? { name: name.value.trim() } : {};
        const made = await attempt(app, () => call("POST", "sessions", { json }), "The session has begun");
        if (made) name.value = "";
        poll.now();
    }

    function numbers() {
        const nodes = ["requests", "unmatched", "failed"].map((word) => el("td", { class: "number", "data-label": word }));
        return { nodes, update(s) {
            ["served", "unmatched", "failed"].forEach((key, i) => {
                setText(nodes[i], formatCount(s[key] ?? 0));
                nodes[i].className = `number ${s[key] && key !== "served" ? (key === "unmatched" ? "unmatched" : "error") : ""}`;
            });
        } };
    }

    function sessionName(s) {
        return el("td", { class: "what" }, el("a", { href: `#/sessions/${encodeURIComponent(s.id)}` }, el("bdi", null, shown(s.name || s.id, 100))),
            s.name ? el("small", { class: "muted" }, shown(s.id, 60)) : null);
    }

    function openRow(first) {
        const age = el("td", { class: "number muted", "data-label": "age" });
        const sums = numbers();
        const verdict = el("td");
        const words = shown(first.name || first.id, 80);
        const node = el("tr", null, sessionName(first), age, sums.nodes, verdict, el("td", { class: "acts" }, el("div", { class: "toolbar" },
            el("a", { class: "button", href: pageAddress(first.id, "#/requests"), "aria-label": `Open the page of ${words}` }, "Open"),
            button("End…", () => end(first), { label: `End ${words}` }))));
        let drawn = "";
        return { node, update(s) {
            setText(age, wholeSeconds(Math.max(0, Date.now() - timeOf(s.createdAt))));
            sums.update(s);
            // Nothing has come: there is nothing to judge yet.
            const word = !s.served && verdictOf(s) !== "failed" ? "nothing yet" : verdictOf(s);
            if (word === drawn) return;
            drawn = word;
            replace(verdict, word === "nothing yet" ? el("span", { class: "muted" }, word) : verdictBadge(word));
        } };
    }

    function goneRow(first) {
        const at = el("td", { class: "number muted", "data-label": "ended" });
        const sums = numbers();
        return {
            node: el("tr", null, sessionName(first), at, sums.nodes, el("td", null, verdictBadge(verdictOf(first)))),
            update(s) { setText(at, ago(timeOf(s.endedAt))); sums.update(s); },
        };
    }

    async function end(session) {
        const words = shown(session.name || session.id, 80);
        if (!await app.confirm({ title: `End ${words}?`, text: "Its stubs, journal and state are deleted, and its requests in flight end. Its report is kept for a while.", action: "End it" })) return false;
        const done = await attempt(app, () => call("DELETE", `sessions/${encodeURIComponent(session.id)}`), `${words} has ended`);
        if (done) over.add(session.id);
        poll.now();
        return Boolean(done);
    }

    function update(next) {
        const id = next.path[1];
        show(list, !id);
        show(one, Boolean(id));
        shownReport?.stop();
        shownReport = null;
        if (!id) return;
        const title = el("h1", null, "Session ", el("bdi", null, shown(id, 60)));
        const bar = el("div", { class: "toolbar" });
        const holder = el("div");
        replace(one, el("a", { class: "back", href: "#/sessions" }, icon("back"), " Sessions"), el("header", { class: "view-head" }, title, bar), holder);
        shownReport = reportView(holder, `sessions/${encodeURIComponent(id)}/report`, app, { session: id, found(report) {
            if (report.name) replace(title, "Session ", el("bdi", null, shown(report.name, 100)));
            const isOpen = !over.has(id) && (app.sessions ?? []).some((s) => s.id === id);
            if (bar.dataset.isOpen === String(isOpen)) return;
            bar.dataset.isOpen = String(isOpen);
            replace(bar, isOpen ? [el("a", { class: "button", href: pageAddress(id, "#/requests") }, "Open its page"),
                button("End…", () => end({ id, name: report.name }).then(() => shownReport?.now()))] : badge("ended"));
        } });
    }
    update(place);
    return { update, unmount() { poll.stop(); shownReport?.stop(); clearTimeout(timer); for (const off of offs) off(); } };
}

export const report = { name: "report", title: "Report", key: "p", mount: mountReport };

function mountReport(root, place, app) {
    const holder = el("div");
    const kind = select([["html", "a page (HTML)"], ["markdown", "Markdown"], ["junit", "JUnit’s XML"], ["text", "text"], ["json", "JSON"]], { "aria-label": "Form of the file" });
    replace(root, head("Report", kind, button("Download", async () => {
        const answer = await attempt(app, () => call("GET", `report?format=${kind.value}`, { accept: "*/*" }));
        if (!answer) return;
        const url = URL.createObjectURL(new Blob([answer.text], { type: "application/octet-stream" }));
        const link = el("a", { href: url, download: `report.${{ html: "html", markdown: "md", junit: "xml", text: "txt", json: "json" }[kind.value]}` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }), button("Begin anew…", async () => {
        if (!await app.confirm({ title: "Begin the report anew?", text: "It tells nothing of what was before. The journal and the stubs stay.", action: "Begin anew" })) return;
        await attempt(app, () => call("DELETE", "report"), "The report begins anew");
        view.now();
    })), holder);
    const view = reportView(holder, "report", app, { session: app.session });
    return { update() {}, unmount() { view.stop(); } };
}

/** A report of `path`, read every few seconds; what is folded stays folded, and it is only drawn when it is another one. */
function reportView(holder, path, app, { session, found }) {
    let drawn = "";
    const open = new Set();
    return polled(app, 3000, async (signal) => {
        let answer;
        try {
            answer = await call("GET", path, { signal });
        } catch (error) {
            if (!(error instanceof CallError)) throw error;
            if (!drawn || error.status === 404 || error.status === 410) {
                if (!drawn) replace(holder, nothing(error.status === 404 || error.status === 410 ? "There is no such session any more, nor a report of it." : refusal(error)));
            }
            return;
        }
        found?.(answer.data);
        const text = JSON.stringify({ ...answer.data, timings: { ...answer.data.timings, durationMs: 0 }, open: undefined });
        if (text === drawn) return;
        if (drawn && holder.contains(document.activeElement) && document.activeElement !== holder) {
            // Focus must not be lost under the reader's hands: only what is not under them is drawn anew.
            const key = document.activeElement.dataset?.key ?? document.activeElement.closest("details")?.dataset.key;
            draw(answer.data);
            if (key) holder.querySelector(`[data-key="${CSS.escape(key)}"] > summary`)?.focus();
        } else draw(answer.data);
        drawn = text;
    });

    function draw(data) {
        const at = holder.closest("main")?.scrollTop;
        replace(holder, layout(data, app, session, open));
        if (at) holder.closest("main").scrollTop = at;
    }
}

/** The most entries of a part that are shown. */
const MOST = 50;

function layout(data, app, session, open) {
    const counts = data.counts ?? {}, reasons = data.reasons ?? [];
    const isFailed = data.verdict === "failed";
    const whys = reasons.map((reason) => {
        const kind = reason.split(">")[0];
        return (REASONS[kind] ?? ((n) => `${n} ${reason}`))(counts[reason] ?? counts[kind] ?? 0);
    });
    if (data.commandFailure) whys.push(`the command failed: ${shown(data.commandFailure, 200)}`);
    const times = data.timings ?? {};
    // Of a session that has ended only its requests tell it.
    const used = data.usedStubCount || new Set((data.requests ?? []).map((r) => r.stub?.id).filter(Boolean)).size;
    const sums = [
        counted(data.served ?? 0, "request"), `${counted(used, "stub")} used`, `${formatCount(data.unusedStubCount ?? 0)} never used`,
        data.ignoredCount && `${formatCount(data.ignoredCount)} ignored`, data.passedThroughCount && `${formatCount(data.passedThroughCount)} sent on`,
        data.evictedCount && `${formatCount(data.evictedCount)} dropped by the journal`, data.openCount && `${formatCount(data.openCount)} still open`,
        times.count && `median ${formatDuration(times.medianMs)}, p95 ${formatDuration(times.p95Ms)}, longest ${formatDuration(times.maxMs)}`,
    ].filter(Boolean);
    const words = entryWords(app, session);
    return [
        el("div", { class: `headline ${isFailed ? "error" : "ok"}` }, icon(isFailed ? "failed" : "check"), el("div", null,
            el("strong", null, isFailed ? "Failed" : "Passed"),
            isFailed ? `: ${whys.join(", ")}` : data.served ? ": everything asked for was answered" : ": nothing was asked for")),
        el("p", { class: "muted" }, sums.join(" · ")),
        PARTS.map((what) => {
            const entries = what.entries(data) ?? [];
            const count = what.count?.(data) ?? entries.length;
            if (!count) return null;
            const isReason = reasons.includes(what.key);
            const kind = what.kind ?? (isReason ? "error" : "");
            const isOpen = open.has(what.key) || ((what.isOpen || isReason) && !open.has(`-${what.key}`));
            const node = el("details", { class: "fold report-part", "data-key": what.key, open: isOpen, on: { toggle: () => {
                open.delete(what.key);
                open.delete(`-${what.key}`);
                open.add(node.open ? what.key : `-${what.key}`);
            } } }, el("summary", null, el("span", { class: kind }, what.title), " ", el("span", { class: "count" }, formatCount(count))),
            el("div", { class: "rows" }, entries.slice(0, MOST).map((entry) => el("div", { class: "row stacked" }, what.entry(entry, words)))),
            count > MOST ? el("p", { class: "muted" }, `and ${formatCount(count - Math.min(MOST, entries.length))} more`) : null);
            return node;
        }),
        data.requestJournalDisabled ? el("p", { class: "muted" }, "There is no journal: times and single requests are not known.") : null,
    ];
}

/** What entries of all parts say in the same way. */
function entryWords(app, session) {
    const small = (...children) => el("small", { class: "muted" }, children);
    return {
        small,
        times: (entry) => (entry.count > 1 ? [" ", badge(`${formatCount(entry.count)} times`)] : null),
        test: (entry) => (entry.test || entry.session ? small(" in ", el("a", { href: `#/sessions/${encodeURIComponent(entry.session ?? "")}` },
            el("bdi", null, shown(entry.test || entry.session, 80)))) : null),
        stub: (s) => (!s ? null : s.id ? el("a", { href: `#/stubs/${encodeURIComponent(s.id)}` }, shown(s.name || s.key || s.id, 120))
            : shown(s.name || s.key || "", 120)),
        where: (s) => (s?.file ? small(" ", placeOf(s)) : null),
        /** A request by what leads to it: its id, or a filter. */
        request(entry) {
            const r = entry.request ?? entry;
            const text = [el("span", { class: "method" }, shown(r.method ?? "", 20)), " ", el("bdi", { class: "url" }, shown(r.url ?? "", 300))];
            if (session !== app.session || entry.session) return el("span", null, text);
            const href = entry.id ? `#/requests?at=${encodeURIComponent(entry.id)}`
                : `#/requests?q=${encodeURIComponent(`${r.method ?? ""} ${r.url ? `path:${JSON.stringify(r.url.split("?")[0])}` : ""}`.trim())}`;
            return el("a", { href }, text);
        },
    };
}

/** The stub of a near miss, which stands around its mapping or alone. */
const nearestOf = (entry) => {
    const near = entry.nearestStub ?? entry.nearest;
    return near?.stubMapping ? { ...near, id: near.stubMapping.id, name: near.stubMapping.name } : near;
};

/** The parts of a report in their order: what entries they have, and what is said of one. */
const PARTS = [
    {
        key: "unmatched", title: "Nothing answered", kind: "unmatched", isOpen: true, count: (d) => d.unmatchedCount,
        entries: (d) => d.unmatchedRequests ?? d.unmatched,
        entry: (u, w) => [
            el("div", null, w.request(u), w.times(u), w.test(u)), u.smallestChange ? el("div", null, shown(u.smallestChange, 500)) : null,
            nearestOf(u) ? w.small("nearest: ", w.stub(nearestOf(u)), w.where(nearestOf(u))) : null,
        ],
    },
    {
        key: "error", title: "Could not be answered", kind: "error", isOpen: true, count: (d) => d.failedCount,
        entries: (d) => d.failedRequests ?? d.failed,
        entry: (f, w) => [el("div", null, w.request(f), w.times(f), w.test(f)), el("div", { class: "error" }, shown(f.reason ?? "", 500)), w.stub(f.stub)],
    },
    {
        key: "files", title: "Stub files with errors", kind: "error", isOpen: true, entries: (d) => d.files,
        entry: (f) => [
            el("code", null, shown([f.file, f.line, f.column].filter(Boolean).join(":"), 300)), el("div", { class: "error" }, shown(f.message, 1000)),
        ],
    },
    {
        key: "unmet", title: "Expected, and did not come", entries: (d) => d.unmet,
        entry: (u, w) => [el("div", null, shown(u.name ?? "", 200), " ", shown(u.text ?? "", 500), w.test(u)), w.stub(u.stub), w.where(u.stub)],
    },
    {
        key: "refusals", title: "Refused", count: (d) => d.refusedCount, entries: (d) => d.refusals,
        entry: (r, w) => [shown(r.text ?? r.kind, 500), w.times(r), w.test(r)],
    },
    {
        key: "stray", title: "Came without the identity of a test", isOpen: true, count: (d) => d.withoutIdentityCount, entries: (d) => d.withoutIdentity,
        entry: (r, w) => [
            el("div", null, w.request(r), w.times(r)), r.stub ? el("small", null, "answered by ", w.stub(r.stub)) : badge("nothing answered", "unmatched"),
        ],
    },
    {
        key: "aborted", title: "Broke off", entries: (d) => d.aborted,
        entry: (a, w) => [el("div", null, w.request(a), w.times(a), w.test(a)), w.small(shown(a.reason ?? "", 300))],
    },
    {
        key: "open", title: "Still open", count: (d) => d.openCount, entries: (d) => d.open,
        entry: (o, w) => [
            el("div", null, w.request(o), " ", badge(shown(o.gate ? `held at ${o.gate}` : o.state ?? "open", 80), "warn"), w.test(o)),
            w.small(shown(o.text ?? "", 300)),
        ],
    },
    { key: "slow", title: "Slow", entries: (d) => d.slow, entry: (s, w) => [w.request(s), ` ${formatDuration(s.timeMs)}`, w.test(s)] },
    {
        key: "fault", title: "Faults that acted", entries: (d) => d.faults,
        entry: (f, w) => [
            el("div", null, shown(f.fault, 100), f.outcome ? `: ${shown(f.outcome, 200)}` : "", w.times(f), w.test(f)),
            f.source ? w.small(shown(f.source, 200)) : w.stub(f.stub),
        ],
    },
    {
        key: "webhook", title: "Webhooks", entries: (d) => d.webhooks,
        entry: (h, w) => [
            el("div", null, el("span", { class: "method" }, shown(h.method ?? "", 20)), " ", el("bdi", null, shown(h.url ?? "", 300)), " ",
                badge(shown(h.state, 20), h.state === "failed" ? "error" : ""), w.times(h)),
            w.small(shown(h.text ?? "", 300)),
        ],
    },
    {
        key: "sessions", title: "Sessions begun through it", count: (d) => d.begunSessions?.count, entries: (d) => d.begunSessions?.sessions,
        entry: (s, w) => [
            el("a", { href: `#/sessions/${encodeURIComponent(s.id)}` }, el("bdi", null, shown(s.name || s.id, 100))), " ",
            s.verdict ? verdictBadge(s.verdict) : null, " ",
            w.small(counted(s.served ?? 0, "request"), s.unmatchedCount ? `, ${formatCount(s.unmatchedCount)} unmatched` : ""),
        ],
    },
    {
        key: "requests", title: "Asked for", entries: (d) => d.requests,
        entry: (r, w) => [
            el("div", null, w.request(r), " ", r.status ? el("span", { class: "number" }, r.status) : badge(shown(r.ending ?? "open", 40), "warn"), w.times(r), w.test(r)),
            r.stub ? el("small", null, w.stub(r.stub), w.where(r.stub)) : w.small(shown(r.answer ?? "", 200)),
        ],
    },
    { key: "unused", title: "Stubs never used", count: (d) => d.unusedStubCount, entries: (d) => d.unusedStubs, entry: (s, w) => [w.stub(s), w.where(s)] },
];
