// A request as something to paste: curl, a stub, code, a link. Everything strange in it is quoted or escaped.

import { call, session, pageAddress } from "./api.js";
import { readJSON, scalarText, compactText } from "./json.js";
import { copy } from "./dom.js";

// --- Quoting --------------------------------------------------------------------------------------------------------

/* eslint-disable no-control-regex */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const hex = (c, width) => c.charCodeAt(0).toString(16).padStart(width, "0");

/** A string of JSON, and so of YAML and JavaScript, in letters that can be seen. */
export function jsonString(text) {
    return JSON.stringify(text).replace(CONTROL, (c) => "\\u" + hex(c, 4));
}

export function swiftString(text) {
    return '"' + text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")
        .replace(CONTROL, (c) => `\\u{${/[\ud800-\udfff]/.test(c) ? "fffd" : hex(c, 1)}}`) + '"';
}

export function pythonString(text) {
    return '"' + text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")
        .replace(CONTROL, (c) => "\\u" + hex(c, 4)) + '"';
}

// --- Secrets --------------------------------------------------------------------------------------------------------

const SECRET = new Set(("authorization proxyauthorization cookie setcookie token accesstoken refreshtoken idtoken authtoken bearertoken sessiontoken "
    + "securitytoken apitoken csrftoken xsrftoken secret secrets clientsecret password passwords passwd pwd passphrase passcode passwordconfirmation "
    + "passwordconfirm passwordrepeat apikey apikeys accesstokens refreshtokens appkey authkey subscriptionkey functionskey privatekey secretkey accesskey "
    + "accesskeyid sharedkey accountkey masterkey encryptionkey signingkey sessionkey sessionid jsessionid phpsessid jwt credential credentials signature "
    + "sig clientassertion samlresponse codeverifier otp totp").split(" "));
const SECRET_END = /(password|passwd|passphrase|secret|apikey|accesstoken|refreshtoken|privatekey|secretkey|accesskey)$/;
const SECRET_WORD = /(?:^|[^a-z])(token|jwt|credentials?|signature)$/;
const PAGING = /(page|cursor|sync|continuation|next)/;

/** Whether a name is that of a secret, by the rules of the daemon's `--redact`. */
export function isSecretName(name) {
    const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().replace(/\[\d*\]$/, "").replace(/.*\[([^\]]+)\]$/, "$1");
    const letters = words.replace(/[^a-z0-9]/g, "").replace(/\d+$/, "");
    if (SECRET.has(letters) || SECRET_END.test(letters)) return true;
    return SECRET_WORD.test(words.replace(/[^a-z]+$/, "")) && !PAGING.test(words);
}

export const MASK = "(redacted)";

