// The frame: routing by fragment, header, rail, dialogs, keys, announcements, and the one stream of events.

import { el, replace, icon, shown, shownLines, copy, formatCount, formatDuration, formatTime, counted } from "./dom.js";
import { call, stream, onSignIn, askAgain, session, sessionOf, enter, pageAddress, CallError } from "./api.js";
import { rows } from "./rows.js";
import requests from "./requests.js";
import stubs from "./stubs.js";
import live from "./live.js";
import messages from "./messages.js";
import record from "./record.js";
import sessions, { report } from "./sessions.js";
import { faults, state, data, scenarios, watchCounts, watchFaults } from "./more.js";
import { hasDrafts } from "./editor.js";

const VIEWS = [requests, stubs, scenarios, live, messages, faults, state, data, sessions, record, report];
const GO_KEYS = {
    requests: "r", stubs: "s", scenarios: "c", live: "l", messages: "m", faults: "f", state: "t", data: "d", sessions: "e", record: "o", report: "p",
};
const BAR = ["requests", "stubs", "live"];

// --- Settings -------------------------------------------------------------------------------------------------------

// Read as untrusted: whatever stands outside the lists is the first of them.
const SETTINGS = { theme: ["system", "light", "dark"], keys: ["on", "off"], speech: ["on", "off"], density: ["normal", "compact"] };

const settings = {};
function readSettings() {
    let kept = {};
    try { kept = JSON.parse(localStorage.getItem("stuntdouble-page") ?? "{}") ?? {}; } catch { /* no storage, or not ours */ }
    for (const [name, values] of Object.entries(SETTINGS)) settings[name] = values.includes(kept[name]) ? kept[name] : values[0];
    applySettings();
}
function set(name, value) {
    if (!SETTINGS[name]?.includes(value)) return;
    settings[name] = value;
    try { localStorage.setItem("stuntdouble-page", JSON.stringify(settings)); } catch { /* not kept, then */ }
    applySettings();
}
function applySettings() {
    const root = document.documentElement;
    if (settings.theme === "system") delete root.dataset.theme; else root.dataset.theme = settings.theme;
    root.dataset.density = settings.density;
    tell("setting-of-page", settings);
}

// --- Listeners and timers -------------------------------------------------------------------------------------------

const listeners = new Map();
function on(type, fn) {
    if (!listeners.has(type)) listeners.set(type, new Set());
    listeners.get(type).add(fn);
    return () => listeners.get(type).delete(fn);
}
function tell(type, value) {
    for (const fn of [...(listeners.get(type) ?? []), ...(listeners.get("*") ?? [])]) {
        try { fn(value, type); } catch (error) { console.error(error); }
    }
}

/** Calls `fn` now and every `ms` while the page is visible, never twice at a time. */
function every(ms, fn) {
    let timer = null, isRunning = false, isOff = false;
    const run = async () => {
        clearTimeout(timer);
        if (isOff || document.hidden || isRunning) return;
        isRunning = true;
        try { await fn(); } catch (error) { if (!(error instanceof CallError)) console.error(error); }
        isRunning = false;
        if (!isOff) timer = setTimeout(run, ms);
    };
    const wake = () => { if (!document.hidden) run(); };
    document.addEventListener("visibilitychange", wake);
    run();
    return () => {
        isOff = true;
        clearTimeout(timer);
        document.removeEventListener("visibilitychange", wake);
    };
}

// --- The app that views see -----------------------------------------------------------------------------------------

let lastStatus = null;
let current = null;

