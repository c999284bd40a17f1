// For Vitest: a mock server for each test. See docs/javascript.md.
import { inject, test as base } from "vitest";
import judging from "./judge.js";

const { judge, serverFor, sessionFor } = judging;
/** One daemon a process: Vitest evaluates this module anew for each file. */
const servers = (globalThis[Symbol.for("stuntdouble.servers")] ??= new Map());

/** Fixtures with options of their own, for `test.extend`. */
export function fixtures(options = {}) {
    return {
        stuntdoubleOptions: {},
        stuntdouble: async ({ task, stuntdoubleOptions }, use) => {
            const chosen = { ...options, sharedUrl: provided(), ...stuntdoubleOptions };
            const key = JSON.stringify([chosen.url, chosen.mocks, chosen.args]);
            if (!servers.has(key)) servers.set(key, serverFor(chosen));
            const mock = await sessionFor(await servers.get(key), task.name, chosen);
            try {
                await use(mock);
                const { error, findings } = await judge(mock, chosen, task.result?.state === "fail");
                if (findings && !error) console.error(findings);
                if (error) throw error;
            } finally {
                await mock.end();
            }
        },
    };
}

/** The address that the global setup `stuntdouble-server/vitest-setup` gives to all workers. */
function provided() {
    return inject("stuntdoubleUrl") ?? undefined;
}

export const test = base.extend(fixtures());
export const it = test;
