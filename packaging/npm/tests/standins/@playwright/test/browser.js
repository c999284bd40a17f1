"use strict";
// A stand-in for a browser, where there is none: its contexts send nothing, and say what they would send.

/** What fetches without a page. As in Playwright, all methods call `fetch`. */
function fetching(baseURL, extraHTTPHeaders) {
    return {
        async fetch(what, options = {}) {
            const url = typeof what === "string" ? new URL(what, baseURL).href : what.url();
            return { url, headers: { ...extraHTTPHeaders, ...options.headers } };
        },
        get(what, options) {
            return this.fetch(what, { ...options, method: "GET" });
        },
    };
}

function contextOf({ baseURL, extraHTTPHeaders = {} } = {}) {
    const routes = [];
    const context = {
        request: fetching(baseURL, extraHTTPHeaders),
        async route(isMeant, handler) {
            routes.unshift([isMeant, handler]);
        },
        async close() {},
        /** The headers with which a page would send a request, and by how many routes it was stopped. */
        async sent(address, headers = {}) {
            const url = new URL(address, baseURL);
            let said = Object.fromEntries(Object.entries({ ...extraHTTPHeaders, ...headers }).map(([name, value]) => [name.toLowerCase(), value]));
            let stops = 0;
            for (const [isMeant, handler] of routes) {
                if (!isMeant.test(url.href)) continue;
                stops += 1;
                await handler({
                    request: () => ({ url: () => url.href, headers: () => said }),
                    async fallback(options = {}) {
                        said = options.headers ?? said;
                    },
                });
            }
            return { headers: said, stops };
        },
        async newPage() {
            return { context: () => context, request: context.request };
        },
    };
    return context;
}

module.exports = {
    fetching,
    launch: async () => ({ newContext: async (options) => contextOf(options), close: async () => {} }),
};