const app = {
    settings, set, on, every, rows, copy,
    get session() { return session; },
    status: () => lastStatus,
    /** Shows a fragment such as `#/stubs/ID`; with `replace` in place of the present entry of the history. */
    go(fragment, { replace: inPlace = false } = {}) {
        const target = fragment.startsWith("#") ? fragment : "#" + fragment;
        if (target === location.hash) { show(); return; }
        history[inPlace ? "replaceState" : "pushState"](null, "", target);
        show();
    },
    /** Shows a fragment in the page of a session (`null`: the daemon's own). */
    open(of, fragment) {
        if (of === session) app.go(fragment); else change(of, fragment);
    },
    /** A link to a fragment. */
    link(fragment, ...text) {
        return el("a", { href: fragment.startsWith("#") ? fragment : "#" + fragment }, ...text);
    },
    /** Text for screen readers, at once. */
    say(text) {
        if (settings.speech === "on") speak(text);
    },
    /** A passing line; `kind` is `info`, `ok`, `warn` or `error`. Read aloud, too. */
    notice(text, kind = "info") {
        const line = el("div", { class: `notice ${kind}` }, el("span", {}, shownLines(String(text).slice(0, 1000))),
            el("button", { class: "plain", "aria-label": "Close this notice", on: { click: () => line.remove() } }, icon("close")));
        frame.notices.append(line);
        while (frame.notices.children.length > 4) frame.notices.firstChild.remove();
        if (kind !== "error") setTimeout(() => line.remove(), 6000);
        app.say(text);
    },
    /** What went wrong in a call, as a notice. */
    failed(error) {
        if (error?.name === "AbortError") return;
        if (!(error instanceof CallError)) console.error(error);
        app.notice(error?.message ?? String(error), "error");
    },
    dialog, confirm, menu,
    /** The number beside a view's name in the rail; `tone` is `unmatched`, `warn` or absent. */
    count(name, number, tone) {
        const badge = frame?.badges.get(name);
        if (!badge) return;
        const text = !number ? "" : number < 10_000 ? formatCount(number) : `${formatCount(Math.floor(number / 1000))}k`;
        if (badge.textContent !== text) badge.textContent = text;
        badge.className = `count ${tone ?? ""}`;
    },
    openRequest(id, tab) {
        app.go(`#/requests?at=${encodeURIComponent(id)}${tab ? "&tab=" + encodeURIComponent(tab) : ""}`);
    },
    draftFrom(id, of = session) {
        const fragment = `#/stubs/new?from=${encodeURIComponent(id)}`;
        app.open(of, fragment);
    },
    keys: bindKeys,
};

// --- Announcements --------------------------------------------------------------------------------------------------

let speakTimer = null;
function speak(text, isUrgent = false) {
    const region = isUrgent ? frame.urgent : frame.polite;
    region.textContent = "";
    clearTimeout(speakTimer);
    speakTimer = setTimeout(() => { region.textContent = shown(text, 500); }, 60);
}

// --- Dialogs and menus ----------------------------------------------------------------------------------------------

/**
 * A modal dialog. `actions` are `{text, value, kind}`; resolves to the value of the one chosen, or to null.
 * An action with `run` calls it first and stays open if that returns false.
 */
function dialog({ title, content, actions = [{ text: "Close", value: null }], kind = "" }) {
    return new Promise((resolve) => {
        let value = null;
        const heading = el("h2", { id: `dialog-${++dialogs}` }, title);
        const buttons = actions.map((action) => el("button", {
            type: action.kind === "primary" ? "submit" : "button", class: action.kind ?? "", on: { click: (e) => { e.preventDefault(); choose(action); } },
        }, action.text));
        const box = el("dialog", { class: kind, "aria-labelledby": heading.id },
            el("form", { method: "dialog" }, heading, el("div", { class: "dialog-body" }, content), el("div", { class: "actions" }, buttons)));
        const choose = async (action) => {
            if (action.run && await action.run() === false) return;
            value = action.value ?? null;
            box.close();
        };
        box.addEventListener("close", () => { box.remove(); resolve(value); });
        document.body.append(box);
        box.showModal();
        if (kind === "wide") { heading.tabIndex = -1; heading.focus(); return; }
        (box.querySelector("[autofocus]") ?? box.querySelector("input, select, textarea") ?? buttons[0])?.focus();
    });
}
let dialogs = 0;

/** Asks before something that cannot be taken back. */
async function confirm({ title, text, action = "Yes" }) {
    return await dialog({
        title, content: el("p", {}, text),
        actions: [{ text: "Cancel", value: false }, { text: action, value: true, kind: "danger" }],
    }) === true;
}

