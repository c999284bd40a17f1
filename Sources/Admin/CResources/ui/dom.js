// Elements, icons and formats. Text from outside reaches the page only through text nodes made here.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name === "on") {
            for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
        } else if (name === "value" && "value" in node) {
            node.value = value;
        } else if (name === "style" || name.startsWith("on")) {
            throw new TypeError(`no attribute ${name}: set properties of the node's style instead`);
        } else {
            node.setAttribute(name, value === true ? "" : String(value));
        }
    }
    append(node, children);
    return node;
}

function append(node, children) {
    for (const child of children) {
        if (child === undefined || child === null || child === false) continue;
        if (Array.isArray(child)) append(node, child);
        else node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
}

/** An element with attributes and children. Strings become text nodes, lists are flattened, null and false left out. */
export function el(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** The same for an element of SVG. */
export function svg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Replaces the children of a node. */
export function replace(node, ...children) {
    node.replaceChildren();
    append(node, children);
    return node;
}

const ICONS = {
    unmatched: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM3.6 12.4 12.4 3.6",
    fault: "M1 8h3l1.5-3M14.5 8h-3L9.9 11M7.2 3.5l1.6 9",
    held: "M5.5 3v10M10.5 3v10",
    failed: "M2.5 2.5h11v11h-11ZM8 5v4M8 11v.6",
    redirect: "M2 8h11M9.5 4.5 13 8l-3.5 3.5",
    client: "M8 2.5 14.5 13.5h-13Z",
    open: "M4 8h.01M8 8h.01M12 8h.01",
    copy: "M5.5 5.5h8v8h-8ZM3.5 10.5h-1v-8h8v1",
    close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
    down: "M3.5 6 8 10.5 12.5 6",
    right: "M6 3.5 10.5 8 6 12.5",
    search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.7 3.7",
    pause: "M5.5 3.5v9M10.5 3.5v9",
    play: "M4.5 3 12.5 8l-8 5Z",
    menu: "M2 4.5h12M2 8h12M2 11.5h12",
    back: "M10 3.5 5.5 8l4.5 4.5",
    check: "M3 8.5 6.5 12 13 4.5",
    help: "M5.8 6a2.3 2.3 0 1 1 3.3 2.1c-.8.4-1.1.8-1.1 1.7M8 12v.6",
};

/** An icon of 16 px in the colour of the text around it. Hidden from readers: say the same in words beside it. */
export function icon(name) {
    return svg("svg", { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
        svg("path", {
            d: ICONS[name] ?? "", fill: "none", stroke: "currentColor", "stroke-width": name === "open" ? 2.2 : 1.6,
            "stroke-linecap": "round", "stroke-linejoin": "round",
        }));
}

/* eslint-disable no-control-regex */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };

/**
 * Text in one line: control and bidirectional characters and lone surrogates as visible escapes.
 * Of more than `limit` characters only the beginning, with an ellipsis.
 */
export function shown(text, limit = 2000) {
    let string = String(text ?? "");
    const isCut = string.length > limit;
    if (isCut) string = string.slice(0, limit);
    string = string.replace(HIDDEN, escaped);
    return isCut ? string + "…" : string;
}

/** Text in several lines: as `shown`, but line ends and tabs stay. */
export function shownLines(text) {
    return String(text ?? "").replace(/\r\n/g, "\n").replace(HIDDEN, (c) => (c === "\n" || c === "\t" ? c : escaped(c)));
}

function escaped(c) {
    return NAMED[c] ?? "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
}

const two = (n) => String(n).padStart(2, "0");

/** The local time of day, `09:23:56.842`, of milliseconds since 1970. */
export function formatTime(ms) {
    if (!Number.isFinite(ms)) return "";
    const d = new Date(ms);
    return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, "0")}`;
}

/** `<1 ms`, `14 ms`, `1.24 s`, `1 m 04 s`, `2 h 05 m`. */
export function formatDuration(ms) {
    if (!Number.isFinite(ms) || ms < 0) return "";
    if (ms < 1) return "<1 ms";
    if (ms < 999.5) return `${Math.round(ms)} ms`;
    if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
    if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
    const s = Math.round(ms / 1000);
    if (s < 3600) return `${Math.floor(s / 60)} m ${two(s % 60)} s`;
    if (s < 172_800) return `${Math.floor(s / 3600)} h ${two(Math.floor(s / 60) % 60)} m`;
    return `${Math.floor(s / 86_400)} days`;
}

/** `713 B`, `1.3 kB`, `2.1 MB`: thousands. */
export function formatSize(bytes) {
    if (!Number.isFinite(bytes)) return "";
    if (bytes < 1000) return `${bytes} B`;
    let value = bytes;
    for (const unit of ["kB", "MB", "GB"]) {
        value /= 1000;
        if (value < 999.5 || unit === "GB") return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
    }
}

/** `9,204`. */
export function formatCount(n) {
    return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Where a stub stands: its file, with the line where that is known. */
export function fileLine(stub) {
    return stub.line ? `${stub.file}:${stub.line}` : stub.file;
}

/** `1 request`, `3 requests`. */
export function counted(n, one, many = one + "s") {
    return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/** A sentence, in which what stands between backticks is code. */
export function coded(text) {
    return text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

/** Puts text into the clipboard. Resolves to whether that worked. */
export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Without HTTPS and off localhost there is no clipboard API.
        const area = el("textarea", { class: "offscreen", value: text, "aria-hidden": "true", tabindex: -1 });
        const focused = document.activeElement;
        (document.querySelector("dialog[open]") ?? document.body).append(area);
        area.select();
        const isCopied = document.execCommand("copy");
        area.remove();
        focused?.focus();
        return isCopied;
    }
}
