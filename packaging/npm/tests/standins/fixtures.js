"use strict";
// What `test.extend` does in Playwright Test and in Vitest, as far as fixtures with dependencies, options and scopes go.
// Neither can be installed where these tests have to run; playwright-core, the browser and the helpers are the real ones.

/** The names that a fixture or test destructures from its first parameter. */
function dependencies(fn) {
    const text = fn.toString().replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "");
    const parameters = text.slice(text.indexOf("(") + 1).trimStart();
    if (!parameters.startsWith("{")) {
        if (parameters.startsWith(")")) return [];
        throw new Error("First argument must use the object destructuring pattern: " + parameters.split("\n")[0]);
    }
    const inner = parameters.slice(1, parameters.indexOf("}"));
    return inner.split(",").map((part) => part.split(":")[0].trim()).filter(Boolean);
}

/** Registrations by name, the newest last; each as { value, scope, option, before }. */
function extended(registrations, fixtures) {
    const result = new Map(registrations);
    for (const [name, given] of Object.entries(fixtures)) {
        const before = registrations.get(name);
        const [value, settings] = Array.isArray(given) && given[1]?.constructor === Object && given.length === 2 ? given : [given, {}];
        const scope = settings.scope ?? before?.scope ?? "test";
        if (before && settings.scope && settings.scope !== before.scope) throw new Error(`Fixture "${name}" has another scope`);
        result.set(name, { name, value, scope, option: settings.option ?? before?.option ?? false, before });
    }
    return result;
}

/** The registrations of layers of fixtures. Options of the configuration come right after their definition, as in Playwright. */
function folded(layers, use = {}) {
    let registrations = new Map();
    for (const layer of layers) {
        registrations = extended(registrations, layer);
        const isOption = (name) => Array.isArray(layer[name]) && layer[name][1]?.option;
        registrations = extended(registrations, Object.fromEntries(Object.entries(use).filter(([name]) => isOption(name))));
    }
    return registrations;
}

/** One scope's instances, made when they are first asked for and ended in the opposite order. */
class Pool {
    constructor(scope, parent, extra) {
        this.scope = scope;
        this.parent = parent;
        this.extra = extra;
        this.made = new Map();
        this.ends = [];
    }

    async get(registrations, registration) {
        if (registration.scope === "worker" && this.scope === "test") return this.parent.get(registrations, registration);
        if (registration.scope === "test" && this.scope === "worker") {
            throw new Error(`worker fixture cannot depend on a test fixture "${registration.name}".`);
        }
        if (this.made.has(registration)) return this.made.get(registration);
        const value = await this.make(registrations, registration);
        this.made.set(registration, value);
        return value;
    }

    async make(registrations, registration) {
        if (typeof registration.value !== "function") return registration.value;
        const given = {};
        for (const name of dependencies(registration.value)) {
            const wanted = name === registration.name ? registration.before : registrations.get(name);
            if (!wanted) throw new Error(`Fixture "${registration.name}" has unknown parameter "${name}".`);
            given[name] = await this.get(registrations, wanted);
        }
        return new Promise((resolve, reject) => {
            let finish;
            const used = new Promise((done) => (finish = done));
            const running = (async () =>
                registration.value(given, async (value) => {
                    resolve(value);
                    await used;
                }, this.extra))();
            running.catch(reject);
            this.ends.push(() => {
                finish();
                return running;
            });
        });
    }

    /** Ends all; the errors. */
    async end() {
        const errors = [];
        for (const end of this.ends.reverse()) await end().catch((error) => errors.push(error));
        return errors;
    }
}

module.exports = { dependencies, extended, folded, Pool };
