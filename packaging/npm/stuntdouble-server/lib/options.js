"use strict";

/** What other libraries call it. */
const otherNames = {
    count: ["times", "exactly", "exact", "number", "n", "callcount", "expected"],
    atLeast: ["min", "minimum", "least", "mintimes", "mincount"],
    atMost: ["max", "maximum", "most", "maxtimes", "maxcount"],
    within: ["timeout", "timeoutms", "wait", "milliseconds"],
    timeout: ["within", "timeoutms", "wait", "milliseconds"],
    failOn: ["fail", "reasons"],
    ignore: ["exclude", "except"],
};

/**
 * Refuses an option that there is none of, which would be passed over in silence: what was meant by it is not done.
 * @param given - the options, an object
 * @param known - the names that there are
 * @param call - what the options are for, such as `verify(what, …)`
 */
function checkOptions(given, known, call) {
    if (given === null || typeof given !== "object" || Array.isArray(given)) {
        throw new TypeError(`${call}: expected an object with ${known.join(", ")}; found ${JSON.stringify(given)}`);
    }
    for (const name of Object.keys(given)) {
        if (known.includes(name)) continue;
        const meant = nearest(name, known);
        const hint = meant ? `; did you mean '${meant}'?` : "";
        throw new TypeError(`${call}: expected ${known.join(", ")}; found '${name}'${hint}`);
    }
}

/** The name that is meant by another one, if one is near. */
function nearest(name, known) {
    const plain = (word) => word.toLowerCase().replace(/_/g, "");
    const found = plain(name);
    const other = known.find((word) => plain(word) === found) ?? known.find((word) => otherNames[word]?.includes(found));
    if (other) return other;
    const [[distance, word] = [Infinity]] = known.map((word) => [edits(found, plain(word)), word]).sort(([a], [b]) => a - b);
    return distance <= Math.max(1, Math.floor(found.length / 3)) ? word : undefined;
}

/** How many letters have to be put in, left out or replaced; two that have changed places are one. */
function edits(a, b) {
    const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => (i && j ? 0 : i + j)));
    for (let i = 1; i <= a.length; i++) {
        for (let j = 1; j <= b.length; j++) {
            const same = a[i - 1] === b[j - 1] ? 0 : 1;
            rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same);
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[a.length][b.length];
}

module.exports = { checkOptions, edits, nearest };
