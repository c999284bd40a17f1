"use strict";

/** The request pattern of a route's key, such as `GET /users/{id}?page={any}`: see docs/routes.md. */
function patternOf(key) {
    const found = /^([!#$%&'*+.^_`|~0-9A-Z-]+) +(\S.*)$/.exec(key.trim());
    if (!found) throw new TypeError(`expected METHOD and path, such as 'GET /users/{id}', found '${key}'`);
    const [, methods, whole] = found;
    const pattern = {};
    if (methods.includes("|")) pattern.method = { oneOf: methods.split("|") };
    else if (methods !== "ANY") pattern.method = methods;
    if (whole.startsWith("~")) return { ...pattern, urlPathPattern: whole.slice(1) };
    if (!whole.startsWith("/")) throw new TypeError(`expected a path that begins with '/' or '~', found '${whole}'`);
    const mark = whole.indexOf("?");
    const path = mark < 0 ? whole : whole.slice(0, mark);
    pattern[path.includes("{") || path.includes("**") ? "urlPathTemplate" : "urlPath"] = path;
    const parameters = {};
    for (const field of mark < 0 ? [] : whole.slice(mark + 1).split("&").filter(Boolean)) {
        const equals = field.indexOf("=");
        const value = equals < 0 ? "" : decode(field.slice(equals + 1));
        const any = equals < 0 || (value.startsWith("{") && value.endsWith("}"));
        parameters[decode(equals < 0 ? field : field.slice(0, equals))] = any ? { matches: ".*" } : { equalTo: value };
    }
    if (Object.keys(parameters).length > 0) pattern.queryParameters = parameters;
    return pattern;
}

function decode(text) {
    return decodeURIComponent(text.replaceAll("+", " "));
}

module.exports = { patternOf };
