// A reader of JSON that keeps what JSON.parse loses: numbers as sent, the order of keys, and repeated keys.

const LITERALS = [["true", true], ["false", false], ["null", null]];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;

/** What is wrong with a text, and at which offset of it. */
export class JSONError extends Error {
    constructor(message, offset) {
        super(message);
        this.offset = offset;
    }
}

/**
 * Reads a document into nodes: `{type: "object", entries: [[key, node]]}`, `{type: "array", items: [node]}`,
 * `{type: "string", value}`, `{type: "number", raw}`, `{type: "literal", value}`. Never recurses, so that no depth ends it.
 * @throws {JSONError}
 */
export function readJSON(text) {
    let at = 0;
    const fail = (message) => { throw new JSONError(message, at); };
    const skip = () => { SPACE.lastIndex = at; SPACE.test(text); at = SPACE.lastIndex; };
    const open = [];
    let root;
    let key = null;

    const place = (node) => {
        const parent = open[open.length - 1];
        if (!parent) root = node;
        else if (parent.type === "array") parent.items.push(node);
        else parent.entries.push([key, node]);
    };
    const readKey = () => {
        skip();
        if (text[at] !== '"') fail("expected a key in quotes");
        key = readString();
        skip();
        if (text[at] !== ":") fail("expected `:` after a key");
        at++;
    };
    const readString = () => {
        const start = at++;
        for (;;) {
            const c = text.charCodeAt(at);
            if (c === 34) break;
            if (c === 92) at += 2;
            else if (c >= 32) at++;
            else fail(Number.isNaN(c) ? "expected a closing quote" : "expected an escape in place of a control character");
        }
        at++;
        const raw = text.slice(start, at);
        if (!raw.includes("\\")) return raw.slice(1, -1);
        try {
            return JSON.parse(raw);
        } catch {
            at = start;
            return fail("expected valid escapes in a string");
        }
    };

    for (;;) {
        skip();
        const c = text[at];
        if (c === "{" || c === "[") {
            at++;
            const node = c === "{" ? { type: "object", entries: [] } : { type: "array", items: [] };
            place(node);
            skip();
            if (text[at] !== (c === "{" ? "}" : "]")) {
                open.push(node);
                if (c === "{") readKey();
                continue;
            }
            at++;
        } else if (c === '"') {
            place({ type: "string", value: readString() });
        } else {
            const literal = LITERALS.find(([word]) => text.startsWith(word, at));
            if (literal) {
                at += literal[0].length;
                place({ type: "literal", value: literal[1] });
            } else {
                NUMBER.lastIndex = at;
                const number = NUMBER.exec(text);
                if (!number) fail(at >= text.length ? "expected a value, found the end" : "expected a value");
                at = NUMBER.lastIndex;
                place({ type: "number", raw: number[0] });
            }
        }
        for (;;) {
            skip();
            const parent = open[open.length - 1];
            if (!parent) {
                if (at < text.length) fail("expected the end");
                return root;
            }
            const next = text[at++];
            if (next === ",") {
                if (parent.type === "object") readKey();
                break;
            }
            if (next === (parent.type === "object" ? "}" : "]")) {
                open.pop();
                continue;
            }
            at--;
            fail(parent.type === "object" ? "expected `,` or `}`" : "expected `,` or `]`");
        }
    }
}

/** The number of children of a node; null of a scalar. */
export function childCount(node) {
    return node.entries?.length ?? node.items?.length ?? null;
}

/** A scalar as it stands in a document. */
export function scalarText(node) {
    return node.type === "number" ? node.raw : JSON.stringify(node.value);
}

/** A document laid out with an indent of two spaces, numbers and keys as they were sent. Iterative, as the reader. */
export function formatJSON(root) {
    const out = [];
    const stack = [{ node: root, indent: "", lead: "", tail: "" }];
    while (stack.length) {
        const { node, indent, lead, tail, text } = stack.pop();
        if (text !== undefined) { out.push(text); continue; }
        const children = node.entries ?? node.items;
        if (!children) { out.push(indent + lead + scalarText(node) + tail); continue; }
        const [begin, end] = node.entries ? "{}" : "[]";
        if (!children.length) { out.push(indent + lead + begin + end + tail); continue; }
        out.push(indent + lead + begin);
        stack.push({ text: indent + end + tail });
        for (let i = children.length - 1; i >= 0; i--) {
            const [key, child] = node.entries ? children[i] : [null, children[i]];
            stack.push({
                node: child, indent: indent + "  ", lead: key === null ? "" : JSON.stringify(key) + ": ",
                tail: i < children.length - 1 ? "," : "",
            });
        }
    }
    return out.join("\n");
}

/** A document in one line, numbers and keys as they were sent. What is nested too deep for that, or lies beyond `limit`, is left out. */
export function compactText(root, limit = Infinity) {
    let out = "";
    const write = (node, depth) => {
        if (out.length > limit) return;
        const children = node.entries ?? node.items;
        if (!children) { out += scalarText(node); return; }
        if (depth > 100) { out += "…"; return; }
        out += node.entries ? "{" : "[";
        children.forEach((child, i) => {
            if (i) out += ", ";
            if (node.entries) out += `${JSON.stringify(child[0])}: `;
            write(node.entries ? child[1] : child, depth + 1);
        });
        out += node.entries ? "}" : "]";
    };
    write(root, 0);
    return out;
}

/** A node as a value of JavaScript, but members with one of the `kept` names stay nodes. Of a repeated key the last counts. */
export function valueOf(node, kept, depth = 0) {
    if (depth > 200) return null;
    if (node.items) return node.items.map((n) => valueOf(n, kept, depth + 1));
    if (node.entries) {
        const value = Object.create(null);
        for (const [key, n] of node.entries) value[key] = kept?.has(key) ? n : valueOf(n, kept, depth + 1);
        return value;
    }
    return node.type === "number" ? Number(node.raw) : node.value;
}
