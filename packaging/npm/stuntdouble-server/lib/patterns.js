"use strict";

const variable = /(\{[^{}/?]+\})/;

/** The request pattern of a route's key, such as `GET /users/{id}?page={any}`, as the daemon reads it: see docs/routes.md. */
function patternOf(key) {
    const found = /^([!#$%&'*+.^_`|~0-9A-Z-]+)[ \t]+(\S[^]*)$/.exec(key.replace(/^[ \t]+|[ \t]+$/g, ""));
    if (!found) throw new TypeError(complaint(key));
    const [, methods, target] = found;
    const names = methods.split("|");
    if (names.includes("CRUD")) {
        throw new TypeError(`CRUD stands for many routes, found '${key}': name the method, or ANY for all of them`);
    }
    const pattern = {};
    if (!names.includes("ANY")) pattern.method = names.length > 1 ? { oneOf: names } : methods;
    if (target.startsWith("~")) return { ...pattern, urlPathPattern: target.slice(1).trimStart() };
    if (target.startsWith("=~")) return { ...pattern, urlPattern: target.slice(2).trimStart() };
    const exact = target.startsWith("=");
    if (!/^=?\//.test(target) || target.includes("#")) {
        throw new TypeError(`expected a path that begins with '/', '~' or '=' and has no '#', found '${target}'`);
    }
    if (exact) return { ...pattern, url: onTheWire(target.slice(1)) };
    const mark = target.indexOf("?");
    const path = mark < 0 ? target : target.slice(0, mark);
    pattern[path.includes("{") || path.includes("**") ? "urlPathTemplate" : "urlPath"] = spelling(path);
    const parameters = new Map();
    for (const field of mark < 0 ? [] : target.slice(mark + 1).split("&").filter(Boolean)) {
        const equals = field.indexOf("=");
        const name = decode(equals < 0 ? field : field.slice(0, equals));
        const value = equals < 0 ? "{any}" : field.slice(equals + 1);
        const any = value.startsWith("{") && value.endsWith("}");
        if (!any && /[{}]/.test(value)) throw new TypeError(`expected name=value or name={any} in the query, found '${field}'`);
        parameters.set(name, [...(parameters.get(name) ?? []), any ? { matches: ".*" } : { equalTo: decode(value) }]);
    }
    // A name that is there several times wants all of its values.
    const matchers = [...parameters].map(([name, all]) => [name, all.length === 1 ? all[0] : { includes: all }]);
    if (matchers.length > 0) pattern.queryParameters = Object.fromEntries(matchers);
    return pattern;
}

/** What the variables of a key are in a path that it matches, decoded; none for a regular expression. */
function variablesOf(key, path) {
    const target = key.trim().replace(/^\S+\s+/, "");
    if (!target.startsWith("/")) return {};
    const parts = spelling(target.split("?")[0]).split(variable);
    const names = parts.filter((_, index) => index % 2 === 1).map((part) => part.slice(1, -1));
    const literals = parts.filter((_, index) => index % 2 === 0);
    const escaped = literals.map((part) => part.split("**").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*"));
    const found = new RegExp(`^${escaped.join("([^/]+)")}$`, "s").exec(path);
    return Object.fromEntries(names.map((name, index) => [name, found ? unescaped(found[index + 1]) : undefined]));
}

/** Decoded, unless it is no UTF-8. */
function unescaped(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function complaint(key) {
    const text = `expected METHOD and path, such as 'GET /users/{id}', found '${key}'`;
    const [method, ...path] = key.trim().split(" ");
    if (method.startsWith("/")) return `${text}; did you mean 'GET ${key.trim()}'?`;
    const upper = method.toUpperCase();
    return path.length > 0 && method !== upper ? `${text}; did you mean '${[upper, ...path].join(" ")}'?` : text;
}

/** The path as clients send it; the names of its variables stay. */
function spelling(path) {
    const parts = path.split(variable);
    // Every second part is a variable.
    if (parts.some((part, index) => index % 2 === 0 && /[{}]/.test(part))) {
        throw new TypeError(`expected {name} for one segment, found '${path}'`);
    }
    return parts.map((part, index) => (index % 2 === 0 ? onTheWire(part) : part)).join("");
}

/** A key writes blanks, quotes and what is beyond ASCII plainly, which clients send as %XX. */
function onTheWire(text) {
    if (/%(?![0-9A-Fa-f]{2})/.test(text)) {
        throw new TypeError(`expected % and two hexadecimal digits, or %25 for a literal %, found '${text}'`);
    }
    return text.replace(/[^\x21-\x7e]+|["<>]/gu, encodeURIComponent);
}

function decode(text) {
    try {
        return decodeURIComponent(text.replaceAll("+", " "));
    } catch {
        throw new TypeError(`expected % and two hexadecimal digits, or %25 for a literal %, found '${text}'`);
    }
}

module.exports = { patternOf, variablesOf };