let openMenu = null;
/** A menu below a button. Items: `{text, run, disabled, detail}`, or null for a line. */
function menu(anchor, items) {
    openMenu?.close(false);
    const close = (returnsFocus = true) => {
        list.remove();
        document.removeEventListener("pointerdown", outside, true);
        anchor.setAttribute?.("aria-expanded", "false");
        openMenu = null;
        if (returnsFocus) anchor.focus?.();
    };
    const outside = (e) => { if (!list.contains(e.target)) close(false); };
    const list = el("div", { class: "menu", role: "menu", "aria-label": anchor.getAttribute?.("aria-label") ?? anchor.textContent ?? "Actions" },
        items.map((item) => item === null ? el("hr", { role: "separator" }) : el("button", {
            role: "menuitem", tabindex: -1, "aria-disabled": item.disabled ? "true" : null,
            on: { click: () => { if (!item.disabled) { close(); item.run(); } } },
        }, el("span", {}, item.text), item.detail && el("span", { class: "muted" }, item.detail))));
    const choices = [...list.querySelectorAll("[role=menuitem]")];
    list.addEventListener("keydown", (e) => {
        const at = choices.indexOf(document.activeElement);
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: choices.length - 1 }[e.key];
        if (to !== undefined) choices.at(to % choices.length).focus();
        else if (e.key === "Escape") close();
        else if (e.key === "Tab") { close(); return; }
        else {
            if (e.key.length === 1) choices.find((c) => c.textContent.toLowerCase().startsWith(e.key.toLowerCase()))?.focus();
            if (e.key !== "Enter" && e.key !== " ") return;
            e.stopPropagation();
            return;
        }
        e.preventDefault();
        e.stopPropagation();
    });
    (document.querySelector("dialog[open]") ?? frame.main).append(list);
    const box = anchor.getBoundingClientRect();
    const width = list.offsetWidth, height = list.offsetHeight;
    list.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 8))}px`;
    list.style.top = `${box.bottom + 2 + height > innerHeight ? Math.max(4, box.top - height - 2) : box.bottom + 2}px`;
    anchor.setAttribute?.("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    openMenu = { close };
    choices[0]?.focus();
}

// --- Keys -----------------------------------------------------------------------------------------------------------

const bindings = [];
/** Binds keys while the view is shown: `[{keys: ["f"], text: "Follow the newest", run}]`. Returns a function that ends it. */
function bindKeys(group, list) {
    const entry = { group, list };
    bindings.push(entry);
    return () => { bindings.splice(bindings.indexOf(entry), 1); };
}

let pending = null;
function pressed(e) {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
    const target = e.target;
    const isTyping = target.closest?.("input, textarea, select, [contenteditable]");
    if (document.querySelector("dialog[open]") || target.closest?.("[role=menu]")) return;
    if (isTyping) return;
    let key = e.key;
    if (pending) { key = `${pending} ${key}`; pending = null; }
    if (key.length === 1 && settings.keys === "off" && key !== "?" && key !== "/") return;
    if (key === "g") { pending = "g"; setTimeout(() => { pending = null; }, 1500); return; }
    // Enter and Space belong to the control that has the focus; arrows belong to tabs.
    if (["Enter", " "].includes(key) && target.closest?.("button, a, summary")) return;
    if (key.startsWith("Arrow") && target.closest?.("[role=tab], [role=separator], [role=tree]")) return;
    for (const { list } of [...bindings].reverse()) {
        for (const binding of list) {
            if (binding.keys.includes(key) && !(binding.when && !binding.when(e))) {
                e.preventDefault();
                binding.run(e);
                return;
            }
        }
    }
}

function help() {
    const table = (group) => el("section", {}, el("h3", {}, group.group), el("table", { class: "keys" }, el("tbody", {},
        group.list.filter((b) => b.text).map((b) => el("tr", {},
            el("th", { scope: "row" }, b.keys.map((k, i) => [i > 0 && " ", k.split(" ").filter(Boolean).length
                ? k.split(" ").map((part) => el("kbd", {}, KEY_NAMES[part] ?? part)) : el("kbd", {}, "Space")])),
            el("td", {}, b.text))))));
    const choice = (name, text, names) => el("label", { class: "choice" }, el("span", {}, text),
        el("select", { on: { change: (e) => set(name, e.target.value) } }, SETTINGS[name].map((v) =>
            el("option", { value: v, selected: settings[name] === v }, names[v]))));
    dialog({
        title: "Keys and settings", kind: "wide",
        content: [
            el("div", { class: "help-keys" }, bindings.map(table)),
            requests.help?.(),
            el("section", {}, el("h3", {}, "Settings of this page"),
                choice("theme", "Colours", { system: "As the system", light: "Light", dark: "Dark" }),
                choice("density", "Rows", { normal: "Normal", compact: "Compact" }),
                choice("keys", "Single keys", { on: "On", off: "Off" }),
                choice("speech", "Announcements for screen readers", { on: "On", off: "Off" })),
            lastStatus?.version && el("p", { class: "muted" }, `Stunt Double ${lastStatus.version}. `, el("a", { href: "../docs" }, "Calls of the admin API")),
        ],
    });
}
const KEY_NAMES = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", PageUp: "PgUp", PageDown: "PgDn", ContextMenu: "Menu" };

// --- Sign-in --------------------------------------------------------------------------------------------------------

async function askForCredentials(isRetry) {
    const kind = el("select", {}, el("option", { value: "token" }, "Token"), el("option", { value: "basic" }, "User and password"));
    const secret = el("input", { type: "password", autocomplete: "off", spellcheck: "false", autofocus: true });
    const user = el("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    const userLine = el("label", { class: "field", hidden: true }, "User", user);
    const secretLabel = document.createTextNode("Token");
    kind.addEventListener("change", () => {
        userLine.hidden = kind.value !== "basic";
        secretLabel.data = kind.value === "basic" ? "Password" : "Token";
    });
    const answer = await dialog({
        title: "Sign in",
        content: [
            el("p", {}, isRetry ? "The daemon refused these credentials." : "This daemon's admin API asks for credentials: those of ",
                !isRetry && [el("code", {}, "--admin-token"), " or ", el("code", {}, "--admin-api-basic-auth"), "."]),
            el("label", { class: "field" }, "Kind", kind), userLine, el("label", { class: "field" }, secretLabel, secret),
            el("p", { class: "muted" }, "Kept only until this page is closed or loaded again."),
        ],
        actions: [{ text: "Cancel", value: null }, { text: "Sign in", value: "yes", kind: "primary" }],
    });
    if (answer !== "yes") return null;
    const bytes = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
    return kind.value === "basic" ? `Basic ${bytes(`${user.value}:${secret.value}`)}` : `Bearer ${secret.value}`;
}

// --- The frame ------------------------------------------------------------------------------------------------------

let frame;

function build() {
    const badges = new Map();
    const links = new Map();
    const item = (view) => {
        const badge = el("span", { class: "count" });
        badges.set(view.name, badge);
        const link = el("a", { href: `#/${view.name}`, class: BAR.includes(view.name) ? "" : "in-more" }, el("span", {}, view.title), badge);
        links.set(view.name, link);
        return el("li", { class: BAR.includes(view.name) ? "" : "in-more" }, link);
    };
    const more = el("button", { type: "button", class: "more", "aria-haspopup": "menu", "aria-expanded": "false" }, icon("menu"), el("span", {}, "More"));
    more.addEventListener("click", () => menu(more, VIEWS.filter((v) => !BAR.includes(v.name)).map((v) => ({
        text: v.title, detail: badges.get(v.name).textContent, run: () => app.go(`#/${v.name}`),
    }))));
    const chooser = el("select", { class: "chooser", "aria-label": "Session" });
    chooser.addEventListener("change", chooseSession);
    const link = (name, fragment) => el("a", { class: `tally ${name}`, href: fragment, hidden: true });
    const addressText = el("code", { class: "address" });
    const copyAddress = el("button", { type: "button", class: "plain", "aria-label": "Copy the address", on: {
        click: async () => { if (await copy(addressText.textContent)) app.notice("Copied the address", "ok"); },
    } }, icon("copy"));
    const main = el("main", { id: "main", tabindex: -1 });
    frame = {
        badges, links, more, chooser, addressText, main,
        rate: el("span", { class: "figure rate" }), p95: el("span", { class: "figure p95" }),
        unmatched: link("unmatched", "#/requests?q=is:unmatched"), held: link("held", "#/live"),
        state: el("span", { class: "state" }), strip: el("div", { class: "strips", role: "region", "aria-label": "What is the matter" }), notices: el("div", { class: "notices", role: "region", "aria-label": "Notices" }),
        polite: el("div", { class: "offscreen", role: "status", "aria-live": "polite" }),
        urgent: el("div", { class: "offscreen", role: "alert" }),
    };
    replace(document.body,
        el("a", { class: "skip", href: "#main", on: { click: (e) => { e.preventDefault(); main.focus(); } } }, "Skip to the content"),
        el("header", { class: "top" },
            el("a", { class: "brand", href: "#/requests", "aria-label": "Stunt Double" }, el("span", { class: "long" }, "Stunt Double"), el("span", { class: "short" }, "SD")),
            chooser, el("span", { class: "where" }, addressText, copyAddress), el("span", { class: "grow" }),
            frame.rate, frame.p95, frame.unmatched, frame.held, frame.state,
            el("button", { type: "button", class: "plain help", "aria-label": "Keys and settings", on: { click: help } }, icon("help"))),
        frame.strip,
        el("div", { class: "body" }, el("nav", { class: "rail", "aria-label": "Views" }, el("ul", {}, VIEWS.map(item)), more), main),
        frame.notices, frame.polite, frame.urgent);
}

