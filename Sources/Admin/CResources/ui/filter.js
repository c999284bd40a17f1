// The filter of requests: one line of words, all of which must hold. Never an error: what is not understood is text.

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY"]);
const STATES = {
    unmatched: "nothing answered", failed: "its stub could not be served", fault: "a fault acted", open: "still open",
    held: "held at a gate", proxied: "proxied", slow: "slower than p95",
};
export const KEYS = ["status", "is", "path", "host", "stub", "file", "session", "proto", "type", "time", "size", "last", "header", "body", "method"];

/** What the help says. */
export const EXAMPLES = [
    ["orders", "text in method, URL, stub or session"],
    ["GET", "a method, in capitals"],
    ["404  5xx  status:400-499  status:>=500", "what the client got; \"404\" is text"],
    [Object.keys(STATES).map((s) => `is:${s}`).join(" "), "what happened; slow is above p95"],
    ["path:/api/*  host:  stub:  file:dogs.yaml", "* is anything"],
    ["session:login  proto:h2  type:json", ""],
    ["time:>500ms  size:>10kB  last:5m", "size is all that was sent, headers too"],
    ["header:x-id=7  body:rex", "asked of the daemon's journal"],
    ["-path:/health  status:404|500", "not; either"],
];

/** Splits a line into tokens `{raw, text, isNegated, isQuoted, key, value}`. A quote without its end ends with the line. */
export function tokenize(line) {
    const tokens = [];
    let at = 0;
    while (at < line.length) {
        if (/\s/.test(line[at])) { at++; continue; }
        const start = at;
        let text = "", isQuoted = false, colon = -1;
        const isNegated = line[at] === "-" && at + 1 < line.length && !/\s/.test(line[at + 1]);
        if (isNegated) at++;
        if (line[at] === '"') isQuoted = true;
        while (at < line.length && !/\s/.test(line[at])) {
            if (line[at] === '"') {
                at++;
                while (at < line.length && line[at] !== '"') {
                    if (line[at] === "\\" && at + 1 < line.length) at++;
                    text += line[at++];
                }
                at++;
            } else {
                if (line[at] === ":" && colon < 0 && !isQuoted) colon = text.length;
                text += line[at++];
            }
        }
        const token = { raw: line.slice(start, at), text, isNegated, isQuoted };
        if (colon > 0) { token.key = text.slice(0, colon).toLowerCase(); token.value = text.slice(colon + 1); }
        tokens.push(token);
    }
    return tokens;
}

/**
 * A compiled filter: `{tokens, test(row, context), isEmpty, remote, changesAtEnd}`. A token has its `label`, its own `test`, maybe
 * a `note`. `remote` are the tokens that only the daemon can answer; a row passes those if `context.remote(row, token)` says so.
 * `context` is `{p95, now, remote}`.
 */
export function parseFilter(line) {
    const tokens = tokenize(line ?? "").map(understand).filter(Boolean);
    return {
        line: line ?? "", tokens, isEmpty: tokens.length === 0, remote: tokens.filter((t) => t.isRemote),
        changesAtEnd: tokens.some((t) => t.changesAtEnd),
        test(row, context) {
            for (const token of tokens) if (!token.passes(row, context)) return false;
            return true;
        },
    };
}

function understand(token) {
    const found = meaning(token);
    const negated = token.isNegated;
    found.raw = token.raw;
    found.isNegated = negated;
    found.label = (negated ? "not " : "") + found.label;
    const test = found.test;
    found.passes = negated ? (row, context) => !test(row, context) : test;
    return found;
}

