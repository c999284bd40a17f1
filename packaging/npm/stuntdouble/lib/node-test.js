"use strict";
// For node:test: a mock server for each test. See docs/javascript.md.
const { judge, serverFor, sessionFor } = require("./judge.js");

/**
 * A `mockServer` with options of its own. All tests of the process share one daemon, which the first of them starts.
 */
function mockServers(options = {}) {
    let server;
    return async function mockServer(t, own = {}) {
        server ??= serverFor(options);
        const { failOn = options.failOn, ignore = options.ignore, ...session } = own;
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
