// The package as users see it, from a folder whose node_modules have it: the installed one if STUNTDOUBLE_PACKAGE names a
// folder, or else this checkout.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));

/** A new folder in which `stuntdouble`, and the stand-ins for test runners, can be imported. */
export function project() {
    const folder = mkdtempSync(join(tmpdir(), "stuntdouble-test-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    const modules = join(folder, "node_modules");
    const given = process.env.STUNTDOUBLE_PACKAGE;
    // Copies, since node looks for what a module imports from where it really is.
    if (given) cpSync(join(given, "node_modules"), modules, { recursive: true });
    else cpSync(join(here, "../stuntdouble-server"), join(modules, "stuntdouble-server"), { recursive: true });
    cpSync(join(here, "standins"), modules, { recursive: true });
    return folder;
}
