"use strict";
// A stand-in for Playwright Test: see ../../fixtures.js. STUNTDOUBLE_PLAYWRIGHT_CORE is the folder of playwright-core, and
// CHROMIUM the browser; without them the browser is a stand-in, too.
const assert = require("node:assert/strict");
const standIn = require("./browser.js");
const tests = [];

const builtIn = {
    browser: [
        async ({}, use) => {
            const core = process.env.STUNTDOUBLE_PLAYWRIGHT_CORE;
            const { chromium } = core ? require(core) : { chromium: standIn };
            const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
            await use(browser);
            await browser.close();
        },
        { scope: "worker" },
    ],
    baseURL: [undefined, { option: true }],
    extraHTTPHeaders: [undefined, { option: true }],
    context: async ({ browser, baseURL, extraHTTPHeaders }, use) => {
        const context = await browser.newContext({ baseURL, extraHTTPHeaders });
        await use(context);
        await context.close();
    },
    request: async ({ baseURL, extraHTTPHeaders }, use) => {
        await use(standIn.fetching(baseURL, extraHTTPHeaders));
    },
    page: async ({ context }, use) => {
        await use(await context.newPage());
    },
};

function testOf(layers) {
    const test = (title, body) => tests.push({ title, body, layers });
    test.extend = (fixtures) => testOf([...layers, fixtures]);
    test.fail = (title, body) => tests.push({ title, body, layers, expectedStatus: "failed" });
    return test;
}

function expect(found) {
    return {
        toBe: (expected) => assert.strictEqual(found, expected),
        toEqual: (expected) => assert.deepEqual(found, expected),
        toMatch: (expected) => assert.match(found, expected),
    };
}

module.exports = { test: testOf([builtIn]), expect, tests };
