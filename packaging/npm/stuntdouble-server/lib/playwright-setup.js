"use strict";
// A `globalSetup` for Playwright Test: one daemon for all workers. Where STUNTDOUBLE_URL names one, that is used.
const { foreignUrl, sharedVariable, stopServer } = require("./judge.js");
const { start } = require("./server.js");

module.exports = async function setUp(config) {
    if (foreignUrl()) return undefined;
    const use = config?.projects?.[0]?.use ?? {};
    const server = await start({ mocks: use.stuntdoubleMocks, args: use.stuntdoubleArgs });
    // The workers inherit it.
    process.env[sharedVariable] = server.url;
    return async () => {
        delete process.env[sharedVariable];
        await stopServer(server);
    };
};
