"use strict";
// For node:test: a mock server for each test. See docs/javascript.md.
const { judge, serverFor, sessionFor } = require("./judge.js");
const { checkOptions } = require("./options.js");
const { failOnOf } = require("./session.js");
const { sessionOptions, startOptions } = require("./server.js");

const verdictOptions = ["failOn", "ignore"];

/**
 * A `mockServer` with options of its own. All tests of the process share one daemon, which the first of them starts.
 */
function mockServers(options = {}) {
    checkOptions(options, [...startOptions, ...verdictOptions], "mockServers(options)");
    let server;
    return async function mockServer(t, own = {}) {
        if (typeof t?.after !== "function") {
            throw new TypeError(
                "mockServer(t) takes the context of a test, test(name, async (t) => …). For all tests of a suite call it in" +
                    " beforeEach(async (t) => …), since before(…) has no context of a test",
            );
        }
        checkOptions(own, [...sessionOptions, ...verdictOptions], "mockServer(t, options)");
        server ??= serverFor(options);
        const { failOn = options.failOn, ignore = options.ignore, ...session } = own;
        if (failOn !== undefined) failOnOf(failOn);
        const mock = await sessionFor(await server, t.fullName ?? t.name, { ...options, session });
        t.after(async () => {
            try {
                // `passed` and `error` are there from node 20.12 on; before, it shows no requests.
                const { error, findings } = await judge(mock, { failOn, ignore }, Boolean(t.error));
                if (!error) findings?.split("\n").forEach((line) => t.diagnostic(line));
                if (error) throw error;
            } finally {
                await mock.end();
            }
        });
        return mock;
    };
}

// One by one, so that `import` finds their names.
exports.mockServers = mockServers;
exports.mockServer = mockServers();
