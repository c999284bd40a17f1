// Sessions with their verdicts, and the report of a run laid out.

import { counted, el, formatCount, formatDuration, icon, replace, shown } from "./dom.js";
import { CallError, call, pageAddress } from "./api.js";
import { ago, attempt, badge, button, form, head, input, keyed, nothing, part, placeOf, polled, refusal, select, setText, show, submit, table, timeOf } from "./parts.js";

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
    const none = nothing("No session is open. Each test can have its own: its stubs and its requests are its own.");
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
        let data;
        try {
            ({ data } = await call("GET", "sessions?ended=true", { signal }));
        } catch (error) {
            if (error.status !== 400) throw error;
            ({ data } = await call("GET", "sessions", { signal }));
        }
        const open = data.sessions ?? [], ended = data.ended ?? [];
        keyed(body, open.slice(0, 60), (s) => s.id, openRow);
        keyed(gone, ended.slice(0, 40), (s) => s.id, goneRow);
        show(none, !open.length);
        show(holder, open.length > 0);
        show(endAll, open.length > 0);
        show(gonePart, ended.length > 0);
        setText(rest, open.length > 60 ? `and ${counted(open.length - 60, "more session")}` : "");
    });
    const offs = ["session", "request", "restart"].map((type) => app.on(type, soon));
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
            setText(age, formatDuration(Math.floor((Date.now() - timeOf(s.createdAt)) / 1000) * 1000 || 1));
            sums.update(s);
            if (verdictOf(s) !== drawn) replace(verdict, verdictBadge(drawn = verdictOf(s)));
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
            const isOpen = (app.sessions ?? []).some((s) => s.id === id);
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

