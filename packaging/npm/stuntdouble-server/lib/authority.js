"use strict";
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { StuntDoubleError } = require("./errors.js");
const { refusal } = require("./http.js");
const { limits } = require("./starting.js");

/** The certificate authority of a daemon, in the forms that clients take it in. */
class Authority {
    #pem;
    #file;
    #failure;

    /** Asks for it, unless it is known; a daemon may begin to have one with a session. What goes wrong is told to whoever wants it. */
    async find(connection) {
        if (this.#pem !== undefined) return;
        const path = "/__admin/certs/wiremock-ca.crt";
        try {
            const { status, text } = await connection.send("GET", path, undefined, limits.startMilliseconds);
            this.#failure = status === 404 || status === 200 ? undefined : refusal(`GET ${path}`, status, text);
            if (status === 200) this.#pem = text;
        } catch (error) {
            this.#failure = error;
        }
    }

    get pem() {
        if (this.#pem !== undefined) return this.#pem;
        if (this.#failure) throw this.#failure;
        throw new StuntDoubleError(
            "no authority issues certificates here: begin a session with { httpsPort: 0 }, or start the daemon with the args" +
                " --https-port 0 or --forward-proxy; with a key store of your own clients trust that one's authority",
        );
    }

    /** The path of a file with it, which ends with the process. */
    get file() {
        if (this.#file === undefined) {
            const { pem } = this;
            const folder = mkdtempSync(join(tmpdir(), "stuntdouble-ca-"));
            process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
            this.#file = join(folder, "ca.pem");
            writeFileSync(this.#file, pem);
        }
        return this.#file;
    }
}

module.exports = { Authority };
