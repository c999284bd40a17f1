"use strict";
// Stubs that were added, and the documents that they are sent in.
const { patternOf } = require("./patterns.js");

/** What one call of `stub` has added: a stub, or several; iterated, it is each of them. */
class Stub {
    #session;
    #mapping;
    #more;
    #key;

    /** @param more - the other stubs, and `key` what they are of, for one route's */
    constructor(session, id, mapping, more = [], key = undefined) {
        this.#session = session;
        this.#more = more;
        this.#key = key;
        this.id = id;
        this.#mapping = mapping;
    }

    async mapping() {
        return (this.#mapping ??= await this.#session.admin("GET", `/mappings/${this.id}`));
    }

    /** The pattern of its requests; that of the key for a list of responses. */
    async pattern() {
        if (this.#more.length === 0) return (await this.mapping()).request;
        if (this.#key !== undefined && !this.#key.trim().split(/\s/)[0].split("|").includes("CRUD")) return patternOf(this.#key);
        throw new TypeError("these are several stubs: name the request that is meant, such as 'GET /users/{id}', or one of them");
    }

    async title() {
        return (await this.mapping()).name ?? this.#key ?? `stub ${this.id}`;
    }

    async remove() {
        for (const { id } of this) await this.#session.admin("DELETE", `/mappings/${id}`);
    }

    get length() {
        return 1 + this.#more.length;
    }

    *[Symbol.iterator]() {
        // The first as a stub of its own, which is not several.
        yield this.#more.length > 0 ? new Stub(this.#session, this.id, this.#mapping) : this;
        yield* this.#more;
    }
}

/** The ids of the stubs of a document as they stand in it; the daemon has a mapping of routes from its end to its top. */
function inWrittenOrder(ids, content) {
    const parts = Array.isArray(content) ? content : (content.mappings ?? [content]);
    const sizes = parts.map(sizeOf);
    const sum = () => sizes.reduce((total, size) => total + (size ?? 0), 0);
    const unknown = sizes.indexOf(undefined);
    if (unknown >= 0) sizes[unknown] = ids.length - sum();
    if (sizes.includes(undefined) || sum() !== ids.length) return ids;
    let next = 0;
    return parts.flatMap((part, index) => {
        const some = ids.slice(next, (next += sizes[index]));
        return isRoutes(part) ? some.reverse() : some;
    });
}

/** The number of stubs of a mapping in either form; undefined for a collection. */
function sizeOf(part) {
    if (!isRoutes(part)) return 1;
    const routes = Object.entries(part).filter(([key]) => key.includes(" "));
    if (routes.some(([key]) => key.startsWith("CRUD"))) return undefined;
    return routes.reduce((total, [, value]) => total + (Array.isArray(value) ? value.length : 1), 0);
}

function isRoutes(value) {
    return value !== null && typeof value === "object" && Object.keys(value).some((key) => key.includes(" "));
}

/** What a route's key stands for: a response, or a list of them. */
function responseOf(response = {}) {
    const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);
    const isList = Array.isArray(response) && response.length > 0 && response.every(isObject);
    if (isObject(response) || isList) return sent(response);
    throw new TypeError(
        `expected a response such as { json: [] }, { body: "" } or { sequence: [] }, or a list of responses, found ${JSON.stringify(response)}`,
    );
}

/** A value as JSON has it: a body of bytes is `base64`. */
function sent(value) {
    if (Array.isArray(value)) return value.map(sent);
    if (value === null || typeof value !== "object" || typeof value.toJSON === "function") return value;
    const members = Object.entries(value).map(([name, inner]) => name === "body" && inner instanceof Uint8Array
        ? ["base64", Buffer.from(inner).toString("base64")]
        : [name, sent(inner)]);
    return Object.fromEntries(members);
}

module.exports = { Stub, inWrittenOrder, isRoutes, responseOf, sent };