function layout(data, app, session, open) {
    const counts = data.counts ?? {};
    const reasons = data.reasons ?? [];
    const isFailed = data.verdict === "failed";
    const fold = (key, title, count, rows, kind, isOpen) => {
        if (!count) return null;
        const node = el("details", { class: "fold report-part", "data-key": key, open: open.has(key) || (isOpen && !open.has(`-${key}`)), on: { toggle: () => {
            open.delete(key); open.delete(`-${key}`);
            open.add(node.open ? key : `-${key}`);
        } } }, el("summary", null, el("span", { class: kind }, title), " ", el("span", { class: "count" }, formatCount(count))),
        el("div", { class: "rows" }, rows), count > rows.length ? el("p", { class: "muted" }, `and ${formatCount(count - rows.length)} more`) : null);
        return node;
    };
    const ofTest = (entry) => entry.test || entry.session ? el("small", { class: "muted" }, " in ", el("a", { href: `#/sessions/${encodeURIComponent(entry.session ?? "")}` }, el("bdi", null, shown(entry.test || entry.session, 80)))) : null;
    const times = (entry) => entry.count > 1 ? badge(`${formatCount(entry.count)} times`) : null;
    const stub = (s) => !s ? null : s.id ? el("a", { href: `#/stubs/${encodeURIComponent(s.id)}` }, shown(s.name || s.key || s.id, 120)) : shown(s.name || s.key || "", 120);
    const where = (s) => s?.file ? el("small", { class: "muted" }, " ", placeOf(s)) : null;
    const request = (entry) => {
        const r = entry.request ?? entry;
        const words = [el("span", { class: "method" }, shown(r.method ?? "", 20)), " ", el("bdi", { class: "url" }, shown(r.url ?? "", 300))];
        const q = entry.sequence && !entry.session && session === app.session ? `#/requests?q=${encodeURIComponent(`is:unmatched ${r.url ?? ""}`)}` : null;
        return entry.id && session === app.session ? el("a", { href: `#/requests?at=${encodeURIComponent(entry.id)}` }, words) : q ? el("a", { href: q }, words) : el("span", null, words);
    };
    const row = (...children) => el("div", { class: "row stacked" }, children);
    const unmatched = data.unmatchedRequests ?? data.unmatched ?? [];
    const timings = data.timings ?? {};
    return [
        el("div", { class: `headline ${isFailed ? "error" : "ok"}` }, icon(isFailed ? "failed" : "check"),
            el("div", null, el("strong", null, isFailed ? "Failed" : "Passed"),
                el("span", null, isFailed
                    ? `: ${[...reasons.map((r) => (REASONS[r.split(">")[0]] ?? ((n) => `${n} ${r}`))(counts[r] ?? counts[r.split(">")[0]] ?? 0)), data.commandFailure && `the command failed: ${shown(data.commandFailure, 200)}`].filter(Boolean).join(", ")}`
                    : data.served ? ": everything asked for was answered" : ": nothing was asked for"))),
        el("p", { class: "muted" }, [counted(data.served ?? 0, "request"), counted(data.usedStubCount ?? 0, "stub") + " used", `${formatCount(data.unusedStubCount ?? 0)} never used`,
            data.ignoredCount && `${formatCount(data.ignoredCount)} ignored`, data.passedThroughCount && `${formatCount(data.passedThroughCount)} sent on`,
            data.evictedCount && `${formatCount(data.evictedCount)} dropped by the journal`, data.openCount && `${formatCount(data.openCount)} still open`].filter(Boolean).join(" · "),
        timings.count ? ` · median ${formatDuration(timings.medianMs)}, p95 ${formatDuration(timings.p95Ms)}, longest ${formatDuration(timings.maxMs)}` : ""),
        fold("unmatched", "Nothing answered", data.unmatchedCount, unmatched.slice(0, 50).map((u) => row(el("div", null, request(u), " ", times(u), ofTest(u)),
            u.smallestChange ? el("div", null, shown(u.smallestChange, 500)) : null,
            u.nearestStub ? el("small", { class: "muted" }, "nearest: ", stub(u.nearestStub.stubMapping ? { ...u.nearestStub, id: u.nearestStub.stubMapping.id, name: u.nearestStub.stubMapping.name } : u.nearestStub), where(u.nearestStub))
                : u.nearest ? el("small", { class: "muted" }, "nearest: ", stub(u.nearest), where(u.nearest)) : null)), "unmatched", true),
        fold("failed", "Could not be answered", data.failedCount, (data.failedRequests ?? data.failed ?? []).slice(0, 50).map((f) => row(el("div", null, request(f), " ", times(f), ofTest(f)), el("div", { class: "error" }, shown(f.reason ?? "", 500)), stub(f.stub))), "error", true),
        fold("files", "Stub files with errors", data.files?.length, (data.files ?? []).slice(0, 50).map((f) => row(el("div", null, el("code", null, shown(`${f.file}${f.line ? `:${f.line}` : ""}${f.column ? `:${f.column}` : ""}`, 300))), el("div", { class: "error" }, shown(f.message, 1000)))), "error", true),
        fold("unmet", "Expected, and did not come", data.unmet?.length, (data.unmet ?? []).slice(0, 50).map((u) => row(el("div", null, shown(u.name ?? "", 200), " ", shown(u.text ?? "", 500), ofTest(u)), stub(u.stub), where(u.stub))), reasons.includes("unmet") ? "error" : "", reasons.includes("unmet")),
        fold("refusals", "Refused", data.refusedCount, (data.refusals ?? []).slice(0, 50).map((r) => row(el("div", null, shown(r.text ?? r.kind, 500), " ", times(r), ofTest(r)))), "", false),
        fold("stray", "Came without the identity of a test", data.withoutIdentityCount, (data.withoutIdentity ?? []).slice(0, 50).map((r) => row(el("div", null, request(r), " ", times(r)), r.stub ? el("small", null, "answered by ", stub(r.stub)) : badge("nothing answered", "unmatched"))), "", true),
        fold("aborted", "Broke off", data.aborted?.length, (data.aborted ?? []).slice(0, 50).map((a) => row(el("div", null, request(a), " ", times(a), ofTest(a)), el("small", { class: "muted" }, shown(a.reason ?? "", 300)))), "", false),
        fold("open", "Still open", data.openCount, (data.open ?? []).slice(0, 50).map((o) => row(el("div", null, request(o), " ", badge(shown(o.gate ? `held at ${o.gate}` : o.state ?? "open", 80), "warn"), ofTest(o)), o.text ? el("small", { class: "muted" }, shown(o.text, 300)) : null)), "", false),
        fold("slow", "Slow", data.slow?.length, (data.slow ?? []).slice(0, 50).map((s) => row(el("div", null, request(s), ` ${formatDuration(s.timeMs)}`, ofTest(s)))), "", false),
        fold("faults", "Faults that acted", data.faults?.reduce((sum, f) => sum + (f.count ?? 1), 0) ? data.faults.length : 0, (data.faults ?? []).slice(0, 50).map((f) => row(el("div", null, shown(f.fault, 100), f.outcome ? `: ${shown(f.outcome, 200)}` : "", " ", times(f), ofTest(f)), f.source ? el("small", { class: "muted" }, shown(f.source, 200)) : stub(f.stub))), "", false),
        fold("webhooks", "Webhooks", data.webhooks?.length, (data.webhooks ?? []).slice(0, 50).map((w) => row(el("div", null, request(w), " ", badge(shown(w.state, 20), w.state === "failed" ? "error" : ""), times(w)), el("small", { class: "muted" }, shown(w.text ?? "", 300)))), "", false),
        fold("sessions", "Sessions begun through it", data.begunSessions?.count, (data.begunSessions?.sessions ?? []).slice(0, 50).map((s) => row(el("div", null, el("a", { href: `#/sessions/${encodeURIComponent(s.id)}` }, el("bdi", null, shown(s.name || s.id, 100))), " ",
            s.verdict ? verdictBadge(s.verdict) : null, " ", el("small", { class: "muted" }, `${counted(s.served ?? 0, "request")}${s.unmatchedCount ? `, ${formatCount(s.unmatchedCount)} unmatched` : ""}`)))), "", false),
        fold("requests", "Asked for", data.requests?.length, (data.requests ?? []).slice(0, 50).map((r) => row(el("div", null, request(r), " ", r.status ? el("span", { class: "number" }, r.status) : badge(shown(r.ending ?? r.open ?? "open", 40), "warn"), " ", times(r), ofTest(r)), r.stub ? el("small", null, stub(r.stub), where(r.stub)) : r.answer ? el("small", { class: "muted" }, shown(r.answer, 200)) : null)), "", false),
        fold("unused", "Stubs never used", data.unusedStubCount, (data.unusedStubs ?? []).slice(0, 50).map((s) => row(el("div", null, stub(s), where(s)))), reasons.includes("unused") ? "error" : "", reasons.includes("unused")),
        data.requestJournalDisabled ? el("p", { class: "muted" }, "There is no journal: times and single requests are not known.") : null,
    ];
}
