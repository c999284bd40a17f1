// The request that is open: why nothing answered it, request, response, timing, stub.

import { el, replace, icon, shown, shownLines, coded, formatTime, formatDuration, formatSize, formatCount, counted, fileLine } from "./dom.js";
import { call, session, pageAddress, CallError } from "./api.js";
import { readJSON, formatJSON, compactText, valueOf } from "./json.js";
import { rows, faultNames } from "./rows.js";
import { bodyView } from "./bodies.js";
import { copyChoices, headerList, isSecretName, maskURL, MASK } from "./copy.js";

const KEPT = 20, KEPT_BYTES = 16 * 1024 * 1024;
const TITLES = { why: "Why not", overview: "Overview", request: "Request", response: "Response", timing: "Timing", stub: "Stub" };

const cache = new Map();
function keep(id, entry) {
    cache.delete(id);
    cache.set(id, entry);
    let bytes = 0;
    for (const e of cache.values()) bytes += e.text.length;
    for (const [oldest, e] of cache) {
        if (cache.size <= KEPT && bytes <= KEPT_BYTES || oldest === id) break;
        bytes -= e.text.length;
        cache.delete(oldest);
    }
}

/** The pane beside the list. `onClose`, `onTab(name)`, `onBack` are what its buttons do. */
export function makeDetail(root, app, { onClose, onTab, onBack }) {
    let row = null, current = null, event = null, text = "", loading = null, releases = [], isMasked = true, wasEnded = false;
    let explained = null, explainedFor = null;

    const release = () => { for (const fn of releases) fn(); releases = []; };
    const masks = () => isMasked && app.status()?.redaction === true;
    const of = () => ({ session: row.session?.id ?? session });

    function tabs() {
        return [row.matched === false ? "why" : "overview", "request", "response", "timing", "stub"].filter((t) => t !== "stub" || row.matched !== false);
    }

    async function load() {
        loading?.abort();
        const controller = loading = new AbortController();
        const known = cache.get(row.id);
        if (known) { ({ event, text } = known); draw(); return; }
        event = null;
        draw();
        try {
            const answer = await call("GET", `requests/${encodeURIComponent(row.id)}?details=true`, { ...of(), signal: controller.signal });
            if (controller.signal.aborted) return;
            event = answer.data;
            text = answer.text;
            if (event.end) keep(row.id, { event, text });
            if (row.isUnknown) {
                const stub = event.wasMatched ? { id: event.stubMapping?.id, name: event.stubMapping?.name } : undefined;
                row = { id: event.id, sequence: event.sequence, method: event.request.method, url: event.request.url, matched: event.wasMatched, status: event.response?.status, at: event.request.loggedDate, ended: Boolean(event.end), end: event.end, durationMs: event.timing?.totalTime, stub, answer: String(event.response?.status ?? "") };
                if (!tabs().includes(current)) current = tabs()[0];
            }
            draw();
        } catch (error) {
            if (error.name === "AbortError") return;
            fail(error);
        }
    }

    function fail(error) {
        let words = shown(error.message, 500);
        if (error.status === 404 || error.status === 400) {
            const oldest = rows.list.find((r) => r.id && !r.isOld);
            const run = oldest?.id.slice(0, 8);
            words = row.isOld || run && run !== String(row.id).slice(0, 8) ? "This request belongs to another run of the daemon: its journal is gone."
                : `The journal no longer has this request.${oldest ? ` The oldest in this list is #${oldest.sequence}.` : ""}`;
        }
        draw(el("p", { class: "warn" }, words));
    }

    // --- Frame
    function draw(problem) {
        release();
        const hadFocus = root.contains(document.activeElement) ? document.activeElement?.dataset?.focus ?? "pane" : null;
        const list = tabs();
        const copyButton = el("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false" }, icon("copy"), "Copy", icon("down"));
        copyButton.addEventListener("click", () => app.menu(copyButton, copyChoices(row, app)));
        const title = row.method ? `${row.sequence !== undefined ? `#${row.sequence} ` : ""}${shown(row.method, 30)} ${shown(masks() ? maskURL(row.url) : row.url, 300)}` : `Request ${shown(row.id, 60)}`;
        const buttons = list.map((name) => el("button", {
            type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === current), "aria-controls": "detail-panel", tabindex: name === current ? 0 : -1, "data-focus": `tab-${name}`,
            on: { click: () => choose(name) },
        }, TITLES[name]));
        const tablist = el("div", { role: "tablist", "aria-label": "Parts of the request", on: { keydown: (e) => {
            const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
            if (by) { e.preventDefault(); e.stopPropagation(); step(by); root.querySelector("[role=tab][aria-selected=true]")?.focus(); }
        } } }, buttons);
        const panel = el("div", { id: "detail-panel", class: "detail-panel", role: "tabpanel", "aria-labelledby": `tab-${current}`, tabindex: 0, "data-focus": "panel" });
        replace(root,
            el("div", { class: "detail-head" },
                el("button", { type: "button", class: "plain back", "aria-label": "Back to the list", on: { click: onClose } }, icon("back")),
                el("h2", { class: "detail-title", title: shown(row.url ?? "", 500) }, el("bdi", {}, title)),
                copyButton, el("button", { type: "button", class: "plain close", "aria-label": "Close", on: { click: onClose } }, icon("close"))),
            el("p", { class: `request-outcome ${row.matched === false ? "unmatched" : ""}` }, headline()),
            app.status()?.redaction && el("p", { class: "muted small masking" }, masks() ? "Secrets are hidden. " : "Secrets are shown. ",
                el("button", { type: "button", class: "link", on: { click: () => { isMasked = !isMasked; draw(); } } }, masks() ? "Show them" : "Hide them")),
            tablist, panel);
        if (problem) replace(panel, problem);
        else if (!event) replace(panel, el("p", { class: "muted" }, "Loading…"));
        else {
            try { PANELS[current](panel); } catch (error) { console.error(error); replace(panel, el("p", { class: "error" }, `This cannot be shown: ${error.message}`)); }
        }
        if (hadFocus) (root.querySelector(`[data-focus="${hadFocus}"]`) ?? root.querySelector("[role=tab][aria-selected=true]"))?.focus({ preventScroll: true });
    }

    function headline() {
        const time = row.ended && row.durationMs !== undefined ? ` in ${formatDuration(row.durationMs)}` : "";
        if (row.matched === false) return [el("strong", {}, "Nothing answered it"), row.status ? `: ${row.status}` : ""];
        const by = row.stub ? [" by ", stubLink()] : "";
        if (row.isFailed) return [el("strong", { class: "error" }, "Its stub could not be served"), ": ", shown(row.failure, 300)];
        if (row.ended === false && !row.isUnknown) return [row.gate ? [el("strong", { class: "warn" }, "Held"), " at the gate ", app.link("#/live", shown(row.gate, 100))] : "Still open", by];
        return row.answer ? [el("strong", {}, row.answer), time, by] : "";
    }
    function stubLink() {
        const s = row.stub;
        const name = s.name ?? (s.file ? fileLine(s) : s.key ?? s.id);
        return s.id && (row.session?.id ?? null) === session ? app.link(`#/stubs/${encodeURIComponent(s.id)}`, shown(name, 100))
            : s.id ? el("a", { href: pageAddress(row.session.id, `#/stubs/${encodeURIComponent(s.id)}`) }, shown(name, 100)) : shown(name, 100);
    }

    function choose(name) {
        if (!tabs().includes(name)) return;
        current = name;
        draw();
        onTab(name);
    }
    function step(by) {
        const list = tabs();
        choose(list[(list.indexOf(current) + by + list.length) % list.length]);
    }

    // --- Panels
    const pair = (name, ...value) => (value.some((v) => v !== undefined && v !== null && v !== "" && v !== false) ? [el("dt", {}, name), el("dd", {}, ...value)] : []);

    function overview(panel) {
        const r = event.request;
        const faults = faultNames({ faults: event.faults ?? row.faults, fault: row.fault });
        replace(panel, el("dl", { class: "facts" },
            pair("When", el("span", { title: r.loggedDateString }, `${new Date(r.loggedDate).toLocaleDateString()} ${formatTime(r.loggedDate)}`)),
            pair("Asked", el("code", { class: "wrap" }, `${shown(r.method, 40)} ${shown(masks() ? maskURL(r.absoluteUrl) : r.absoluteUrl)}`)),
            pair("Answered", sentLine(), row.ended && row.durationMs !== undefined && `, ${formatDuration(row.durationMs)}`),
            pair("Sent", event.bytesSent !== undefined && `${formatSize(event.bytesSent)} with its head`),
            pair("Stub", row.stub ? [stubLink(), row.stub.file && row.stub.name && el("span", { class: "muted" }, ` ${shown(fileLine(row.stub))}`)] : ""),
            pair("Failure", row.failure && el("span", { class: "error" }, shown(row.failure))),
            pair("Faults", faults && el("code", { class: "wrap" }, shown(faults))),
            pair("Added delay", event.timing?.addedDelay > 0 && formatDuration(event.timing.addedDelay)),
            pair("Session", row.session && [shown(row.session.name ?? row.session.id, 100), " ", el("a", { href: pageAddress(row.session.id, "#/requests") }, "its page")]),
            pair("Client", shown(r.clientIp)), pair("Protocol", `${shown(r.protocol)}, ${shown(r.scheme)}`),
            pair("Certificate", event.clientCertificate && el("code", { class: "wrap" }, shown(JSON.stringify(event.clientCertificate)))),
            pair("Id", el("code", { class: "wrap" }, event.id))),
        notes(), el("div", { class: "actions" }, draftButton()));
    }
    function draftButton() {
        return el("button", { type: "button", on: { click: () => app.draftFrom(row.id, row.session?.id ?? session) } }, "Make a stub of this");
    }
    function notes() {
        const list = (event.subEvents ?? []).filter((s) => s.type !== "REQUEST_NOT_MATCHED").slice(0, 20);
        return list.length > 0 && el("section", {}, el("h3", {}, "Notes"), el("ul", { class: "notes" }, list.map((s) => el("li", {}, el("span", { class: s.type === "WARNING" ? "warn" : "muted" }, shown(s.type.toLowerCase().replaceAll("_", " "))), " ", el("bdi", {}, shown(typeof s.data === "string" ? s.data : s.data?.message ?? JSON.stringify(s.data), 1000))))));
    }

    function headers(title, list) {
        return el("section", {}, el("h3", {}, `${title} `, el("span", { class: "muted" }, formatCount(list.length))),
            list.length ? el("table", { class: "list headers" }, el("tbody", {}, list.slice(0, 400).map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, shown(name, 300))), el("td", { class: "wrap" }, el("bdi", {}, masks() && isSecretName(name) ? MASK : shown(value, 8000))))))) : el("p", { class: "muted" }, "None"));
    }
    function typeOf(list) { return list.find(([n]) => n.toLowerCase() === "content-type")?.[1] ?? ""; }

    function request(panel) {
        const r = event.request;
        const list = headerList(r.headers);
        const query = [...new URLSearchParams(r.url.includes("?") ? r.url.slice(r.url.indexOf("?") + 1) : "")];
        replace(panel, el("p", { class: "code" }, el("bdi", {}, `${shown(r.method, 40)} ${shown(masks() ? maskURL(r.url) : r.url, 8000)} ${shown(r.protocol)}`)),
            query.length > 0 && el("section", {}, el("h3", {}, "Query ", el("span", { class: "muted" }, formatCount(query.length))), el("table", { class: "list headers" }, el("tbody", {}, query.slice(0, 400).map(([n, v]) => el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, shown(n, 300))), el("td", { class: "wrap" }, el("bdi", {}, masks() && isSecretName(n) ? MASK : shown(v, 8000)))))))),
            headers("Headers", list), body(r, typeOf(list), list));
    }
    function body(message, type, list) {
        const view = bodyView({
            base64: message.bodyAsBase64, text: message.body, type, truncatedFrom: message.bodyTruncatedFrom ?? event.bodyTruncatedFrom,
            coding: list.find(([n]) => n.toLowerCase() === "content-encoding")?.[1], masks: masks(),
        }, (fn) => releases.push(fn));
        return el("section", {}, el("h3", {}, "Body"), view ?? el("p", { class: "muted" }, "None"));
    }

    function sentLine() {
        const status = event.response?.status;
        const cut = event.bodyBytesSent, whole = event.response?.bodyAsBase64 ? Math.floor(event.response.bodyAsBase64.length * 3 / 4) - (/=*$/.exec(event.response.bodyAsBase64)[0].length) : 0;
        const faults = faultNames({ faults: event.faults ?? row.faults, fault: row.fault });
        switch (event.end) {
        case undefined: return "not answered yet";
        case "sent": return String(status ?? "");
        case "faultApplied": return `${cut !== undefined && event.bytesSent > 0 ? `cut after ${formatCount(cut)} of ${counted(whole, "byte")}` : row.answer || "a fault in place of it"}${faults ? ` by ${shown(faults, 200)}` : ""}`;
        case "clientGone": return `${row.answer || status}, then the client closed${cut !== undefined ? ` after ${formatCount(cut)} of ${counted(whole, "byte")}` : ""}`;
        case "targetGone": return `${status}, then the proxied server broke off`;
        case "clientStalled": return `${status}, then the client stopped reading`;
        case "cancelled": return "cancelled by a caller or a reset";
        case "refused": return `refused while its body came (${status})`;
        case "stopped": return "cut off: the daemon ended";
        default: return `${status} ${shown(event.end, 60)}`;
        }
    }

    function response(panel) {
        if (!event.end && !event.response) { replace(panel, el("p", {}, headline())); return; }
        const list = headerList(event.response?.headers);
        const report = event.subEvents?.find((s) => s.type === "REQUEST_NOT_MATCHED")?.data?.report;
        replace(panel, el("p", { class: event.end && event.end !== "sent" ? "warn" : "" }, "Sent: ", sentLine(), event.bytesSent !== undefined && `, ${formatSize(event.bytesSent)} in all`),
            event.end && event.end !== "sent" && el("p", { class: "muted small" }, "Below is what the stub says."),
            report ? el("section", {}, el("h3", {}, "The report that the client got"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The report that the client got" }, el("pre", {}, shownLines(report).replace(/^\n+/, ""))))
                : [headers("Headers", list), body(event.response ?? {}, typeOf(list), list)]);
    }

    function timing(panel) {
        const t = event.timing ?? {};
        const parts = [["Added delay", t.addedDelay], ["Process", t.processTime], ["Send", t.responseSendTime]].filter(([, ms]) => ms !== undefined && ms >= 0);
        const sum = Math.max(1, ...parts.map(([, ms]) => ms), parts.reduce((a, [, ms]) => a + ms, 0));
        let from = 0;
        const bars = parts.map(([name, ms]) => {
            const bar = el("span", { class: "bar" });
            bar.style.marginLeft = `${from / sum * 100}%`;
            bar.style.width = `max(2px, ${ms / sum * 100}%)`;
            from += ms;
            return el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "bars" }, bar), el("td", { class: "number" }, formatDuration(ms)));
        });
        replace(panel, el("table", { class: "list timing" }, el("tbody", {}, bars,
            el("tr", {}, el("th", { scope: "row" }, "In all"), el("td", {}), el("td", { class: "number" }, el("strong", {}, formatDuration(row.durationMs ?? t.totalTime)))))),
        el("p", { class: "muted small" }, t.responseSendTime === undefined ? "The times of sending are there when the answer has ended." : "Whole milliseconds; the sum is measured more finely."));
    }

    function stub(panel) {
        let nodes = null;
        try { nodes = readJSON(text).entries.find(([key]) => key === "stubMapping")?.[1]; } catch { /* not kept */ }
        const box = el("div", {});
        const id = event.stubMapping?.id;
        replace(panel, el("p", {}, row.stub ? stubLink() : shown(event.stubMapping?.name ?? ""), row.stub?.file && row.stub?.name ? ` ${shown(fileLine(row.stub))}` : "", " ", box),
            el("p", { class: "muted small" }, "The mapping as it was when it answered."), nodes ? el("pre", { class: "code panel" }, shownLines(formatJSON(nodes))) : "");
        if (!id) return;
        call("GET", `mappings/${encodeURIComponent(id)}`, of()).then((answer) => {
            const now = formatJSON(readJSON(answer.text));
            if (nodes && now !== formatJSON(nodes)) replace(box, el("span", { class: "badge warn" }, "edited since"));
        }, (error) => { if (error.status === 404) replace(box, el("span", { class: "badge warn" }, "removed since")); });
    }

    // --- Why not
    async function explain() {
        if (explained && explainedFor === row.id) return explained;
        const id = row.id;
        const answer = exact(await call("GET", `requests/${encodeURIComponent(id)}/explain`, of()));
        explained = answer;
        explainedFor = id;
        return answer;
    }

    function why(panel) {
        if (explained && explainedFor === row.id) { whyOf(panel, explained); return; }
        replace(panel, el("p", { class: "muted" }, "Asking the daemon…"));
        const asked = row.id;
        explain().then((answer) => { if (row?.id === asked && current === "why") whyOf(panel, answer); }, (error) => {
            if (error.name !== "AbortError" && row?.id === asked && current === "why") {
                if (error instanceof CallError) fail(error); else { console.error(error); replace(panel, el("p", { class: "error" }, shown(String(error), 300))); }
            }
        });
    }

    function whyOf(panel, answer) {
        // Those that may not answer are told apart above.
        const all = answer.nearMisses ?? [];
        const eligible = all.filter((n) => !n.ineligible);
        const near = (eligible.length ? eligible : all).slice(0, 3);
        const again = el("button", { type: "button", class: "link", on: { click: () => { explained = null; draw(); } } }, "Judge again");
        const smallest = answer.smallestChange;
        const head = [
            answer.stubMapping && el("p", { class: "ok" }, el("strong", {}, "A stub that is there now would answer it: "), app.link(`#/stubs/${encodeURIComponent(answer.stubMapping.id)}`, shown(answer.stubMapping.name ?? answer.key ?? answer.stubMapping.id, 200))),
            smallest && el("p", { class: "smallest" }, el("strong", {}, "Smallest change: "), el("bdi", {}, coded(shown(typeof smallest === "string" ? smallest : smallest.text ?? JSON.stringify(smallest), 1000)))),
            !answer.stubMapping && answer.reason && answer.reason !== "No stub matches" && el("p", {}, coded(shown(answer.reason, 1000))),
            (answer.brokenFiles ?? []).map((f) => el("p", { class: "error" }, "A stub file has errors: ", shown(typeof f === "string" ? f : f.file ?? JSON.stringify(f), 300))),
        ];
        const ineligible = (answer.ineligible ?? []).map((i) => {
            const miss = all.find((n) => n.stubMapping?.id === i.id)?.stubMapping;
            const set = miss?.scenarioName && miss.requiredScenarioState && el("button", { type: "button", on: { click: async () => {
                try {
                    await call("PUT", `scenarios/${encodeURIComponent(miss.scenarioName)}/state`, { ...of(), json: { state: miss.requiredScenarioState } });
                    app.notice(`${miss.scenarioName} is in ${miss.requiredScenarioState} now`, "ok");
                    explained = null;
                    draw();
                } catch (error) { app.failed(error); }
            } } }, `Set ${shown(miss.scenarioName, 40)} to ${shown(miss.requiredScenarioState, 40)}`);
            const on = i.reason === "it is not enabled" && el("button", { type: "button", on: { click: async () => {
                try {
                    await call("PATCH", `mappings/${encodeURIComponent(i.id)}`, { ...of(), json: { enabled: true } });
                    app.notice(`${i.name ?? i.key ?? "The stub"} is on`, "ok");
                    explained = null;
                    draw();
                } catch (error) { app.failed(error); }
            } } }, "Switch on");
            return el("div", { class: "ineligible" }, el("p", {}, app.link(`#/stubs/${encodeURIComponent(i.id)}`, shown(i.name ?? i.key ?? i.id, 200)), " would match, but ", el("bdi", {}, coded(shown(i.reason, 500))), "."), set || on || null);
        });
        let chosen = 0;
        const place = el("div", {});
        const drawNear = () => {
            const miss = near[chosen];
            if (!miss) { replace(place, el("p", { class: "muted" }, answer.stubMapping ? "" : "There are no stubs.")); return; }
            const id = miss.stubMapping?.id;
            replace(place,
                el("div", { class: "near-choice", role: "group", "aria-label": "The nearest stubs" }, near.map((n, i) => el("button", { type: "button", "aria-pressed": String(i === chosen), on: { click: () => { chosen = i; drawNear(); place.querySelector("[aria-pressed=true]")?.focus(); } } },
                    `${["Nearest", "2nd", "3rd"][i]}: ${shown(n.file ? fileLine(n) : n.stubMapping?.name ?? n.key ?? "", 40)}`))),
                el("p", {}, id ? app.link(`#/stubs/${encodeURIComponent(id)}`, shown(miss.stubMapping.name ?? miss.key ?? id, 200)) : shown(miss.key ?? ""), miss.file ? el("span", { class: "muted" }, ` ${shown(fileLine(miss))}`) : null,
                    miss.ineligible && el("span", { class: "warn" }, ` ${shown(miss.ineligible, 300)}`)),
                conditions(miss.attributes ?? []),
                (miss.warnings ?? []).map((w) => el("p", { class: "warn small" }, shown(typeof w === "string" ? w : w.message ?? JSON.stringify(w), 500))),
                el("div", { class: "actions" }, draftButton(), id && app.link(`#/stubs/${encodeURIComponent(id)}?from=${encodeURIComponent(row.id)}`, el("span", { class: "button" }, "Change this stub"))));
        };
        drawNear();
        replace(panel, head, ineligible, place, (answer.notes ?? []).slice(0, 10).map((n) => el("p", { class: "muted small" }, shown(typeof n === "string" ? n : n.message ?? JSON.stringify(n), 500))),
            el("p", { class: "muted small" }, "Judged by the stubs as they are now. ", again));
    }

    function conditions(list) {
        const differing = list.filter((a) => !a.matches), same = list.filter((a) => a.matches);
        const line = (a) => {
            const isMissing = !a.matches && (a.actual === undefined || a.actual.value === null || a.actual.value === "");
            const [want, came] = sides(a);
            return el("tr", { class: a.matches ? "same" : "differs" },
                el("th", { scope: "row" }, el("span", { class: "verdict" }, a.matches ? icon("check") : icon("close"), a.matches ? "same" : isMissing ? "missing" : "differs"), " ", el("bdi", {}, attributeName(a))),
                el("td", { class: "wrap" }, want), el("td", { class: "wrap" }, isMissing ? el("span", { class: "muted" }, "nothing") : came,
                    a.differences?.length > 0 && el("ul", { class: "differences" }, a.differences.map((d) => el("li", {}, differenceLine(d))))));
        };
        const table = (rowsOf) => el("table", { class: "list why" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Condition"), el("th", { scope: "col" }, "The stub wants"), el("th", { scope: "col" }, "What came"))), el("tbody", {}, rowsOf.map(line)));
        return el("div", {}, differing.length > 0 && table(differing),
            same.length > 0 && el("details", { open: differing.length === 0 }, el("summary", {}, `${counted(same.length, "condition")} ${same.length === 1 ? "is" : "are"} met: ${shown(same.map(attributeName).join(", "), 120)}`), table(same)));
    }

    const PANELS = { why, overview, request, response, timing, stub };

    return {
        get isOpen() { return row !== null; },
        get id() { return row?.id; },
        get current() { return current; },
        get isUnknown() { return row?.isUnknown === true; },
        /** Shows a row. `tab` is where to begin; by default why nothing answered it, or the tab of before. */
        show(item, tab) {
            row = item;
            wasEnded = item.ended !== false;
            const list = tabs();
            if (tab && list.includes(tab)) current = tab;
            else if (tab && row.isUnknown && TITLES[tab]) current = tab;
            else if (!list.includes(current) || current === "overview" || row.matched === false) current = list[0];
            load();
        },
        tab: choose, step,
        focus() { root.querySelector("[role=tab][aria-selected=true]")?.focus(); },
        close() { loading?.abort(); release(); row = null; event = null; replace(root); },
        forget() { cache.clear(); },
        /** Once a second: what was open may have ended. */
        tick() { if (row && !wasEnded && row.ended) { wasEnded = true; load(); } else if (row && row.ended === false) wasEnded = false; },
        back: onBack,
    };
}

/** What a condition is about, in words. */
export function attributeName(a) {
    const words = {
        method: "method", url: "URL", urlPath: "path", urlPathTemplate: "path", urlPattern: "URL", urlPathPattern: "path", host: "host", port: "port",
        scheme: "scheme", headers: "header", queryParameters: "query", formParameters: "form", cookies: "cookie", pathParameters: "path variable", bodyPatterns: "body",
        multipartPatterns: "part", basicAuthCredentials: "credentials", basicAuth: "credentials", clientIp: "client", customMatcher: "matcher",
    };
    const word = words[a.attribute] ?? shown(a.attribute, 60);
    if (a.name === undefined || a.attribute === "bodyPatterns") return word;
    return `${word} ${shown(a.name, 100)}`;
}

// An answer of `explain`, in which what is compared stays as it was sent.
const COMPARED = new Set(["expected", "actual"]);
function exact(answer) {
    return valueOf(readJSON(answer.text), COMPARED);
}

// The two sides of a condition as elements: what is the same at both ends dimmed, what differs underlined.
function sides(a) {
    let wanted = a.expected;
    let operator = null;
    const entries = wanted?.entries;
    if (entries?.length === 1) {
        const [name, node] = entries[0];
        if (!(name === "equalTo" && node.type === "string")) operator = name;
        wanted = node;
    }
    const text = (node) => (!node || node.value === null ? "" : node.type === "string" ? node.value : compactText(node));
    const want = text(wanted), came = text(a.actual);
    const isSpecial = operator !== null || entries?.length > 1;
    const plain = (t) => el("bdi", {}, shown(t, 3000));
    const label = operator && [el("span", { class: "muted" }, operator), " "];
    if (a.matches || isSpecial) return [el("code", {}, label, plain(want)), el("code", {}, plain(came))];
    const marked = a.attribute === "urlPathTemplate" ? markTemplate(want, came) : markText(want, came);
    const side = (parts) => el("code", {}, el("bdi", {}, parts.filter(([t]) => t !== "").map(([t, isDifferent]) => el("span", { class: isDifferent ? "place" : "muted" }, breakable(shown(t, 3000))))));
    return [side(marked[0]), side(marked[1])];
}

// Long paths break after a slash.
function breakable(text) {
    const parts = text.split(/(?<=[/&?])/);
    return parts.length > 40 ? text : parts.map((part, i) => [i > 0 && el("wbr"), part]);
}

/** Two texts as lists of `[text, differs]`: a common beginning, what differs, a common end. */
export function markText(a, b) {
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start++;
    if (start > 0 && /[\ud800-\udbff]/.test(a[start - 1])) start--;
    let end = 0;
    while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
    if (end > 0 && /[\udc00-\udfff]/.test(a[a.length - end])) end--;
    const parts = (t) => [[t.slice(0, start), false], [t.slice(start, t.length - end), true], [t.slice(t.length - end), false]];
    return [parts(a), parts(b)];
}

/** The same for a path template, segment by segment: a variable is the same as any segment. */
export function markTemplate(template, url) {
    const [path, query] = url.split(/\?(.*)/s);
    const t = template.split("/"), u = path.split("/");
    const left = [], right = [];
    for (let i = 0; i < Math.max(t.length, u.length); i++) {
        const slash = i > 0 ? "/" : "";
        if (t[i] === undefined) right.push([slash + u[i], true]);
        else if (u[i] === undefined) left.push([slash + t[i], true]);
        else if (t[i] === u[i] || /^\{[^}]+\}$/.test(t[i]) && u[i] !== "") { left.push([slash + t[i], false]); right.push([slash + u[i], false]); }
        else {
            const [l, r] = markText(t[i], u[i]);
            left.push([slash, false], ...l);
            right.push([slash, false], ...r);
        }
    }
    if (query !== undefined) right.push([`?${query}`, false]);
    return [left, right];
}

