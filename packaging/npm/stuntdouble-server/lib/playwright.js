"use strict";
// For Playwright Test: a mock server for each test, whose identity the browser carries. See docs/javascript.md.
const { test: base, expect } = require("@playwright/test");
const { defaultIgnore, judge, serverFor, sessionFor, stopServer, withIdentity } = require("./judge.js");

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
        { stuntdoubleServer, stuntdoubleMocks, stuntdoubleSession, stuntdoubleFailOn, stuntdoubleIgnore },
        use,
        testInfo,
    ) => {
        const options = { mocks: stuntdoubleMocks, session: stuntdoubleSession };
        const mock = await sessionFor(stuntdoubleServer, testInfo.titlePath.slice(1).join(" › "), options);
        try {
            await use(mock);
            if (testInfo.status === "skipped") return;
            const failed = testInfo.status !== testInfo.expectedStatus;
            const policy = { failOn: stuntdoubleFailOn, ignore: stuntdoubleIgnore };
            const { error, findings } = await judge(mock, policy, failed);
            if (findings) {
                await testInfo.attach("stuntdouble", { body: Buffer.from(findings), contentType: "text/plain" });
            }
            if (error) throw error;
        } finally {
            await mock.end();
        }
    },

    // Of the browser's context, and of the fixture `request`: so the identity reaches servers that pass `baggage` on.
    extraHTTPHeaders: async ({ extraHTTPHeaders, stuntdouble }, use) => {
        await use(withIdentity(extraHTTPHeaders, stuntdouble));
    },
    // Again, since `test.use({ extraHTTPHeaders })` takes the place of the fixture above.
    context: async ({ context, extraHTTPHeaders, stuntdouble }, use) => {
        await context.setExtraHTTPHeaders(withIdentity(extraHTTPHeaders, stuntdouble));
        await use(context);
    },
};

// One by one, so that `import` finds their names.
exports.fixtures = fixtures;
exports.test = base.extend(fixtures);
exports.expect = expect;
