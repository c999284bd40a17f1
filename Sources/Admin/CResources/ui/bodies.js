// Bodies of requests and responses: as a tree, laid out, raw, in bytes; forms, parts, events and pictures as what they are.

import { el, replace, shown, shownLines, formatSize, formatCount, counted } from "./dom.js";
import { readJSON, formatJSON, scalarText, childCount } from "./json.js";
import { isSecretName, maskBody, MASK } from "./copy.js";

const FIRST = 256 * 1024;
const STEP = 100;
const MAX_PICTURE = 5 * 1024 * 1024;
const MAX_PIXELS = 40_000_000;

/** The bytes of Base64; empty if it is none. */
export function bytesOf(base64) {
    try { return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)); } catch { return new Uint8Array(); }
}

/** The text of some bytes by the charset of their type, or null if they are none. */
export function textOf(bytes, type = "") {
    const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
    try { return new TextDecoder(charset, { fatal: true }).decode(bytes); } catch { /* another one, then */ }
    return null;
}

/** The kind of picture by its first bytes: `[type, width, height]`; null of others. Sizes of 0 are unknown. */
export function pictureOf(b) {
    const view = new DataView(b.buffer, b.byteOffset, b.byteLength);
    const is = (at, text) => [...text].every((c, i) => b[at + i] === c.charCodeAt(0));
    try {
        if (b.length > 24 && b[0] === 0x89 && is(1, "PNG\r\n")) return ["image/png", view.getUint32(16), view.getUint32(20)];
        if (b.length > 10 && (is(0, "GIF87a") || is(0, "GIF89a"))) return ["image/gif", view.getUint16(6, true), view.getUint16(8, true)];
        if (b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff) {
            for (let at = 2; at + 9 < b.length;) {
                if (b[at] !== 0xff) break;
                const marker = b[at + 1];
                if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return ["image/jpeg", view.getUint16(at + 7), view.getUint16(at + 5)];
                at += 2 + view.getUint16(at + 2);
            }
            return ["image/jpeg", 0, 0];
        }
        if (is(0, "RIFF") && is(8, "WEBP")) {
            if (is(12, "VP8X")) return ["image/webp", 1 + (b[24] | b[25] << 8 | b[26] << 16), 1 + (b[27] | b[28] << 8 | b[29] << 16)];
            if (is(12, "VP8L")) { const n = view.getUint32(21, true); return ["image/webp", 1 + (n & 0x3fff), 1 + (n >> 14 & 0x3fff)]; }
            if (is(12, "VP8 ")) return ["image/webp", view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
        }
        if (is(4, "ftyp") && (is(8, "avif") || is(8, "avis"))) {
            for (let at = 12; at + 16 < Math.min(b.length, 4096); at++) if (is(at, "ispe")) return ["image/avif", view.getUint32(at + 8), view.getUint32(at + 12)];
            return ["image/avif", 0, 0];
        }
    } catch { /* cut short */ }
    return null;
}

/** The parts of a multipart body: `[{headers: [[name, value]], bytes}]`; null if the type names no boundary. */
export function partsOf(bytes, type) {
    const boundary = /boundary="([^"]+)"|boundary=([^;\s]+)/i.exec(type ?? "");
    if (!boundary) return null;
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    const line = "--" + (boundary[1] ?? boundary[2]);
    const parts = [];
    let at = text.startsWith(line) ? 0 : text.indexOf("\r\n" + line) + 2;
    if (at < 2 && !text.startsWith(line)) return null;
    while (parts.length < 200) {
        at += line.length;
        if (text.startsWith("--", at)) break;
        const start = text.indexOf("\r\n", at) + 2;
        if (start < 2) break;
        let end = text.indexOf("\r\n" + line, start - 2);
        const isLast = end < 0;
        if (isLast) end = text.length;
        const blank = text.startsWith("\r\n", start) ? start - 2 : text.indexOf("\r\n\r\n", start);
        const headEnd = blank < 0 || blank > end ? end : blank;
        const utf8 = new TextDecoder();
        const headers = utf8.decode(bytes.subarray(start, Math.max(start, headEnd))).split("\r\n").filter(Boolean).map((l) => {
            const colon = l.indexOf(":");
            return colon < 0 ? [l, ""] : [l.slice(0, colon), l.slice(colon + 1).trim()];
        });
        parts.push({ headers, bytes: bytes.subarray(Math.min(headEnd + 4, end), end) });
        if (isLast) break;
        at = end + 2;
    }
    return parts;
}

