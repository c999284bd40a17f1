"use strict";
// For Playwright Test: a mock server for each test, whose identity the browser carries. See docs/javascript.md.
const { test: base, expect } = require("@playwright/test");
const { carryIdentity, carryOnFetch } = require("./identity.js");
const { defaultIgnore, judge, serverFor, sessionFor, stopServer } = require("./judge.js");

/** The session of the test that runs in this worker, and what contexts begin with; undefined between tests. */
let current;

const fixtures = {
    // Options, for `use` in playwright.config.
    stuntdoubleMocks: [undefined, { option: true, scope: "worker" }],
    stuntdoubleArgs: [[], { option: true, scope: "worker" }],
    stuntdoubleSession: [{}, { option: true }],
    stuntdoubleFailOn: ["unmatched,error", { option: true }],
    stuntdoubleIgnore: [defaultIgnore, { option: true }],

    stuntdoubleServer: [
        async ({ stuntdoubleMocks, stuntdoubleArgs }, use) => {
            const server = await serverFor({ mocks: stuntdoubleMocks, args: stuntdoubleArgs });
            await use(server);
            await stopServer(server);
        },
        { scope: "worker" },
    ],

    stuntdouble: async (
        { stuntdoubleServer, stuntdoubleMocks, stuntdoubleSession, stuntdoubleFailOn, stuntdoubleIgnore, baseURL, extraHTTPHeaders },
        use,
        testInfo,
    ) => {
        const options = { mocks: stuntdoubleMocks, session: stuntdoubleSession };
        const mock = await sessionFor(stuntdoubleServer, testInfo.titlePath.slice(1).join(" › "), options);
        try {
            current = { mock, baseURL, extraHTTPHeaders };
            await use(mock);
            current = undefined;
            if (testInfo.status === "skipped") return;
            const failed = testInfo.status !== testInfo.expectedStatus;
            const policy = { failOn: stuntdoubleFailOn, ignore: stuntdoubleIgnore };
            const { error, findings } = await judge(mock, policy, failed);
            if (findings) {
                await testInfo.attach("stuntdouble", { body: Buffer.from(findings), contentType: "text/plain" });
            }
            if (error) throw error;
        } finally {
            current = undefined;
            await mock.end();
        }
    },

    // Pages and fetches carry the identity to the application, and so it reaches the servers to which that passes `baggage` on.
    context: async ({ context, baseURL, extraHTTPHeaders, stuntdouble }, use) => {
        await use(await carryIdentity(context, stuntdouble, { baseURL, extraHTTPHeaders }));
    },
    request: async ({ request, baseURL, extraHTTPHeaders, stuntdouble }, use) => {
        await use(carryOnFetch(request, stuntdouble, { baseURL, extraHTTPHeaders }));
    },
    // Contexts that a test makes by itself do, too.
    browser: [
        async ({ browser }, use) => {
            const newContext = browser.newContext.bind(browser);
            browser.newContext = async (options) => {
                const context = await newContext(options);
                return current ? carryIdentity(context, current.mock, { ...current, ...options }) : context;
            };
            await use(browser);
        },
        { scope: "worker" },
    ],
};

// One by one, so that `import` finds their names.
exports.fixtures = fixtures;
exports.test = base.extend(fixtures);
exports.expect = expect;
exports.carryIdentity = carryIdentity;
