// Compiled by types.test.mjs, never run: what editors take, and what they show as an error.
import { RequestPattern, Server, Session } from "stuntdouble-server";

export async function valid(mock: Session, record: Record<string, unknown>, text: string) {
    await mock.stub("GET /a");
    await mock.stub("GET /a", { json: [1, { a: null }], status: 201, headers: { "X-A": ["1", 2] }, delay: "120ms" });
    await mock.stub("GET /a", { body: new Uint8Array(3), status: "{{request.query.s}}", delay: text, when: record });
    await mock.stub("GET /a", { json: 1, fault: { cutAfter: "50%", then: "rst" }, metadata: record });
    await mock.stub("GET /a", { delay: { uniform: ["50ms", "500ms"] }, sequence: [{ status: 503 }, { json: 1 }], onEnd: "loop" });
    await mock.stub("GET /a", [{ when: { query: { a: "1", b: { contains: "x" }, c: ["1", "2"] } } }, { status: 404 }]);
    await mock.stub("CRUD /users", { data: [{ id: 1 }], key: "id" });
    await mock.stub({ request: { method: "GET", urlPath: "/a", headers: { A: { equalTo: "b", caseInsensitive: true } } }, response: { status: 200, jsonBody: {} } });
    await mock.stub({ request: { method: "BREW", bodyPatterns: [{ equalToJson: { a: 1 }, ignoreArrayOrder: true }, { matchesJsonPath: { expression: "$.a", contains: "b" } }] } });
    await mock.stub({ "GET /a": { json: 1 }, "GET /b": [{ status: 1 }], "CRUD /c": "users.json", defaults: { basePath: "/v1" } });
    await mock.stub({ mappings: [{ request: { url: "/" } }, { "GET /a": {} }] });
    await mock.stub([{ request: { url: "/" }, "x-note": "y" }, { "GET /a": {} }]);
    await mock.verify({ method: "GET", urlPathTemplate: "/users/{id}", pathParameters: { id: { matches: "[0-9]+" } } });
    const pattern: RequestPattern = { urlPath: "/", host: { absent: true } };
    await mock.verify(pattern);
    const widened = { status: 200, json: { a: 1 }, delay: "2s", headers: { A: "b" }, when: { query: { a: "b" } }, times: 2 };
    await mock.stub("GET /a", widened);
    await mock.stub("GET /a", { ...widened, name: text });
    const mapping = { request: { method: "GET", url: "/", headers: { A: { equalTo: "x" } } }, response: { status: 200, body: "" }, priority: 1 };
    await mock.stub(mapping);
    await mock.stub("GET /a", { stream: [{ data: 1, after: "1s" }, { hold: "gate" }] });
}

export async function sessions(server: Server) {
    await server.session({ settings: { fixedDelay: 20, clock: { offset: "-3 days" } }, passThrough: "https://api.example.com" });
    // @ts-expect-error
    await server.session({ settings: { fixdDelay: 20 } });
}

export function invalid(mock: Session) {
    // @ts-expect-error
    mock.stub("GET /a", { jsn: 1 });
    // @ts-expect-error
    mock.stub("GET /a", { fault: "EMPTY_RESPONCE" });
    // @ts-expect-error
    mock.stub("GET /a", { fault: { cutAfter: "fifty" } });
    // @ts-expect-error
    mock.stub("GET /a", { fault: { cutAfter: 1, than: "rst" } });
    // @ts-expect-error
    mock.stub("GET /a", { ttl: "30 seconds" });
    // @ts-expect-error
    mock.stub("GET /a", { when: { query: { a: { containz: "x" } } } });
    // @ts-expect-error
    mock.stub("GET /a", { when: { quiry: {} } });
    // @ts-expect-error
    mock.stub("GET /a", { sequence: [{ status: 1, prioriti: 3 }] });
    // @ts-expect-error
    mock.stub("GET /a", { onEnd: "again" });
    // @ts-expect-error
    mock.stub({ request: { urlPaht: "/" } });
    // @ts-expect-error
    mock.stub({ request: { url: "/" }, respons: { status: 200 } });
    // @ts-expect-error
    mock.stub({ request: { headers: { A: { count: "x" } } } });
    // @ts-expect-error
    mock.stub({ "GET /a": { jsn: 1 } });
    // @ts-expect-error
    mock.verify({ urlPathh: "/" });
}
