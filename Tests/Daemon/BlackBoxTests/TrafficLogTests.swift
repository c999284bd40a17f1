import SDJSON
import SDTestSupport
import Testing

/// `--print-all-network-traffic`: heads and bodies of requests and of their responses.
@Suite struct TrafficLogTests {
    private func exchanges(_ daemon: Daemon, _ count: Int) -> [String] {
        eventually { () -> [String]? in
            let lines = daemon.process.errors.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
            let found = lines.filter { $0["level"] == "debug" }.compactMap { $0["message"]?.stringValue }
            return found.count >= count ? found : nil
        } ?? []
    }

    @Test func headsAndBodiesAreShown() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "POST /a: { status: 201, headers: { X-Kind: one }, json: { ok: true } }"],
            ["--print-all-network-traffic"])
        _ = try daemon.request("POST", "/a?q=1", headers: ["X-Trace: 7"], body: "first\nsecond")
        _ = try daemon.get("/none")
        let shown = exchanges(daemon, 4)
        #expect(shown.map { $0.prefix { $0 != "\n" } } == ["request", "response", "request", "response"])
        let exchange = shown.prefix(2).joined(separator: "\n")
        for part in [
            "\n> POST /a?q=1 HTTP/1.1\n", "\n> X-Trace: 7\n", "\n> \n> first\n> second\n", "\n< HTTP/1.1 201\n",
            "\n< X-Kind: one\n", "\n< \n< {\"ok\":true}",
        ] { #expect(exchange.contains(part), "\(part): \(shown)") }
        #expect(shown.count == 4 && shown[2].contains("> GET /none HTTP/1.1\n"))
        #expect(shown.last?.contains("\n< HTTP/1.1 404\n") == true)
        #expect(!daemon.process.errors.contains(#""message":"request""#))
    }

    @Test func longBodiesAreCutAndValuesHidden() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "POST /a: { body: ok }"], ["--print-all-network-traffic", "--redact-name", "token"])
        let body = String(repeating: "x", count: 100_000)
        _ = try daemon.request("POST", "/a?token=secret", headers: ["Authorization: Bearer secret"], body: body)
        let shown = exchanges(daemon, 2).first ?? ""
        #expect(shown.hasSuffix("xx\n> … (100000 bytes)"), "\(shown)")
        #expect(shown.contains("token=(redacted)") && !shown.contains("secret"))
    }
}
