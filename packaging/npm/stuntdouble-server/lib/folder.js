"use strict";
// The files of a folder of stubs, as a daemon finds them that serves the folder.
const { readFile, readdir, stat } = require("node:fs/promises");
const { existsSync, readdirSync } = require("node:fs");
const { basename, dirname, join, resolve } = require("node:path");
const { StuntDoubleError } = require("./errors.js");
const { nearest } = require("./options.js");

const stubName = /\.(json|yaml|yml)$/i;
const leftOut = ["__files", "node_modules"];

/**
 * The calls of the admin API that load a stub file, or a folder with its `__files`: each its method, path and body. The error has
 * a guess at what is meant.
 */
async function callsFor(path) {
    path = String(path);
    const facts = await stat(path).catch((error) => {
        if (!["ENOENT", "ENOTDIR"].includes(error.code)) throw error;
        throw new StuntDoubleError(`no stub file or folder: ${path}${guess(path)}`, { cause: error });
    });
    if (!facts.isDirectory()) return [["POST", `/mappings/import/${escaped(basename(path))}`, await readFile(path)]];
    const calls = [];
    const bodies = join(path, "__files");
    for (const name of await filesBelow(bodies, () => true)) {
        calls.push(["PUT", `/files/${escaped(name)}`, await readFile(join(bodies, name))]);
    }
    // Named as a daemon names them that serves the folder: the same files have the same stubs.
    const inner = (await stat(join(path, "mappings")).catch(() => undefined))?.isDirectory();
    const [root, prefix] = inner ? [join(path, "mappings"), "mappings/"] : [path, ""];
    const names = (await filesBelow(root, (name) => !name.startsWith(".") && !leftOut.includes(name))).filter((name) => stubName.test(name));
    // As the daemon has them: by their bytes, and the last one is tried first.
    for (const name of names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
        calls.push(["POST", `/mappings/import/${prefix}${escaped(name)}?folder=true`, await readFile(join(root, name))]);
    }
    return calls;
}

function escaped(name) {
    return name.split("/").map(encodeURIComponent).join("/");
}

/** The names of the files below a folder, with `/`; links are followed, but none to a folder that it is in. */
async function filesBelow(folder, isUsed, prefix = "", above = []) {
    const facts = await stat(folder).catch(() => undefined);
    const id = `${facts?.dev} ${facts?.ino}`;
    if (!facts?.isDirectory() || above.includes(id)) return [];
    const names = [];
    for (const entry of (await readdir(folder)).filter(isUsed)) {
        // A link that leads nowhere is no file.
        const found = await stat(join(folder, entry)).catch(() => undefined);
        if (found?.isDirectory()) names.push(...(await filesBelow(join(folder, entry), isUsed, `${prefix}${entry}/`, [...above, id])));
        else if (found?.isFile()) names.push(prefix + entry);
    }
    return names;
}

/** `; did you mean mocks?`: a name that is near, or the same one in a folder above. */
function guess(path) {
    const folder = dirname(resolve(path));
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
    const near = nearest(basename(path), names);
    if (near) return `; did you mean ${join(dirname(path), near)}?`;
    for (let above = dirname(folder), i = 0; i < 6; above = dirname(above), i++) {
        if (existsSync(join(above, basename(path)))) return `; did you mean ${join(above, basename(path))}?`;
    }
    return "";
}

module.exports = { callsFor, escaped };
