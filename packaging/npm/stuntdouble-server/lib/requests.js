"use strict";

/** A request in the journal, with what was answered. */
function requestOf(event) {
    const { request, response } = event;
    const body = Buffer.from(request.bodyAsBase64 ?? "", "base64");
    return {
        method: request.method,
        url: request.url,
        path: request.url.split("?")[0],
        query: new URLSearchParams(request.url.split("?").slice(1).join("?")),
        variables: {},
        headers: request.headers ?? {},
        body,
        text: body.toString(),
        json: () => JSON.parse(body.toString()),
        header(name) {
            return Object.entries(this.headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
        },
        matched: event.wasMatched,
        status: response?.status,
        stub: event.wasMatched ? event.stubMapping : undefined,
        raw: event,
        toString() {
            const answered = this.status ? ` → ${this.status}` : "";
            return `${this.method} ${this.url}${answered}${this.matched === false ? " (unmatched)" : ""}`;
        },
    };
}

module.exports = { requestOf };
