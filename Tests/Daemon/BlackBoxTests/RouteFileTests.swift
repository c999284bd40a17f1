import SDTestSupport
import Testing

/// Route files, as requests see them.
@Suite struct RouteFileTests {
    private static let routes = """
        defaults:
          basePath: /api
          headers: { X-Source: mock }
        x-ok: &ok { status: 200 }
        GET /streets/{name}:
          - when: { path: { name: Hauptstraße 1 } }
            body: found
          - when: { path: { name: { startsWith: ö } } }
            body: begins
          - status: 410
        GET /search?q={any}&lang=en:
          when: { query: { q: { matches: "[a-z ]+" }, lang: { contains: n } } }
          body: searched
        GET ~/v[12]/a|/old: *ok
        GET ~/stra(?i:%c3%9f)e: { body: street }
        GET /own: { headers: { x-source: own }, status: 204 }
        """

    @Test func defaultsPathsAndQueriesAreServed() throws {
        let daemon = try Daemon(files: ["a.yaml": Self.routes])
        for (target, status, body) in [
            ("/api/streets/Hauptstra%C3%9Fe%201", 200, "found"), ("/api/streets/%C3%B6x", 200, "begins"),
            ("/api/streets/Hauptstrasse", 410, ""), ("/api/search?lang=en&q=a%20b", 200, "searched"),
            ("/api/search?lang=en&q=7", 404, nil), ("/api/search?lang=de&q=a", 404, nil), ("/api/v2/a", 200, ""),
            ("/api/stra%C3%9Fe", 200, "street"), ("/api/stra%c3%9fe", 200, "street"), ("/api/stra%c3%9ee", 404, nil),
            ("/api/old", 200, ""), ("/old", 404, nil), ("/streets/x", 404, nil),
        ] as [(String, Int, String?)] {
            let response = try daemon.get(target)
            #expect(response.status == status, "\(target)")
            if let body { #expect(response.text == body, "\(target)") }
        }
        #expect(try daemon.get("/api/old")["X-Source"] == "mock")
        #expect(try daemon.get("/api/own")["X-Source"] == "own")
    }

    /// The daemon does not start with a file that would lose a route, and starts with one that WireMock reads.
    @Test func repeatedKeysAreReported() throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let text = "{\"GET /a\": {},\n \"GET /a\": {\"status\": 404}}"
        let process = try folder.startDaemon(with: ["a.json": text], outputsIn: scratch)
        #expect(process.wait() == .exited(1))
        let errors = process.errors.replacing("\\\"", with: "\"")
        #expect(
            errors.contains(
                "a.json:2:2: error: [\"GET /a\"]: duplicate key \"GET /a\", first in line 1, column 2"
            ),
            "\(errors)")

        let daemon = try Daemon(files: [
            "a.json": #"{"request": {"url": "/a"}, "request": {"url": "/b"}, "response": {"status": 202}}"#
        ])
        #expect(try daemon.get("/a").status == 404)
        #expect(try daemon.get("/b").status == 202)
        let warning = "a.json:1:28: warning: request: duplicate key \\\"request\\\""
        #expect(eventually { daemon.process.errors.contains(warning) ? true : nil } == true)
    }
}