function meaning(token) {
    if (token.isQuoted) return words(token.text, true);
    if (token.key === undefined) {
        const parts = token.text.split("|");
        if (parts.every((p) => METHODS.has(p))) return methods(parts);
        if (parts.every((p) => /^[1-5](\d\d|xx)$/i.test(p))) return statuses(token.text);
        return words(token.text);
    }
    const value = token.value;
    // A key without a value yet says nothing.
    if (KEYS.includes(token.key) && value === "") return { label: `${token.key}: …`, test: () => true };
    switch (token.key) {
    case "status": return statuses(value);
    case "method": return methods(value.toUpperCase().split("|"));
    case "is": return states(value);
    case "path": return pattern("path", value, (row) => pathOf(row.url));
    case "host": return pattern("host", value, (row) => row.host);
    case "stub": return pattern("stub", value, stubText);
    case "file": return pattern("file", value, (row) => row.stub?.file && `${row.stub.file}:${row.stub.line ?? ""}`);
    case "session": return pattern("session", value, (row) => row.session && `${row.session.name ?? ""} ${row.session.id}`);
    case "proto": return protocols(value);
    case "type": return pattern("type", value, (row) => row.type);
    case "time": return quantity("time", value, milliseconds, (row) => row.durationMs, token);
    case "size": return quantity("size", value, bytes, (row) => row.size, token);
    case "last": return since(value, token);
    case "header": case "body":
        return {
            label: `${token.key} ${value}`, isRemote: true,
            test(row, context) { return context?.remote ? context.remote(row, this) : true; },
        };
    default: {
        const near = nearest(token.key, KEYS);
        const found = words(token.text);
        if (near) found.note = `no filter \`${token.key}\`, did you mean \`${near}\`?`;
        return found;
    }
    }
}

/** The path of a URL, without its query. */
export function pathOf(url) {
    const at = url.indexOf("?");
    return at < 0 ? url : url.slice(0, at);
}

/** What a stub is called, in one string to search in. */
export function stubText(row) {
    const s = row.stub;
    return s && `${s.name ?? ""} ${s.key ?? ""} ${s.file ? `${s.file}:${s.line ?? ""}` : ""} ${s.id ?? ""}`;
}

function words(text, isQuoted = false) {
    const alternatives = isQuoted ? [text] : text.split("|").filter((a) => a !== "");
    if (!alternatives.length) alternatives.push(text);
    const has = (haystack) => haystack !== undefined && alternatives.some((a) => (isQuoted ? haystack.toLowerCase().includes(a.toLowerCase()) : fits(haystack, a)));
    return {
        label: `text ${alternatives.join(" or ")}`,
        test: (row) => has(row.url) || has(row.method) || has(stubText(row)) || (row.session !== undefined && has(`${row.session.name ?? ""} ${row.session.id}`)),
    };
}

function methods(list) {
    return { label: list.join(" or "), test: (row) => list.includes(row.method) };
}