let sessionList = [];
function showSessions() {
    const select = frame.chooser;
    const entries = session
        ? [["here", `Session ${shown(sessionName(), 60)}`], ["all", "Back to all sessions"]]
        : [["all", sessionList.length ? `All sessions (${sessionList.length})` : "All sessions"], ["own", "The daemon's own"]];
    entries.push(...sessionList.filter((s) => s.id !== session).slice(0, 200).map((s) => [`s:${s.id}`, s.name ? `${shown(s.name, 60)} (${s.id})` : s.id]));
    const key = JSON.stringify(entries);
    if (select.dataset.key === key || document.activeElement === select && select.dataset.key) return;
    select.dataset.key = key;
    replace(select, entries.map(([value, text]) => el("option", { value }, text)));
    select.value = session ? "here" : app.only ?? "all";
}
function sessionName() {
    return sessionList.find((s) => s.id === session)?.name ?? session;
}
function chooseSession() {
    const value = frame.chooser.value;
    if (value.startsWith("s:")) change(value.slice(2), "#/requests");
    else if (session && value === "all") change(null, "#/requests");
    else if (!session) {
        app.only = value;
        tell("only", value);
    }
}

/** A strip above the view, by key; null takes it away. */
app.strip = (key, ...content) => {
    const old = frame.strip.querySelector(`[data-key="${key}"]`);
    if (content[0] === null) { old?.remove(); return; }
    const line = el("div", { class: `strip ${key}`, "data-key": key }, ...content);
    if (old) old.replaceWith(line); else frame.strip.append(line);
};

