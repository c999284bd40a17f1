"use strict";
// What the daemon finds valid and hardly meant, in its answers and its log, becomes a warning of this process.
const { closeSync, openSync, readSync, fstatSync } = require("node:fs");

/** What the verdict tells, and a test may want. */
const unanswered = "no stub matches";

/** The warnings of one daemon, each of which is given once. */
class Told {
    #log;
    #read = 0;
    #texts = new Set();
    #withoutStubs;

    /**
     * @param log - the path of its log; none for a daemon that was running
     * @param withoutStubs - it was started without any, so that this is nothing to warn of
     */
    constructor(log, withoutStubs) {
        this.#log = log;
        this.#withoutStubs = withoutStubs;
    }

    /** Warns of the header `X-StuntDouble-Warning` of an answer. */
    header(value) {
        const text = value.replace(/\\u\{([0-9a-f]+)\}/gi, (_, code) => String.fromCodePoint(parseInt(code, 16)));
        this.warn(text.split(" | "));
    }

    /** Warns of what the log says that no answer has said, without requests that nothing answers. */
    look() {
        if (this.#log === undefined) return;
        const lines = this.#unread().matchAll(/^\S+Z warning: (.*)/gm);
        this.warn([...lines].map(([, text]) => text).filter((text) => !text.includes(unanswered) && !this.#knows(text)));
    }

    #unread() {
        const file = openSync(this.#log, "r");
        try {
            const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - this.#read));
            this.#read += readSync(file, bytes, 0, bytes.length, this.#read);
            return bytes.toString();
        } finally {
            closeSync(file);
        }
    }

    #knows(line) {
        // The log names the stub before what an answer has said.
        return (this.#withoutStubs && line.startsWith("no stubs: ")) || [...this.#texts].some((text) => line.endsWith(text));
    }

    add(text) {
        this.#texts.add(text);
    }

    warn(texts) {
        for (const text of texts) {
            this.#texts.add(text);
            process.emitWarning(text, "StuntDoubleWarning");
        }
    }
}

module.exports = { Told };
