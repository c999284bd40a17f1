"use strict";
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { AdminError, StuntDoubleError } = require("./errors.js");

/** The certificate authority of a daemon, in the forms that clients take it in. */
class Authority {
    #pem;
    #file;

    /** Asks for it, unless it is known; a daemon may begin to have one with a session. */
    async find(connection) {
        if (this.#pem !== undefined) return;
        const { status, text } = await connection.send("GET", "/__admin/certs/wiremock-ca.crt");
        if (status === 200) this.#pem = text;
        else if (status !== 404) throw new AdminError(`GET /__admin/certs/wiremock-ca.crt: status ${status}: ${text.trim()}`, status, text);
    }

    get pem() {
        if (this.#pem !== undefined) return this.#pem;
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