/** The events of an event stream: `[{event, id, data, comment}]`. */
export function eventsOf(text) {
    const list = [];
    for (const block of text.replace(/\r\n?/g, "\n").split("\n\n")) {
        const event = { event: "", id: "", data: null, comment: "" };
        for (const line of block.split("\n")) {
            const m = /^([^:]*)(?:: ?(.*))?$/.exec(line);
            if (!m || line === "") continue;
            if (m[1] === "") event.comment += (event.comment && "\n") + (m[2] ?? "");
            else if (m[1] === "data") event.data = (event.data === null ? "" : event.data + "\n") + (m[2] ?? "");
            else if (m[1] === "event" || m[1] === "id") event[m[1]] = m[2] ?? "";
        }
        if (event.data !== null || event.comment || event.event || event.id) list.push(event);
    }
    return list;
}

/** XML with a line for each element, if it is well formed as far as that needs; else null. */
export function layOutXML(text) {
    const out = [];
    let depth = 0, at = 0;
    const push = (line) => out.push("  ".repeat(Math.min(depth, 60)) + line);
    while (at < text.length) {
        const open = text.indexOf("<", at);
        const words = text.slice(at, open < 0 ? text.length : open).trim();
        if (words) push(words);
        if (open < 0) break;
        const special = [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<?", "?>"], ["<!", ">"]].find(([begin]) => text.startsWith(begin, open));
        if (special) {
            const end = text.indexOf(special[1], open);
            if (end < 0) return null;
            push(text.slice(open, end + special[1].length));
            at = end + special[1].length;
            continue;
        }
        let end = open + 1, quote = "";
        while (end < text.length && (quote || text[end] !== ">")) {
            if (quote) { if (text[end] === quote) quote = ""; } else if (text[end] === '"' || text[end] === "'") quote = text[end];
            end++;
        }
        if (end >= text.length) return null;
        const tag = text.slice(open, end + 1);
        at = end + 1;
        if (tag.startsWith("</")) {
            depth--;
            if (depth < 0) return null;
            push(tag);
        } else if (tag.endsWith("/>")) push(tag);
        else {
            // An element with text alone stays on its line.
            const name = /^<([^\s/>]+)/.exec(tag)?.[1];
            const close = `</${name}>`;
            const next = text.indexOf("<", at);
            if (name && next >= 0 && text.startsWith(close, next)) {
                push(tag + text.slice(at, next).trim() + close);
                at = next + close.length;
            } else { push(tag); depth++; }
        }
    }
    return depth === 0 && out.length ? out.join("\n") : null;
}

/** Bytes in lines of sixteen: offset, hexadecimal, letters. */
export function hexLines(bytes, from, to) {
    const lines = [];
    for (let at = from; at < Math.min(to, bytes.length); at += 16) {
        const part = [...bytes.subarray(at, at + 16)];
        const hex = part.map((b) => b.toString(16).padStart(2, "0"));
        lines.push(`${at.toString(16).padStart(8, "0")}  ${hex.slice(0, 8).join(" ").padEnd(23)}  ${hex.slice(8).join(" ").padEnd(23)}  ${part.map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : ".")).join("")}`);
    }
    return lines.join("\n");
}

// --- Views ----------------------------------------------------------------------------------------------------------

// Text of any length, the beginning first. Kept in an element that wraps.
function textView(text) {
    const box = el("div", { class: "body-text", dir: "ltr" });
    let at = 0;
    const more = el("button", { type: "button" });
    const add = () => {
        let end = Math.min(text.length, at + FIRST);
        const line = text.indexOf("\n", end);
        if (end < text.length && line > 0 && line - end < 4096) end = line + 1;
        box.append(el("pre", { class: "code" }, shownLines(text.slice(at, end))));
        at = end;
        more.remove();
        if (at < text.length) { more.textContent = `Show more (${formatSize(text.length - at)} left)`; box.append(more); }
    };
    more.addEventListener("click", add);
    add();
    return box;
}

function bytesView(bytes) {
    const box = el("div", { class: "body-text" });
    let at = 0;
    const more = el("button", { type: "button" });
    const add = () => {
        const end = at + 16 * 1024;
        box.append(el("pre", { class: "code hex" }, hexLines(bytes, at, end)));
        at = end;
        more.remove();
        if (at < bytes.length) { more.textContent = `Show more (${formatSize(bytes.length - at)} left)`; box.append(more); }
    };
    more.addEventListener("click", add);
    add();
    return box;
}

function scalarNode(node, key, masks) {
    if (masks && key !== null && isSecretName(key)) return el("span", { class: "j-string" }, MASK);
    const kind = node.type === "literal" ? (node.value === null ? "null" : "boolean") : node.type;
    const text = scalarText(node);
    const span = el("bdi", { class: `j-${kind}` }, shown(text, 2000));
    if (text.length <= 2000) return span;
    const all = el("button", { type: "button", class: "link", on: { click: () => { span.textContent = shown(text, Infinity); all.remove(); } } }, `all ${formatSize(text.length)}`);
    return [span, " ", all];
}

/** A tree of JSON that makes its branches when they are opened. */
export function jsonTree(root, masks = false) {
    const branch = (node, key, isOpen) => {
        const name = key === null ? null : el("bdi", { class: typeof key === "number" ? "j-index" : "j-key" }, typeof key === "number" ? String(key) : shown(JSON.stringify(key), 300));
        const count = childCount(node);
        if (count === null || count === 0) {
            return el("div", { class: "j-leaf" }, name, name && ": ", count === 0 ? (node.entries ? "{}" : "[]") : scalarNode(node, typeof key === "string" ? key : null, masks));
        }
        if (masks && typeof key === "string" && isSecretName(key)) return el("div", { class: "j-leaf" }, name, ": ", MASK);
        const children = el("div", { class: "j-children" });
        const summary = el("summary", {}, name, name && ": ", el("span", { class: "muted" }, node.entries ? `{ ${counted(count, "member")} }` : `[ ${counted(count, "item")} ]`));
        const details = el("details", {}, summary, children);
        let at = 0;
        const add = () => {
            const list = node.entries ?? node.items;
            const end = Math.min(count, at + STEP);
            for (; at < end; at++) children.append(node.entries ? branch(list[at][1], list[at][0], false) : branch(list[at], at, false));
            if (at < count) {
                const more = el("button", { type: "button", class: "link", on: { click: () => { more.remove(); add(); } } }, `Show more (${formatCount(count - at)} left)`);
                children.append(more);
            }
        };
        details.addEventListener("toggle", () => { if (details.open && at === 0) add(); });
        if (isOpen) { add(); details.open = true; }
        return details;
    };
    const tree = branch(root, null, true);
    // Short documents stand open.
    if ((childCount(root) ?? 0) <= 20) for (const child of [...tree.querySelectorAll(":scope > .j-children > details")].slice(0, 20)) { if (child.textContent.length < 400) child.open = true; }
    return el("div", { class: "tree" }, tree);
}

function tableView(rows, head) {
    return el("table", { class: "list wide" }, el("thead", {}, el("tr", {}, head.map((h) => el("th", { scope: "col" }, h)))),
        el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell) => el("td", { class: "wrap" }, cell instanceof Node ? cell : el("bdi", {}, shown(cell, 5000))))))));
}

