// A `globalSetup` for Vitest: one daemon for all workers. Where STUNTDOUBLE_URL names one, that is used.
import judging from "./judge.js";
import serving from "./server.js";

/** A setup with options, such as the folder of stubs. */
export function setup(options = {}) {
    return async function setUp({ provide }) {
        if (judging.foreignUrl()) return undefined;
        const server = await serving.start(options);
        provide("stuntdoubleUrl", server.url);
        return () => judging.stopServer(server);
    };
}

export default setup();
