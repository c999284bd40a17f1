// A stand-in for Vitest: see ../fixtures.js.
import assert from "node:assert/strict";
import standin from "../fixtures.js";

const { extended } = standin;
export const tests = [];
let given = {};

/** What a global setup has provided. */
export function inject(key) {
    return given[key];
}

export function provided(values) {
    given = values;
}

function testOf(registrations) {
    const test = (name, body) => tests.push({ name, body, registrations });
    test.extend = (fixtures) => testOf(extended(registrations, fixtures));
    return test;
}

// The task is a test's own; the runner puts it there.
export const test = testOf(extended(new Map(), { task: undefined }));
export const it = test;
export const expect = (found) => ({ toBe: (expected) => assert.strictEqual(found, expected) });