function differenceLine(d) {
    const m = /^(\S+): (expected .*?)(?:, (was|found) (.*))?$/s.exec(d);
    return m ? [el("code", {}, shown(m[1], 200)), ": ", shown(m[2], 500), m[3] && [`, ${m[3]} `, el("span", { class: "place" }, shown(m[4], 500))]] : el("bdi", {}, shown(d, 1000));
}

/** Two requests side by side, in a dialog. */
export async function compare(app, list) {
    if (list.length !== 2) return;
    try {
        const [a, b] = await Promise.all(list.map((row) => call("GET", `requests/${encodeURIComponent(row.id)}?details=true`, { session: row.session?.id ?? session })));
        const lines = (e) => {
            const facts = [["method", e.request.method], ["URL", e.request.url], ["status", String(e.response?.status ?? "")], ["stub", e.stubMapping?.name ?? e.stubMapping?.id ?? ""]];
            for (const [name, value] of headerList(e.request.headers)) facts.push([`header ${name}`, value]);
            let bodyText = e.request.body ?? "";
            try { bodyText = formatJSON(readJSON(bodyText)); } catch { /* as it is */ }
            bodyText.split("\n").slice(0, 400).forEach((line, i) => { if (bodyText) facts.push([`body, line ${i + 1}`, line]); });
            return facts;
        };
        const left = new Map(lines(a.data)), right = new Map(lines(b.data));
        const names = [...new Set([...left.keys(), ...right.keys()])];
        const side = (parts) => el("code", {}, el("bdi", {}, parts.map(([t, isDifferent]) => el("span", { class: isDifferent ? "place" : "" }, shown(t, 1000)))));
        const differing = names.filter((n) => left.get(n) !== right.get(n));
        app.dialog({
            title: `#${list[0].sequence} and #${list[1].sequence}`, kind: "wide",
            content: differing.length ? el("div", { class: "scroll" }, el("table", { class: "list why" }, el("thead", {}, el("tr", {}, ["What differs", `#${list[0].sequence}`, `#${list[1].sequence}`].map((h) => el("th", { scope: "col" }, h)))),
                el("tbody", {}, differing.map((n) => { const [l, r] = markText(left.get(n) ?? "", right.get(n) ?? ""); return el("tr", {}, el("th", { scope: "row" }, shown(n, 100)), el("td", { class: "wrap" }, side(l)), el("td", { class: "wrap" }, side(r))); }))))
                : el("p", {}, "They do not differ in method, URL, headers, body, status and stub."),
        });
    } catch (error) { app.failed(error); }
}
