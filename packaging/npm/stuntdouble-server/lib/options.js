"use strict";

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
        const meant = known.find((word) => word.toLowerCase().replace(/s$/, "") === name.toLowerCase().replace(/s$/, ""));
        const hint = meant ? `; did you mean '${meant}'?` : "";
        throw new TypeError(`${call}: expected ${known.join(", ")}; found '${name}'${hint}`);
    }
}

module.exports = { checkOptions };
