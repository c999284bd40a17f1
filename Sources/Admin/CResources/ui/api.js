// Calls of the admin API and its stream of events. Addresses are relative to that of the page.

import { readJSON } from "./json.js";

const PLACE = /^(.*?)(?:\/__session\/([^/]+))?\/__admin\/ui\/?(?:index\.html)?$/;
const prefix = PLACE.exec(location.pathname)?.[1] ?? "";

/** The session that the path of a page names; null for the daemon's own, undefined if it is no path of this page. */
export function sessionOf(path) {
    const found = PLACE.exec(path);
    return found?.[1] !== prefix ? undefined : found[2] ? decodeURIComponent(found[2]) : null;
}

/** The session that the page's address names; null for the daemon's own. Changes with `enter`. */
export let session = sessionOf(location.pathname) ?? null;

/** Makes all that follows act on a session. */
export function enter(of) {
    session = of;
}

// In a variable only: stubs share the daemon's origin, so a page of theirs can read whatever a page stores.
let authorization = null;
let signIn = async () => null;
let declined = () => {};
let signingIn = null;
let isDeclined = false;

/** Who asks for credentials: a function that resolves to the value of `Authorization`, or null; and whom to tell of the latter. */
export function onSignIn(ask, decline) {
    signIn = ask;
    declined = decline;
}

/** Asks for credentials again, after somebody has declined to give any. */
export function askAgain() {
    isDeclined = false;
}

/** The address of a call in this page's session, or in another (`null`: the daemon's own). */
export function address(path, of = session) {
    const base = of ? `/__session/${encodeURIComponent(of)}` : "";
    return `${prefix}${base}/__admin/${path}`;
}

/** The address of this page for a session (`null`: the daemon's own). */
export function pageAddress(of, fragment = "") {
    return address("ui/", of) + fragment;
}

/** What a call answered that did not succeed. `problems` are `{title, detail, pointer}`; a status of 0 is no answer. */
export class CallError extends Error {
    constructor(status, problems) {
        super(problems.map((p) => [p.title, p.detail].filter(Boolean).join(": ")).join("\n") || `status ${status}`);
        this.status = status;
        this.problems = problems;
    }
}

async function send(method, url, { json, yaml, text, type, accept, signal, headers } = {}) {
    const head = new Headers(headers);
    let body;
    if (json !== undefined) {
        body = typeof json === "string" ? json : JSON.stringify(json);
        head.set("Content-Type", "application/json");
    } else if (yaml !== undefined) {
        body = yaml;
        head.set("Content-Type", "application/yaml");
    } else if (text !== undefined) {
        body = text;
        head.set("Content-Type", type ?? "text/plain");
    }
    if (accept) head.set("Accept", accept);
    for (;;) {
        if (authorization) head.set("Authorization", authorization);
        // Without cookies: one that names a session must not decide where a call goes.
        const answer = await fetch(url, {
            method, headers: head, body, signal, cache: "no-store", credentials: "omit", redirect: "follow",
        });
        if (answer.status !== 401) return answer;
        const used = head.get("Authorization");
        if (authorization && authorization !== used) continue;
        if (isDeclined) return answer;
        signingIn ??= signIn(used !== null).finally(() => { signingIn = null; });
        const value = await signingIn;
        if (!value) {
            if (!isDeclined) { isDeclined = true; declined(); }
            return answer;
        }
        authorization = value;
    }
}

/**
 * One call: `{status, headers, data, text}`, where `data` is the parsed JSON, or undefined.
 * Options: `json` (value or text), `yaml`, `text` with `type`, `accept`, `signal`, `session`, `headers`.
 * @throws {CallError}
 */
export async function call(method, path, options = {}) {
    let answer, text;
    try {
        answer = await send(method, address(path, "session" in options ? options.session : session), options);
        text = await answer.text();
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new CallError(0, [{ title: "The daemon does not answer", detail: "" }]);
    }
    let data;
    if (/json/.test(answer.headers.get("Content-Type") ?? "") && text) {
        try { data = JSON.parse(text); } catch { data = undefined; }
    }
    if (answer.ok) return { status: answer.status, headers: answer.headers, data, text };
    const problems = (data?.errors ?? []).map((e) => ({
        title: e.title ?? "", detail: e.detail ?? "", pointer: e.source?.pointer ?? "",
    }));
    throw new CallError(answer.status, problems.length ? problems : [{ title: text.slice(0, 500) || `Status ${answer.status}`, detail: "" }]);
}

/** The nodes of an answer, numbers and repeated keys as sent. */
export async function callNodes(method, path, options = {}) {
    const answer = await call(method, path, options);
    return { ...answer, nodes: readJSON(answer.text) };
}

/**
 * Reads server-sent events until the stream ends: `onEvent({type, id, data})` with parsed data, `onBatch()` after each piece
 * that was read. Resolves when the daemon has ended it.
 * @throws {CallError} also if the connection was lost (status 0)
 */
export async function stream(path, onEvent, { signal, onOpen, onBatch, ...options } = {}) {
    let answer;
    try {
        answer = await send("GET", address(path, "session" in options ? options.session : session),
            { accept: "text/event-stream", signal, headers: options.headers });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new CallError(0, [{ title: "The daemon does not answer", detail: "" }]);
    }
    if (!answer.ok) {
        const text = await answer.text().catch(() => "");
        let problems = [];
        try { problems = JSON.parse(text).errors ?? []; } catch { /* not JSON */ }
        throw new CallError(answer.status, problems.length ? problems : [{ title: text.slice(0, 500), detail: "" }]);
    }
    onOpen?.();
    const parser = eventParser(onEvent);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            parser(value);
            onBatch?.();
        }
    } catch (error) {
        if (error.name === "AbortError" || signal?.aborted) throw error;
        throw new CallError(0, [{ title: "The stream was lost", detail: "" }]);
    }
}

/** A function that takes pieces of an event stream and hands on events with parsed data. */
export function eventParser(onEvent) {
    let rest = "";
    let type = "", id = "", data = "", hasId = false;
    return (piece) => {
        const lines = (rest + piece).split("\n");
        rest = lines.pop();
        for (let line of lines) {
            if (line.endsWith("\r")) line = line.slice(0, -1);
            if (line === "") {
                if (data) {
                    let value;
                    try { value = JSON.parse(data); } catch { value = undefined; }
                    if (value !== undefined) onEvent({ type: type || "message", id, data: value });
                } else if (hasId) {
                    // A place to go on from, without an event.
                    onEvent({ type: "", id, data: null });
                }
                type = ""; data = ""; hasId = false;
            } else if (line.startsWith("data:")) {
                data += (data && "\n") + line.slice(line[5] === " " ? 6 : 5);
            } else if (line.startsWith("event:")) {
                type = line.slice(6).trim();
            } else if (line.startsWith("id:")) {
                id = line.slice(3).trim();
                hasId = true;
            }
        }
    };
}