// --- Another session ------------------------------------------------------------------------------------------------

/**
 * Goes to the page of another session. The document stays, and with it what is kept in its memory alone: credentials, and text that
 * is not added yet. `by` is `pushState`, `replaceState`, or nothing if the address is there already.
 */
function change(of, fragment, by = "pushState") {
    if (by) history[by](null, "", pageAddress(of, fragment));
    leave();
    clearTimeout(feed.stripTimer);
    feed.controller?.abort();
    Object.assign(feed, newFeed());
    enter(of);
    rows.clear();
    for (const view of VIEWS) view.forget?.();
    for (const badge of frame.badges.values()) badge.textContent = "";
    replace(frame.strip);
    lastStatus = null;
    spokenAt = spokenCount = spokenUnmatched = 0;
    delete app.only;
    delete frame.chooser.dataset.key;
    tell("entered", of);
    begin();
}

function leave() {
    try { current?.shown.unmount?.(); } catch (error) { console.error(error); }
    current = null;
}

/** Links to pages of other sessions change the page in place. */
function followLink(e) {
    const link = e.target.closest?.("a[href]");
    if (!link || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    const url = new URL(link.href);
    const of = url.origin === location.origin ? sessionOf(url.pathname) : undefined;
    if (of === undefined || of === session) return;
    e.preventDefault();
    change(of, url.hash || "#/requests");
}

/** What is shown while nobody is signed in. */
let isSignedOut = false;
function signedOut() {
    isSignedOut = true;
    leave();
    setState("signed out");
    replace(frame.main, el("div", { class: "view" }, el("h1", {}, "Not signed in"),
        el("p", {}, "The daemon shows and does nothing here without credentials."),
        el("button", { type: "button", class: "primary", on: { click: async () => {
            askAgain();
            try { await poll(); } catch (error) { app.failed(error); return; }
            isSignedOut = false;
            begin();
        } } }, "Sign in")));
    if (settings.speech === "on") speak("Not signed in", true);
}

// --- Routing --------------------------------------------------------------------------------------------------------

function parse(hash) {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const parts = path.split("/").filter(Boolean).map((part) => {
        try { return decodeURIComponent(part); } catch { return part; }
    });
    return { path: parts.length ? parts : ["requests"], query: new URLSearchParams(query) };
}

function show() {
    if (isSignedOut) return;
    const place = parse(location.hash);
    let view = VIEWS.find((v) => v.name === place.path[0]);
    if (!view) {
        view = VIEWS.find((v) => v.name.startsWith(place.path[0].slice(0, 3))) ?? VIEWS[0];
        app.notice(`There is no view ${place.path[0]}; this is ${view.title}`, "warn");
        history.replaceState(null, "", `#/${view.name}`);
        place.path = [view.name];
        place.query = new URLSearchParams();
    }
    if (current?.view === view) {
        current.shown.update?.(place);
    } else {
        leave();
        openMenu?.close(false);
        for (const line of frame.notices.querySelectorAll(".error")) line.remove();
        const root = el("div", { class: `view view-${view.name}` });
        replace(frame.main, root);
        current = { view, shown: {} };
        try { current.shown = view.mount(root, place, app) ?? {}; } catch (error) {
            console.error(error);
            replace(root, el("h1", {}, view.title), el("p", {}, `This view cannot be shown: ${error.message}`));
        }
        for (const [name, link] of frame.links) {
            if (name === view.name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
        }
        frame.more.classList.toggle("current", !BAR.includes(view.name));
        title();
    }
}

function title() {
    const unmatched = rows.unmatched;
    document.title = `${unmatched ? `(${unmatched} unmatched) ` : ""}${current?.view.title ?? ""} · Stunt Double`;
}

// --- The stream -----------------------------------------------------------------------------------------------------

// Above so many a second the daemon leaves ordinary rows out.
const FLOOD = 2000, BRIEF = 500;

const newFeed = () => ({ controller: null, lastId: null, run: null, isBrief: false, calm: 0, state: "starting", wait: 500, lostAt: 0, isLoaded: false });
const feed = newFeed();

async function follow() {
    if (feed.controller || document.hidden) return;
    const controller = feed.controller = new AbortController();
    try {
        while (!controller.signal.aborted) {
            const path = `events?view=row&sessions=all${feed.isBrief ? `&rate=${BRIEF}` : ""}`;
            try {
                await stream(path, received, {
                    signal: controller.signal, headers: feed.lastId ? { "Last-Event-ID": feed.lastId } : {},
                    onOpen: opened, onBatch: () => rows.changed(),
                });
                if (session && await isOver() || controller.signal.aborted) return;
            } catch (error) {
                if (error.name === "AbortError" || controller.signal.aborted || error.status === 401) return;
                if (session && (error.status === 410 || error.status === 404)) { over(error); return; }
                if (!(error instanceof CallError)) console.error(error);
            }
            lost();
            await new Promise((resolve) => setTimeout(resolve, feed.wait));
            feed.wait = Math.min(feed.wait * 2, 10_000);
        }
    } finally {
        if (feed.controller === controller) feed.controller = null;
    }
}

async function isOver() {
    const of = session;
    try { await call("GET", "health"); return false; } catch (error) {
        if (of === session && (error.status === 410 || error.status === 404)) { over(error); return true; }
        return false;
    }
}
async function over(error) {
    const of = session;
    if (!feed.isLoaded) {
        // Nothing of it was read: its report is all that is left.
        app.notice(error.status === 410 ? "This session has ended: here is its report" : "This daemon has no such session", "warn");
        change(null, `#/sessions/${encodeURIComponent(of)}`, "replaceState");
        return;
    }
    setState("ended");
    const show = (verdict) => of === session && app.strip("ended",
        error.status === 410 ? "This session has ended. What it received stays here until you leave." : "This daemon has no such session: it has ended, or the daemon was started again.",
        verdict && el("strong", { class: verdict === "failed" ? "error" : "ok" }, shown(verdict, 40)),
        el("a", { href: pageAddress(null, `#/sessions/${encodeURIComponent(of)}`) }, "Its report"), el("a", { href: pageAddress(null, "#/requests") }, "All sessions"));
    show();
    try {
        const ended = (await call("GET", "sessions?ended=true", { session: null })).data.ended;
        show(ended?.find((s) => s.id === of)?.verdict);
    } catch { /* without a verdict, then */ }
}

async function opened() {
    clearTimeout(feed.stripTimer);
    if (feed.lostAt && feed.state !== "live") app.say("Connected again");
    feed.lostAt = 0;
    feed.wait = 500;
    setState("live");
    app.strip("lost", null);
    if (!feed.isLoaded) {
        feed.isLoaded = true;
        await loadList();
    }
    poll().catch(() => {});
}

function lost() {
    if (feed.lostAt) return;
    feed.lostAt = Date.now();
    feed.stripTimer = setTimeout(() => {
        setState("reconnecting");
        app.strip("lost", `The daemon does not answer since ${formatTime(feed.lostAt).slice(0, 8)}; trying again. What is listed stays usable.`);
        if (settings.speech === "on") speak("The daemon is gone", true);
    }, 2000);
}

function setState(word) {
    feed.state = word;
    if (frame.state.textContent !== word) frame.state.textContent = word;
    frame.state.className = `state ${word.split(" ")[0]}`;
    tell("state", word);
}

function received(event) {
    if (event.type === "gap" && event.data.reason === "another run") {
        restarted();
        feed.run = null;
        if (event.id) { feed.run = event.id.split(".")[0]; feed.lastId = event.id; }
        tell(event.type, event.data);
        return;
    }
    if (event.id) {
        const run = event.id.split(".")[0];
        if (feed.run && run !== feed.run) restarted();
        feed.run = run;
        feed.lastId = event.id;
    }
    if (event.data === null) return;
    switch (event.type) {
    case "request": rows.request(event.data); break;
    case "response": rows.response(event.data); break;
    case "reset": if (event.data.what !== "scenarios") rows.emptied(event.data); break;
    case "gap": rows.gap(event.data); break;
    case "dropped": rows.dropped(event.data); break;
    case "session": rows.session(event.data); sessionsChanged(); break;
    default: break;
    }
    tell(event.type, event.data);
}

function restarted() {
    // The stream may tell it twice: by its first position, and by a gap.
    if (feed.restartedAt && Date.now() - feed.restartedAt < 3000) return;
    feed.restartedAt = Date.now();
    rows.restarted(Date.now());
    app.notice(`The daemon was started again at ${formatTime(Date.now()).slice(0, 8)}`, "warn");
    tell("restart", null);
    poll().catch(() => {});
}

/** The newest requests of before the stream was opened. */
async function loadList() {
    const of = session;
    const all = of ? "" : "&sessions=all";
    try {
        const answer = await call("GET", `requests?view=row&limit=1000${all}`);
        if (of !== session) return;
        rows.older(answer.data.requests);
        if (!answer.data.meta?.complete) {
            // Of what came before, what went wrong or goes on.
            const rest = await call("GET", `requests?view=row&limit=500&q=${encodeURIComponent("is:unmatched|failed|fault|open")}${all}`);
            if (of !== session) return;
            rows.older(rest.data.requests);
        }
    } catch (error) {
        // The list begins with what comes, then.
        if (!(error instanceof CallError)) console.error(error);
    }
    tell("loaded", null);
}

let hideTimer = null;
function visibilityChanged() {
    clearTimeout(hideTimer);
    if (document.hidden) {
        // Browsers allow six connections to an origin over HTTP/1.1: hidden tabs give theirs back.
        hideTimer = setTimeout(() => { feed.controller?.abort(); feed.controller = null; feed.hiddenAt = Date.now(); }, 5000);
    } else {
        follow();
    }
}

// --- Status and figures ---------------------------------------------------------------------------------------------

async function poll() {
    const of = session;
    const status = (await call("GET", "status")).data;
    if (of !== session) return;
    lastStatus = status;
    const url = ownURL(status);
    if (frame.addressText.textContent !== url) frame.addressText.textContent = url;
    app.count("stubs", status.stubs);
    if (!session) app.count("sessions", status.sessions);
    app.count("record", status.recording?.status === "Recording" ? 1 : 0, "warn");
    tell("status", status);
}
/** The address that clients use: the page's own where the daemon listens at one that is no address, such as 0.0.0.0. */
function ownURL(status, of = session) {
    const urls = (status?.urls ?? []).filter((u) => /^https?:/.test(u));
    const url = urls.find((u) => u === location.origin) ?? urls[0] ?? location.origin;
    const host = /\/\/(0\.0\.0\.0|\[::\]|\*)/.test(url) ? location.origin : url;
    return sessionList.find((s) => s.id === of)?.url ?? (of ? `${host}/__session/${of}` : host);
}
/** The address that clients of a session use (`null`: of the daemon's own). */
app.url = (of = session) => ownURL(lastStatus, of);

async function sessionsChanged() {
    clearTimeout(sessionsChanged.timer);
    sessionsChanged.timer = setTimeout(readSessions, 200);
}
async function readSessions() {
    try {
        sessionList = (await call("GET", "sessions", { session: null })).data.sessions;
    } catch { return; }
    app.sessions = sessionList;
    showSessions();
    tell("sessions", sessionList);
}

/** In a flood asks for fewer ordinary rows, and afterwards for all again. */
function pace() {
    const wants = feed.isBrief ? rows.rate > FLOOD / 2 : rows.rate > FLOOD;
    if (wants === feed.isBrief) return;
    if (!wants && ++feed.calm < 5) return;
    feed.calm = 0;
    feed.isBrief = wants;
    feed.controller?.abort();
    feed.controller = null;
    follow();
}

let spokenAt = 0, spokenCount = 0, spokenUnmatched = 0;
function figures() {
    const isOwn = app.only === "own";
    rows.tick(isOwn);
    pace();
    const rate = rows.rate;
    frame.rate.textContent = rate >= 0.5 ? `${formatCount(Math.round(rate))}/s${rows.skippedRate >= 1 ? `, 1 in ${Math.max(2, Math.round(rate / Math.max(1, rate - rows.skippedRate)))} shown` : ""}` : "";
    frame.p95.textContent = rows.p95 === null ? "" : `p95 ${formatDuration(rows.p95)}`;
    const tally = (node, n, word) => {
        node.hidden = !n;
        if (n) node.textContent = `${formatCount(n)} ${word}`;
    };
    const unmatched = isOwn ? rows.unmatchedOwn : rows.unmatched;
    tally(frame.unmatched, unmatched, "unmatched");
    tally(frame.held, rows.held, "held");
    app.count("requests", unmatched, "unmatched");
    app.count("live", rows.held, "warn");
    title();
    // At most one sentence in five seconds.
    if (rows.received > spokenCount && Date.now() - spokenAt > 5000) {
        const fresh = rows.received - spokenCount, unmatched = rows.receivedUnmatched - spokenUnmatched;
        if (spokenAt) app.say(`${counted(fresh, "new request")}${unmatched ? `, ${formatCount(unmatched)} unmatched` : ""}`);
        spokenAt = Date.now(); spokenCount = rows.received; spokenUnmatched = rows.receivedUnmatched;
    }
}

// --- Start ----------------------------------------------------------------------------------------------------------

/** Shows what the address names, and follows its events. */
function begin() {
    show();
    showSessions();
    setState("starting");
    follow();
    poll().catch(() => {});
    readSessions();
}

readSettings();
onSignIn(askForCredentials, signedOut);
build();
bindKeys("Everywhere", [
    { keys: ["?"], text: "This help", run: help },
    ...VIEWS.map((view) => ({ keys: [`g ${GO_KEYS[view.name] ?? view.key}`], text: view.title, run: () => app.go(`#/${view.name}`) })),
]);
document.addEventListener("keydown", pressed);
window.addEventListener("hashchange", () => { openMenu?.close(false); show(); });
document.addEventListener("click", followLink);
window.addEventListener("popstate", () => {
    const of = sessionOf(location.pathname);
    if (of !== undefined && of !== session) change(of, location.hash, null);
});
window.addEventListener("beforeunload", (e) => { if (hasDrafts()) e.preventDefault(); });
document.addEventListener("visibilitychange", visibilityChanged);
if (!location.hash || location.hash === "#") history.replaceState(null, "", "#/requests");
begin();
every(2000, poll);
every(5000, readSessions);
every(1000, figures);
watchFaults(app);
watchCounts(app);
for (const type of ["stub", "reload", "recording"]) on(type, () => { clearTimeout(poll.timer); poll.timer = setTimeout(() => poll().catch(() => {}), 150); });