function pictureView(bytes, picture, onRelease) {
    const [type, width, height] = picture;
    const box = el("div", { class: "picture" });
    if (bytes.length > MAX_PICTURE) return replace(box, el("p", {}, `A picture of ${formatSize(bytes.length)}: more than is shown here (${formatSize(MAX_PICTURE)}).`));
    if (!width || !height || width * height > MAX_PIXELS) return replace(box, el("p", {}, width ? `A picture of ${width} × ${height}: more than is shown here.` : "A picture whose size cannot be read."));
    const address = URL.createObjectURL(new Blob([bytes], { type }));
    onRelease(() => URL.revokeObjectURL(address));
    return replace(box, el("img", { src: address, alt: `The body as a picture, ${width} × ${height}` }), el("p", { class: "muted" }, `${type}, ${width} × ${height}, by its first bytes`));
}

// An image of SVG runs no scripts and loads nothing; a canvas keeps it from being more than pixels.
function drawingView(bytes, onRelease) {
    const box = el("div", { class: "picture" });
    const button = el("button", { type: "button", on: { click: () => {
        const address = URL.createObjectURL(new Blob([bytes], { type: "image/svg+xml" }));
        onRelease(() => URL.revokeObjectURL(address));
        const image = new Image();
        image.onload = () => {
            const w = Math.min(1200, image.naturalWidth || 300), h = Math.min(1200, image.naturalHeight || 150);
            const canvas = el("canvas", { width: w, height: h, role: "img", "aria-label": "The body, drawn" });
            canvas.getContext("2d").drawImage(image, 0, 0, w, h);
            replace(box, canvas);
        };
        image.onerror = () => replace(box, el("p", {}, "This cannot be drawn."));
        image.src = address;
    } } }, "Draw it");
    return replace(box, button, " ", el("span", { class: "muted" }, "as pixels; scripts in it do not run"));
}

