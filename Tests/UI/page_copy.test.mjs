import test from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

globalThis.location = { pathname: "/__admin/ui/", origin: "http://localhost" };
const { routeOf, mappingOf, swiftOf, pythonOf, javascriptOf, jsonString, swiftString, pythonString, isSecretName, maskURL, maskBody, masked, compactJSON, inSession } = await import("../../Sources/Admin/CResources/ui/copy.js");
const { partsOf, eventsOf, layOutXML, pictureOf, hexLines } = await import("../../Sources/Admin/CResources/ui/bodies.js");
const { shown, formatDuration, formatSize, formatCount } = await import("../../Sources/Admin/CResources/ui/dom.js");
const { markText, markTemplate } = await import("../../Sources/Admin/CResources/ui/detail.js");
const { elided } = await import("../../Sources/Admin/CResources/ui/requests.js");

const NASTY = ["plain", "it's", '"', "\\", "`id`", "$(id)", "${x}", "a\nb", "a\r\nb", "\t", "\0", "\x1b[31m", "\u202e", "\u2028", "ä😀", "\ud800", "#{x}", "\\(x)", "%s", "{{x}}", "</script>"];
const base64 = (text) => Buffer.from(text, "utf8").toString("base64");
const event = (body, headers = {}) => ({
    wasMatched: true,
    request: { method: "POST", url: "/a?b='c'&d=\"", headers, body, bodyAsBase64: base64(body) },
    response: { status: 201, headers: { "Content-Type": "text/plain" }, body, bodyAsBase64: base64(body) },
});

test("quoted strings are read back as they were, and have no control characters", () => {
    for (const text of NASTY) {
        for (const quoted of [jsonString(text), swiftString(text), pythonString(text)]) assert.doesNotMatch(quoted, /[\u0000-\u001f\u007f\u202e\u2028]/);
        assert.equal(JSON.parse(jsonString(text)), text);
        assert.equal(eval(jsonString(text)), text);
        assert.doesNotMatch(swiftString(text), /(?<!\\)(\\\\)*\\\(/, "no interpolation");
    }
});

test("Python reads its strings back", () => {
    const script = `import json\nprint(json.dumps([${NASTY.map(pythonString).join(", ")}]))`;
    assert.deepEqual(JSON.parse(execFileSync("python3", ["-c", script], { encoding: "utf8" })), NASTY);
});

test("JavaScript and Python of a request are whole programs", () => {
    for (const text of NASTY) {
        const e = event(text, { "X-A": [text, "2"], Host: "h", "Content-Length": "3" });
        const js = javascriptOf(e, "http://h");
        assert.doesNotThrow(() => new Function(`return async () => {${js}}`), js);
        assert.doesNotMatch(js, /"Host"|Content-Length/);
        execFileSync("python3", ["-c", "import ast,sys; ast.parse(sys.stdin.read())"], { input: pythonOf(e, "http://h") });
        assert.match(swiftOf(e, "http://h"), /URLSession/);
    }
});

test("JavaScript sends what was received", async () => {
    const seen = [];
    const run = new Function("fetch", "console", `return (async () => {${javascriptOf(event("it's\0", { "X-A": ["1", "2"] }), "http://h")}})()`);
    await run(async (url, options) => { seen.push([url, options]); return { status: 1, text: async () => "" }; }, { log() {} });
    assert.equal(seen[0][0], "http://h/a?b='c'&d=\"");
    assert.deepEqual(seen[0][1].headers, [["X-A", "1"], ["X-A", "2"]]);
    assert.equal(seen[0][1].body, "it's\0");
});

test("a mapping is JSON that says what was answered", () => {
    for (const text of NASTY) {
        const mapping = JSON.parse(mappingOf(event(text)));
        assert.equal(mapping.request.url, "/a?b='c'&d=\"");
        if (!/[\ud800-\udfff]/.test(text)) assert.equal(mapping.response.body, text);
    }
    const json = event('{"id":9007199254740993}');
    json.response.headers["Content-Type"] = "application/json";
    assert.match(mappingOf(json), /9007199254740993/);
    assert.equal(JSON.parse(mappingOf({ ...json, wasMatched: false })).response.status, 200);
});

test("a route has its key in quotes where YAML would read it otherwise", () => {
    assert.match(routeOf({ ...event("x"), request: { method: "GET", url: "/a/b" } }), /^GET \/a\/b:\n/);
    assert.match(routeOf(event("x")), /^"POST =\/a\?b='c'&d=\\""/);
    assert.match(routeOf({ ...event("x"), request: { method: "GET", url: "/a{b" } }), /^"GET =\/a\{b":/);
    assert.match(routeOf({ ...event("x"), request: { method: "POST", url: "/orders?x=1&y=2" } }), /^"POST \/orders\?x=1&y=2":\n/);
    assert.match(routeOf({ ...event("x"), request: { method: "GET", url: "/orders?x" } }), /^GET =\/orders\?x:\n/);
});

test("JSON with a key twice is not made into a document of YAML", () => {
    assert.equal(compactJSON('{"a":1,"a":2}'), null);
    assert.equal(compactJSON('{"a":[1.0,{}]}'), '{ "a": [1.0, {}] }');
    assert.equal(compactJSON("nope"), null);
});

test("secrets are told by their names, as the daemon does", () => {
    for (const name of ["Authorization", "cookie", "access_token", "accessToken", "ACCESS-TOKEN", "db_password", "AWS_SECRET_ACCESS_KEY", "x-api-key", "X-Vault-Token", "githubToken", "password2", "login[password]", "token[0]", "client_secret"]) assert.ok(isSecretName(name), name);
    for (const name of ["token_type", "tokens", "max_tokens", "password_hint", "author", "keyboard", "key", "session", "next_page_token", "name", "Host"]) assert.ok(!isSecretName(name), name);
});

test("masking leaves documents readable", () => {
    assert.equal(maskURL("/a?x=1&access_token=abc&%74oken=d"), "/a?x=1&access_token=(redacted)&%74oken=(redacted)");
    assert.deepEqual(JSON.parse(maskBody('{"user":"ada","password":"p\\"w","pin":7,"token":12,"n":{"secret":"x"}}')), { user: "ada", password: "(redacted)", pin: 7, token: 0, n: { secret: "(redacted)" } });
    assert.equal(maskBody("user=ada&password=x%20y"), "user=ada&password=(redacted)");
    assert.equal(maskBody("<a><password>x</password></a>"), "<a><password>(redacted)</password></a>");
    const e = masked({ request: { url: "/?token=1", headers: { Authorization: "Bearer x", A: "b" }, body: "password=1", bodyAsBase64: base64("password=1") } });
    assert.doesNotMatch(JSON.stringify(e), /Bearer/);
    assert.equal(Buffer.from(e.request.bodyAsBase64, "base64").toString(), "password=(redacted)");
});

test("multipart bodies are taken apart, bytes included", () => {
    const body = Buffer.concat([Buffer.from('--B\r\nContent-Disposition: form-data; name="n"\r\n\r\n7\r\n--B\r\nContent-Disposition: form-data; name="f"; filename="x"\r\nContent-Type: image/png\r\n\r\n'), Buffer.from([0x89, 0, 255]), Buffer.from("\r\n--B--\r\n")]);
    const parts = partsOf(new Uint8Array(body), "multipart/form-data; boundary=B");
    assert.equal(parts.length, 2);
    assert.deepEqual([...parts[1].bytes], [0x89, 0, 255]);
    assert.equal(parts[0].headers[0][0], "Content-Disposition");
    assert.equal(partsOf(new Uint8Array(body), "multipart/form-data"), null);
    assert.ok(partsOf(new TextEncoder().encode("--B\r\nbroken"), "multipart/x; boundary=B").length <= 1);
});

test("event streams one by one", () => {
    assert.deepEqual(eventsOf(": hi\n\nevent: a\ndata: 1\ndata: 2\nid: 3\n\n").map((e) => [e.event, e.id, e.data, e.comment]), [["", "", null, "hi"], ["a", "3", "1\n2", ""]]);
});

test("XML is laid out, and left alone if it is none", () => {
    assert.equal(layOutXML('<?xml version="1.0"?><a><b x="1>2">t</b><c/></a>'), '<?xml version="1.0"?>\n<a>\n  <b x="1>2">t</b>\n  <c/>\n</a>');
    assert.equal(layOutXML("<a><b></a>".repeat(2)), null);
    assert.equal(layOutXML("<a"), null);
});

test("pictures are told by their first bytes, with their size", () => {
    const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
    assert.deepEqual(pictureOf(new Uint8Array(gif)), ["image/gif", 1, 1]);
    assert.equal(pictureOf(new TextEncoder().encode("<svg/>")), null);
    assert.equal(pictureOf(new Uint8Array(0)), null);
    assert.deepEqual(pictureOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])), ["image/jpeg", 0, 0]);
});