/** A URL without the values of secret parameters. */
export function maskURL(url) {
    return url.replace(/([?&;#])([^=&;#]*)=([^&;#]*)/g, (all, sign, name, value) => {
        let plain = name;
        try { plain = decodeURIComponent(name.replaceAll("+", " ")); } catch { /* as it stands */ }
        return value && isSecretName(plain) ? `${sign}${name}=${MASK}` : all;
    });
}

// A document of JSON without secrets; of a secret member all texts, numbers and booleans.
function maskNode(node, isSecret, depth = 0) {
    if (depth > 100) return { type: "string", value: MASK };
    if (node.items) return { ...node, items: node.items.map((n) => maskNode(n, isSecret, depth + 1)) };
    if (node.entries) return { ...node, entries: node.entries.map(([key, n]) => [key, maskNode(n, isSecret || isSecretName(key), depth + 1)]) };
    if (!isSecret || node.value === null) return node;
    return node.type === "number" ? { ...node, raw: "0" } : { ...node, value: node.type === "string" ? MASK : false };
}

/** A text without the values of secrets: members of JSON, parameters of forms, elements of XML, and lines `name: value`. */
export function maskBody(text) {
    if (/^\s*[[{]/.test(text)) {
        try {
            const node = readJSON(text);
            const hidden = compactText(maskNode(node, false));
            return hidden === compactText(node) ? text : hidden;
        } catch { /* no JSON: what looks like it, then */ }
    }
    return text
        .replace(/"((?:[^"\\]|\\.){1,80})"(\s*:\s*)("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false)/g, (all, name, colon, value) => {
            if (!isSecretName(name)) return all;
            return `"${name}"${colon}${/^-?\d/.test(value) ? "0" : /^[tf]/.test(value) ? "false" : `"${MASK}"`}`;
        })
        .replace(/(^|[&?;\s])([\w.[\]%-]{1,80})=([^&;\s"'<>]+)/g, (all, before, name, value) => (isSecretName(name) && value ? `${before}${name}=${MASK}` : all))
        .replace(/^([ \t-]*)([\w.-]{1,80}):[ \t]+(\S.*)$/gm, (all, before, name) => (isSecretName(name) ? `${before}${name}: ${MASK}` : all))
        .replace(/<([\w:.-]{1,80})([^>]*)>([^<]+)<\//g, (all, name, rest) => (isSecretName(name.replace(/^.*:/, "")) ? `<${name}${rest}>${MASK}</` : all));
}

// --- Forms ----------------------------------------------------------------------------------------------------------

const HOP = new Set(["host", "content-length", "connection", "transfer-encoding", "keep-alive", "te", "trailer", "upgrade", "proxy-connection", "http2-settings"]);

/** The headers of a journal's request or response, in order, repeated ones each on their own. */
export function headerList(headers) {
    const list = [];
    for (const [name, value] of Object.entries(headers ?? {})) {
        for (const one of Array.isArray(value) ? value : [value]) list.push([name, String(one)]);
    }
    return list;
}

/** `{isText, text, base64}` of a body as the journal has it. */
export function bodyOf(message) {
    const base64 = message?.bodyAsBase64 ?? "";
    if (!base64) return { isText: true, text: message?.body ?? "", base64: "" };
    try {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        return { isText: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), base64 };
    } catch {
        return { isText: false, text: message.body ?? "", base64 };
    }
}

/** JSON in one line, numbers and keys as they were; null of what is not JSON or has a key twice. */
export function compactJSON(text) {
    let root;
    try { root = readJSON(text); } catch { return null; }
    let isDouble = false;
    const write = (node, depth) => {
        if (depth > 60) { isDouble = true; return ""; }
        if (node.items) return `[${node.items.map((n) => write(n, depth + 1)).join(", ")}]`;
        if (node.entries) {
            if (new Set(node.entries.map(([key]) => key)).size < node.entries.length) isDouble = true;
            return node.entries.length ? `{ ${node.entries.map(([key, n]) => `${jsonString(key)}: ${write(n, depth + 1)}`).join(", ")} }` : "{}";
        }
        return node.type === "string" ? jsonString(node.value) : scalarText(node);
    };
    const line = write(root, 0);
    return isDouble ? null : line;
}

const isJSON = (answer) => answer.body.isText && (answer.type === undefined ? /^\s*[[{]/.test(answer.body.text) : /[/+]json\b/i.test(answer.type));
const isPlainPath = (path) => /^\/[A-Za-z0-9/._~%-]*$/.test(path);

/** What a stub made of an exchange says: an answer of a stub as it was, or 200 with `{}` where nothing answered. */
function answerOf(event) {
    if (!event.wasMatched) return { status: 200, type: "application/json", body: { isText: true, text: "{}", base64: "" } };
    const type = headerList(event.response?.headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
    return { status: event.response?.status ?? 200, type, body: bodyOf(event.response) };
}

/** A route of YAML that answers this request. */
export function routeOf(event) {
    const { method, url } = event.request;
    const path = url.split("?")[0];
    const query = url.slice(path.length + 1);
    const isPlain = isPlainPath(path) && (!url.includes("?") || query.split("&").every((pair) => /^[\w.~-]+=[\w.~-]+$/.test(pair)));
    const key = `${method} ${isPlain ? "" : "="}${url}`;
    const answer = answerOf(event);
    const lines = [];
    if (answer.status !== 200) lines.push(`  status: ${answer.status}`);
    const json = isJSON(answer) ? compactJSON(answer.body.text) : null;
    const isImplied = json !== null && /^application\/json$/i.test(answer.type ?? "");
    if (answer.type && !isImplied) lines.push(`  headers: { Content-Type: ${jsonString(answer.type)} }`);
    if (json !== null) lines.push(`  json: ${json}`);
    else if (!answer.body.isText) lines.push(`  base64: ${jsonString(answer.body.base64)}`);
    else if (answer.body.text) lines.push(`  body: ${jsonString(answer.body.text)}`);
    if (!lines.length) lines.push("  status: 200");
    return `${/[:#'"{}[\],&*!|>%@`]|\s-|-\s/.test(key.slice(method.length + 1)) ? jsonString(key) : key}:\n${lines.join("\n")}\n`;
}

/** A mapping in WireMock's form that answers this request. */
export function mappingOf(event) {
    const answer = answerOf(event);
    const response = [`"status": ${answer.status}`];
    if (answer.type) response.push(`"headers": { "Content-Type": ${jsonString(answer.type)} }`);
    const json = isJSON(answer) ? compactJSON(answer.body.text) : null;
    if (json !== null) response.push(`"jsonBody": ${json}`);
    else if (!answer.body.isText) response.push(`"base64Body": ${jsonString(answer.body.base64)}`);
    else if (answer.body.text) response.push(`"body": ${jsonString(answer.body.text)}`);
    return `{\n  "request": {\n    "method": ${jsonString(event.request.method)},\n    "url": ${jsonString(event.request.url)}\n  },\n  "response": {\n    ${response.join(",\n    ")}\n  }\n}\n`;
}

const sent = (event) => headerList(event.request.headers).filter(([name]) => !HOP.has(name.toLowerCase()));

/** Swift that sends the request again. */
export function swiftOf(event, base) {
    const { method, url } = event.request;
    const body = bodyOf(event.request);
    const lines = ["import Foundation", "", `var request = URLRequest(url: URL(string: ${swiftString(base + url)})!)`, `request.httpMethod = ${swiftString(method)}`];
    for (const [name, value] of sent(event)) lines.push(`request.addValue(${swiftString(value)}, forHTTPHeaderField: ${swiftString(name)})`);
    if (body.base64) lines.push(body.isText ? `request.httpBody = Data(${swiftString(body.text)}.utf8)` : `request.httpBody = Data(base64Encoded: ${swiftString(body.base64)})`);
    lines.push("let (data, response) = try await URLSession.shared.data(for: request)");
    return lines.join("\n") + "\n";
}

/** Python's standard library. */
export function pythonOf(event, base) {
    const { method, url } = event.request;
    const body = bodyOf(event.request);
    const lines = ["import base64", "import urllib.request", "", "request = urllib.request.Request("].slice(body.base64 && !body.isText ? 0 : 1);
    lines.push(`    ${pythonString(base + url)},`, `    method=${pythonString(method)},`);
    if (body.base64) lines.push(body.isText ? `    data=${pythonString(body.text)}.encode(),` : `    data=base64.b64decode(${pythonString(body.base64)}),`);
    lines.push(")");
    for (const [name, value] of sent(event)) lines.push(`request.add_header(${pythonString(name)}, ${pythonString(value)})`);
    lines.push("with urllib.request.urlopen(request) as response:", "    print(response.status, response.read())");
    return lines.join("\n") + "\n";
}

/** JavaScript's fetch. */
export function javascriptOf(event, base) {
    const { method, url } = event.request;
    const body = bodyOf(event.request);
    const lines = [`const response = await fetch(${jsonString(base + url)}, {`, `  method: ${jsonString(method)},`];
    const headers = sent(event);
    if (headers.length) lines.push("  headers: [", ...headers.map(([name, value]) => `    [${jsonString(name)}, ${jsonString(value)}],`), "  ],");
    if (body.base64) lines.push(body.isText ? `  body: ${jsonString(body.text)},` : `  body: Uint8Array.from(atob(${jsonString(body.base64)}), (c) => c.charCodeAt(0)),`);
    lines.push("});", "console.log(response.status, await response.text());");
    return lines.join("\n") + "\n";
}

/** An event without its secrets. */
export function masked(event) {
    const mask = (message) => {
        if (!message) return message;
        const body = bodyOf(message);
        const text = body.isText ? maskBody(body.text) : body.text;
        const changes = body.isText && text !== body.text;
        return {
            ...message, headers: Object.fromEntries(Object.entries(message.headers ?? {}).map(([n, v]) => [n, isSecretName(n) ? MASK : v])),
            ...(message.url === undefined ? {} : { url: maskURL(message.url) }), ...(message.absoluteUrl === undefined ? {} : { absoluteUrl: maskURL(message.absoluteUrl) }),
            ...(changes ? { body: text, bodyAsBase64: toBase64(text) } : {}),
        };
    };
    return { ...event, request: mask(event.request), response: mask(event.response) };
}
function toBase64(text) {
    let binary = "";
    for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
    return btoa(binary);
}

// --- Menu -----------------------------------------------------------------------------------------------------------

const KINDS = [
    ["curl", "Copy as curl", "y"], ["route", "Copy as route (YAML)"], ["mapping", "Copy as WireMock's JSON"], ["swift", "Copy as Swift"],
    ["python", "Copy as Python"], ["javascript", "Copy as JavaScript"], ["link", "Copy link"],
];

/** Items of a menu that copy one request. */
export function copyChoices(row, app) {
    return KINDS.map(([kind, text, key]) => ({
        text, detail: key ?? "", run: async () => {
            try {
                if (await copy(await copyAs(kind, [row], app))) app.notice(`Copied ${kind === "link" ? "the link" : `as ${text.replace("Copy as ", "")}`}`, "ok");
                else app.notice("The browser does not let this page copy", "error");
            } catch (error) { app.failed(error); }
        },
    }));
}

/** A command whose address, which is its end, has the path of the session whose base is given. */
export function inSession(curl, base) {
    const path = new URL(base).pathname.replace(/\/$/, "");
    return curl.replace(/('https?:\/\/[^/'?#\s]+)([^\n]*)$/, (all, origin, rest) => (rest.startsWith(`${path}/`) ? all : origin + path + rest));
}

/** The text of some requests in a form. */
export async function copyAs(kind, list, app) {
    const of = (row) => ({ session: row.session?.id ?? session });
    if (kind === "link") {
        const row = list[0];
        return location.origin + pageAddress(row.session?.id ?? session, `#/requests?at=${encodeURIComponent(row.id)}`);
    }
    if (kind === "har") {
        // The daemon's archive has all requests of a session; the chosen ones are taken from it.
        const chosen = new Set(list.map((row) => row.id));
        let har = null;
        for (const one of new Set(list.map((row) => row.session?.id ?? session))) {
            const part = (await call("GET", "requests?format=har", { session: one })).data;
            part.log.entries = part.log.entries.filter((e) => chosen.has(e._id));
            if (har) har.log.entries.push(...part.log.entries); else har = part;
        }
        return JSON.stringify(har, null, 2);
    }
    const texts = [];
    for (const row of list.slice(0, 100)) {
        if (kind === "curl") {
            const { text } = await call("GET", `requests/${encodeURIComponent(row.id)}/curl`, { ...of(row), accept: "text/plain" });
            texts.push(inSession(text.trimEnd(), app.url(of(row).session)));
            continue;
        }
        let event = (await call("GET", `requests/${encodeURIComponent(row.id)}?details=true`, of(row))).data;
        if (app.status()?.redaction) event = masked(event);
        const base = app.url(of(row).session);
        texts.push({ route: routeOf, mapping: mappingOf, swift: swiftOf, python: pythonOf, javascript: javascriptOf }[kind](event, base));
    }
    return texts.join("\n");
}