/**
 * A body as an element. `{base64, text, type, coding, truncatedFrom, isStream, masks}`; `onRelease(fn)` is told what to undo when it
 * is no longer shown. Null if there is no body.
 */
export function bodyView({ base64, text: plain, type = "", coding, truncatedFrom, masks = false, depth = 0 }, onRelease) {
    let bytes = base64 ? bytesOf(base64) : new TextEncoder().encode(plain ?? "");
    if (base64 instanceof Uint8Array) bytes = base64;
    if (!bytes.length) return null;
    let text = textOf(bytes, type);
    if (text !== null && masks) {
        const hidden = maskBody(text);
        if (hidden !== text) bytes = new TextEncoder().encode(hidden);
        text = hidden;
    }
    const modes = [];
    const picture = pictureOf(bytes);
    if (picture) modes.push(["Picture", () => pictureView(bytes, picture, onRelease)]);
    let json = null, problem = null;
    if (text !== null && /^\s*[[{"\d\-tfn]/.test(text) && (/json/i.test(type) || /^\s*[[{]/.test(text))) {
        try { json = readJSON(text); } catch (error) { if (/json/i.test(type)) problem = `Not JSON: ${error.message} at offset ${formatCount(error.offset ?? 0)}`; }
    }
    if (json) {
        if (childCount(json) !== null) modes.push(["Tree", () => jsonTree(json, masks)]);
        modes.push(["Laid out", () => textView(formatJSON(json))]);
    }
    if (text !== null && /x-www-form-urlencoded/i.test(type) && !json && /^[^\s]*$/.test(text.trim())) {
        const pairs = [...new URLSearchParams(text)];
        modes.unshift(["Form", () => tableView(pairs.map(([n, v]) => [n, masks && isSecretName(n) ? MASK : v]), ["Name", "Value"])]);
    }
    const parts = /^multipart\//i.test(type) && depth < 3 ? partsOf(bytes, type) : null;
    if (parts?.length) {
        modes.unshift(["Parts", () => el("div", {}, parts.map((part) => {
            const partType = part.headers.find(([n]) => n.toLowerCase() === "content-type")?.[1] ?? "";
            const name = /(?:^|;)\s*name="?([^";]*)/i.exec(part.headers.find(([n]) => n.toLowerCase() === "content-disposition")?.[1] ?? "")?.[1];
            return el("section", { class: "body-part" }, el("h3", {}, name ? shown(name, 200) : "Part", " ", el("span", { class: "muted small" }, formatSize(part.bytes.length))),
                tableView(part.headers, ["Header", "Value"]),
                masks && name && isSecretName(name) ? el("p", {}, MASK) : bodyView({ base64: part.bytes, type: partType, masks, depth: depth + 1 }, onRelease) ?? el("p", { class: "muted" }, "Empty"));
        }))]);
    }
    if (text !== null && /event-stream/i.test(type)) {
        const events = eventsOf(text);
        modes.unshift([`Events (${formatCount(events.length)})`, () => growing(events, (list, offset) => tableView(list.map((e, i) => [String(offset + i + 1), e.event || (e.comment ? "comment" : "message"), e.id, e.data ?? e.comment]), ["", "Event", "Id", "Data"]))]);
    }
    const isMarkup = text !== null && !json && /^\s*</.test(text);
    if (isMarkup && (/xml/i.test(type) || /^\s*<\?xml/.test(text)) ) {
        const laid = layOutXML(text);
        if (laid) modes.push(["Laid out", () => textView(laid)]);
    }
    if (isMarkup && /<svg[\s>]/.test(text.slice(0, 2000))) modes.push(["Drawing", () => drawingView(bytes, onRelease)]);
    if (text !== null) modes.push(["Raw", () => textView(text)]);
    modes.push(["Bytes", () => bytesView(bytes)]);

    const content = el("div", { class: "body-content" });
    const buttons = modes.map(([name, make]) => el("button", { type: "button", "aria-pressed": "false", on: { click: () => show(name, make) } }, name));
    function show(name, make) {
        buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(modes[i][0] === name)));
        replace(content, make());
    }
    const find = text !== null && text.length > 400 ? el("input", { type: "search", class: "find", placeholder: "Find in this body", "aria-label": "Find in this body" }) : null;
    const found = el("div", { class: "found", hidden: true, role: "region", "aria-label": "Found lines", tabindex: 0 });
    let findTimer = null;
    find?.addEventListener("input", () => { clearTimeout(findTimer); findTimer = setTimeout(() => showFound(found, json ? formatJSON(json) : text, find.value), 120); });
    find?.addEventListener("keydown", (e) => { if (e.key === "Escape" && find.value) { e.stopPropagation(); find.value = ""; found.hidden = true; } });
    const save = el("button", { type: "button", class: "plain", on: { click: () => download(bytes) } }, "Download");
    show(...modes[0]);
    const notes = [
        coding && !/^identity$/i.test(coding) && el("p", { class: "muted small" }, `Sent with Content-Encoding ${shown(coding, 60)}; shown without it.`),
        truncatedFrom && el("p", { class: "warn" }, `Only the first ${formatSize(bytes.length)} of ${formatSize(truncatedFrom)} were kept.`),
        problem && el("p", { class: "warn" }, problem),
    ];
    return el("div", { class: "body-view" },
        el("div", { class: "toolbar body-tools" }, modes.length > 1 && el("span", { class: "modes", role: "group", "aria-label": "Show the body as" }, buttons),
            el("span", { class: "muted number" }, formatSize(bytes.length)), el("span", { class: "grow" }), find, save), notes, found, content);
}

