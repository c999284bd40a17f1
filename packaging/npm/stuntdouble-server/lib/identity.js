"use strict";
// The identity of a test, on what a browser sends to the application and to the mock, and to nobody else: any other origin would
// have to allow the two headers, and would be asked for that by a preflight.

/** The session that a context carries; a context that is used again carries the last one. */
const carried = new WeakMap();

/**
 * Lets a context of a browser, and what it fetches by `context.request`, send a session's headers to the base URL's origin and
 * to the daemon's. `extraHTTPHeaders` are those of the context, whose `baggage` keeps its members.
 */
async function carryIdentity(context, session, { baseURL, extraHTTPHeaders } = {}) {
    if (carried.get(context) === session) return context;
    carried.set(context, session);
    const isMeant = places(baseURL, session);
    await context.route(isMeant, (route) => {
        if (carried.get(context) !== session) return route.fallback();
        return route.fallback({ headers: withIdentity(route.request().headers(), session, extraHTTPHeaders) });
    });
    if (context.request) carryOnFetch(context.request, session, { baseURL, extraHTTPHeaders });
    return context;
}

/** The same for what fetches without a page, such as Playwright's fixture `request`. */
function carryOnFetch(api, session, { baseURL, extraHTTPHeaders } = {}) {
    const isMeant = places(baseURL, session);
    const fetch = api.fetch.bind(api);
    // All other methods call this one.
    api.fetch = (what, options = {}) => {
        if (!isMeant.test(urlOf(what, baseURL))) return fetch(what, options);
        const own = options.headers ?? (typeof what === "string" ? {} : what.headers());
        return fetch(what, { ...options, headers: withIdentity(own, session, extraHTTPHeaders) });
    };
    return api;
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The URLs of the application and of the daemon, by whatever name of this machine. An expression, by which a browser tells other
 * requests apart without asking here.
 */
function places(baseURL, session) {
    const origins = [baseURL, session.serverUrl, session.url, httpsUrlOf(session)].flatMap((url) => originsOf(url));
    const escaped = [...new Set(origins)].map((origin) => origin.replace(/[^\w:/]/g, "\\$&"));
    return new RegExp(`^(?:${escaped.join("|")})(?=[/?#]|$)`);
}

/** The origin of a URL, by each name that it may have; none for a text that is none. */
function originsOf(url) {
    const whole = urlOf(url ?? "");
    if (!whole) return [];
    const { protocol, hostname, port } = new URL(whole);
    const hosts = loopback.includes(hostname) ? loopback : [hostname];
    return hosts.map((host) => `${protocol}//${host}${port && `:${port}`}`);
}

/** The whole URL of what is fetched. */
function urlOf(what, baseURL) {
    if (typeof what !== "string") return what.url();
    try {
        return new URL(what, baseURL).href;
    } catch {
        return "";
    }
}

function httpsUrlOf(session) {
    try {
        return session.httpsUrl;
    } catch {
        return undefined;
    }
}

function nameOf(headers, name) {
    return Object.keys(headers ?? {}).find((key) => key.toLowerCase() === name);
}

/** Headers with those of a session, and each name once; a `baggage` that is there, or among the general ones, keeps its members. */
function withIdentity(headers, session, general) {
    const merged = { ...headers };
    const baggage = merged[nameOf(merged, "baggage")] ?? general?.[nameOf(general, "baggage")];
    for (const name of Object.keys(session.headers)) delete merged[nameOf(merged, name.toLowerCase())];
    Object.assign(merged, session.headers);
    if (baggage) merged.baggage = baggage.includes(merged.baggage) ? baggage : `${baggage}, ${merged.baggage}`;
    return merged;
}

module.exports = { carryIdentity, carryOnFetch, withIdentity };
