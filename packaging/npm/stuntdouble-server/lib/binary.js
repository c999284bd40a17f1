"use strict";
const { existsSync } = require("node:fs");
const { delimiter, join } = require("node:path");
const { accessSync, constants, openSync, readSync, closeSync } = require("node:fs");
const { StartError } = require("./errors.js");

const platformPackage = `stuntdouble-server-${process.platform}-${process.arch}`;

/** The path of the daemon: that of the variable STUNTDOUBLE_BINARY, of this package, of the platform's package, or of PATH. */
function binaryPath() {
    if (process.env.STUNTDOUBLE_BINARY) return process.env.STUNTDOUBLE_BINARY;
    // There in a package that is handed out as a file, of all that it needs.
    const own = join(__dirname, "../bin/stuntdouble");
    if (existsSync(own)) return own;
    try {
        return require.resolve(`${platformPackage}/bin/stuntdouble`);
    } catch {
        // Not installed: optional dependencies may be left out, and there may be none for this platform.
    }
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
        const path = join(folder, "stuntdouble");
        if (folder && existsSync(path) && isProgram(path)) return path;
    }
    throw new StartError(
        `the package ${platformPackage} is not installed, and there is no stuntdouble in PATH. ` +
            "If npm was told to omit optional dependencies (--omit=optional), install again without that; " +
            `npm install ${platformPackage} adds it; or set STUNTDOUBLE_BINARY to the path of a binary`,
    );
}

/** Whether a file can be run and is no script, as the command of this package is one. */
function isProgram(path) {
    try {
        accessSync(path, constants.X_OK);
        const file = openSync(path, "r");
        const start = Buffer.alloc(2);
        readSync(file, start, 0, 2, 0);
        closeSync(file);
        return start.toString() !== "#!";
    } catch {
        return false;
    }
}

module.exports = { binaryPath, platformPackage };