function growing(list, make) {
    const box = el("div", {});
    let at = 0;
    const more = el("button", { type: "button" });
    const add = () => {
        box.append(make(list.slice(at, at + STEP), at));
        at += STEP;
        more.remove();
        if (at < list.length) { more.textContent = `Show more (${formatCount(list.length - at)} left)`; box.append(more); }
    };
    more.addEventListener("click", add);
    add();
    return box;
}

// Lines with a text, whatever part of the body is laid out.
function showFound(box, text, word) {
    box.hidden = !word;
    if (!word) { replace(box); return; }
    const lower = text.toLowerCase(), needle = word.toLowerCase();
    const hits = [];
    let count = 0;
    for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) {
        count++;
        if (hits.length < 100) {
            const begin = Math.max(text.lastIndexOf("\n", at - 1) + 1, at - 60);
            const lineEnd = text.indexOf("\n", at);
            const end = Math.min(lineEnd < 0 ? text.length : lineEnd, at + needle.length + 100);
            hits.push(el("div", { class: "code" }, el("bdi", {}, shown(text.slice(begin, at)), el("mark", {}, shown(text.slice(at, at + needle.length))), shown(text.slice(at + needle.length, end)))));
        }
        if (count > 100_000) break;
    }
    replace(box, el("p", { class: "muted small" }, count ? `${counted(count, "hit")}${count > hits.length ? `, the first ${hits.length}` : ""}` : "Not found"), hits);
}

function download(bytes) {
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    const link = el("a", { href: address, download: "body.bin" });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