test("bytes, durations and sizes", () => {
    assert.match(hexLines(new Uint8Array([0, 65, 255]), 0, 16), /^00000000 {2}00 41 ff .*\.A\.$/);
    assert.deepEqual([0.4, 14, 1240, 64_000, 7_500_000].map(formatDuration), ["<1 ms", "14 ms", "1.24 s", "1 m 04 s", "2 h 05 m"]);
    assert.deepEqual([713, 1300, 2_100_000, 999_600].map(formatSize), ["713 B", "1.3 kB", "2.1 MB", "1.0 MB"]);
    assert.equal(formatCount(1234567), "1,234,567");
});

test("text of strangers has no invisible characters", () => {
    assert.equal(shown("a\u202eb\n\0\ud800"), "a\\u202eb\\n\\0\\ud800");
    assert.equal(shown("x".repeat(9), 4), "xxxx…");
    assert.equal(shown("😀"), "😀");
});

test("what differs between two texts", () => {
    const marked = (parts) => parts.map(([t, d]) => (d && t ? `[${t}]` : t)).join("");
    assert.deepEqual(markText("image", "imagine").map(marked), ["image", "imag[in]e"]);
    assert.deepEqual(markTemplate("/api/breed/{breed}/image", "/api/breed/hound/imagine?x").map(marked), ["/api/breed/{breed}/image", "/api/breed/hound/imag[in]e?x"]);
    assert.deepEqual(markText("a😀", "a😁").map(marked), ["a[😀]", "a[😁]"]);
});

test("a long path loses its middle, not its end", () => {
    const { path, query } = elided("/api/very/long/path/to/thumbnail.gif?q=1", 24);
    assert.match(path, /^\/api.*…\/thumbnail\.gif$/);
    assert.equal(query, "?q=1");
});

test("a command of a session has its path, once", () => {
    const curl = (url) => `curl -X 'POST' \\\n  -H 'Referer: http://h/__session/a/x' \\\n  '${url}'`;
    assert.equal(inSession(curl("http://h:1/a'\\''b"), "http://h:1/__session/a"), curl("http://h:1/__session/a/a'\\''b"));
    assert.equal(inSession(curl("https://h/"), "http://h/__session/a"), curl("https://h/__session/a/"));
    assert.equal(inSession(curl("http://h/__session/a/b"), "http://h/__session/a"), curl("http://h/__session/a/b"));
    assert.equal(inSession(curl("http://h:2/b"), "http://h:2"), curl("http://h:2/b"), "a port of its own is enough");
});