function states(value) {
    const names = value.toLowerCase().split("|");
    const known = names.filter((n) => Object.hasOwn(STATES, n));
    if (known.length < names.length) {
        const wrong = names.find((n) => !Object.hasOwn(STATES, n));
        const near = nearest(wrong, Object.keys(STATES));
        if (!known.length) return { ...words(`is:${value}`), note: `no \`is:${wrong}\`${near ? `, did you mean \`is:${near}\`?` : ""}` };
    }
    return {
        label: known.map((n) => STATES[n]).join(" or "),
        changesAtEnd: known.some((n) => n !== "unmatched"),
        test: (row, context) => known.some((n) => isInState(row, n, context)),
    };
}

function isInState(row, name, context) {
    switch (name) {
    case "unmatched": return !row.matched;
    case "failed": return row.isFailed;
    case "fault": return row.isFault;
    case "open": return row.isOpen;
    case "held": return row.isOpen && row.gate !== undefined;
    case "proxied": return row.proxied;
    case "slow": return row.durationMs !== undefined && typeof context?.p95 === "number" && row.durationMs > context.p95;
    default: return false;
    }
}

function statuses(value) {
    const parts = value.split("|").map((part) => {
        let m = /^([1-5])xx$/i.exec(part);
        if (m) return [m[1] * 100, m[1] * 100 + 99];
        m = /^(\d{3})-(\d{3})$/.exec(part);
        if (m) return [+m[1], +m[2]];
        m = /^(>=|<=|>|<|=)?(\d{3})$/.exec(part);
        if (!m) return null;
        const n = +m[2];
        return { ">=": [n, 999], ">": [n + 1, 999], "<=": [0, n], "<": [0, n - 1] }[m[1]] ?? [n, n];
    });
    if (parts.includes(null)) {
        // `status:reset` asks for what the client got in place of a status.
        const text = value.toLowerCase().split("|");
        return { label: `answer ${text.join(" or ")}`, changesAtEnd: true, test: (row) => text.some((t) => row.answer.toLowerCase().includes(t)) };
    }
    const name = ([a, b]) => (a === b ? `${a}` : b === 999 ? `${a} and above` : a === 0 ? `up to ${b}` : `${a}–${b}`);
    return {
        label: `status ${parts.map(name).join(" or ")}`, changesAtEnd: true,
        test(row) {
            const status = Number(row.answer);
            return parts.some(([a, b]) => status >= a && status <= b);
        },
    };
}

/** Whether a text fits a pattern: with `*` as a whole, else as a part. Without regard to case, in linear time. */
export function fits(text, glob) {
    const t = text.toLowerCase(), g = glob.toLowerCase();
    if (!g.includes("*")) return t.includes(g);
    const parts = g.split("*");
    const first = parts[0], last = parts[parts.length - 1];
    if (!t.startsWith(first) || !t.endsWith(last) || t.length < first.length + last.length) return false;
    let at = first.length;
    const end = t.length - last.length;
    for (const part of parts.slice(1, -1)) {
        if (part === "") continue;
        const found = t.indexOf(part, at);
        if (found < 0 || found + part.length > end) return false;
        at = found + part.length;
    }
    return at <= end;
}

function pattern(name, value, of) {
    const alternatives = value.split("|").filter((a) => a !== "");
    return {
        label: `${name} ${alternatives.join(" or ")}`,
        test(row) {
            const text = of(row);
            return typeof text === "string" && alternatives.some((a) => fits(text, a));
        },
    };
}

function protocols(value) {
    const names = value.toLowerCase().split("|").map((v) => ({ h1: "http/1", h2: "http/2", h3: "http/3", http1: "http/1", http2: "http/2" })[v] ?? v);
    return { label: `protocol ${value}`, test: (row) => row.protocol !== undefined && names.some((n) => row.protocol.toLowerCase().includes(n)) };
}

/** `500ms`, `1.5s`, `2m`, `1h` in milliseconds; a bare number is milliseconds; null of other text. */
export function milliseconds(text) {
    const m = /^(\d+(?:\.\d+)?)\s*(us|µs|ms|s|m|min|h|d)?$/i.exec(text);
    return m ? m[1] * ({ us: 0.001, "µs": 0.001, ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[(m[2] ?? "ms").toLowerCase()]) : null;
}

/** `10kB`, `2M`, `713` in bytes; null of other text. */
export function bytes(text) {
    const m = /^(\d+(?:\.\d+)?)\s*(b|kb|k|mb|m|gb|g)?$/i.exec(text);
    return m ? m[1] * ({ b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9 }[(m[2] ?? "b").toLowerCase()]) : null;
}

function quantity(name, value, read, of, token) {
    const m = /^(>=|<=|>|<|=)?(.+)$/.exec(value);
    const limit = read(m[2]);
    if (limit === null) return { ...words(token.text), note: `\`${name}:\` wants a number, such as \`${name}:>${name === "time" ? "500ms" : "10kB"}\`` };
    const sign = m[1] ?? ">=";
    const compare = { ">": (v) => v > limit, ">=": (v) => v >= limit, "<": (v) => v < limit, "<=": (v) => v <= limit, "=": (v) => v === limit }[sign];
    return {
        label: `${name} ${sign} ${m[2]}`, changesAtEnd: true,
        test(row) { const v = of(row); return v !== undefined && compare(v); },
    };
}

function since(value, token) {
    const span = milliseconds(/\d$/.test(value) ? value + "s" : value);
    if (span === null) return { ...words(token.text), note: "`last:` wants a time, such as `last:5m`" };
    return { label: `in the last ${value}`, changesAtEnd: true, test: (row, context) => row.at >= (context?.now ?? Date.now()) - span };
}

/** The nearest of some words, if at most two letters differ. */
export function nearest(word, list) {
    let best = null, bestDistance = Math.min(2, Math.floor(word.length / 2));
    for (const other of list) {
        const d = distance(word, other);
        if (d <= bestDistance && (best === null || d < distance(word, best))) { best = other; bestDistance = d; }
    }
    return best;
}

function distance(a, b) {
    if (Math.abs(a.length - b.length) > 2) return 9;
    const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
    for (let i = 1; i <= a.length; i++) {
        rows[i] = [i];
        for (let j = 1; j <= b.length; j++) {
            rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[a.length][b.length];
}

/** The filter with a token put in or taken out. */
export function toggled(line, word) {
    const tokens = tokenize(line);
    const rest = tokens.filter((t) => t.raw !== word);
    return (rest.length < tokens.length ? rest.map((t) => t.raw) : [...tokens.map((t) => t.raw), word]).join(" ");
}
