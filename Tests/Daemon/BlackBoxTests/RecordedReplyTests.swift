import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Exchanges of all kinds, recorded at once in front of a server that says bytes: what is written is valid, and each is
/// served again as it was.
@Suite struct RecordedReplyTests {
    private struct Case: Sendable {
        var method = "GET"
        /// The target's bytes; without one the path is the case's number.
        var target: [UInt8]?
        var fields = ""
        var body: [UInt8] = []
        /// The head of the answer behind `HTTP/1.1 `, and its body.
        var head = "200 OK\r\nContent-Type: text/plain"
        var answer: [UInt8] = Array("answer".utf8)

        init(_ target: String? = nil) { self.target = target.map { Array($0.utf8) } }

        init(raw target: [UInt8]) { self.target = target }

        /// A request with a body.
        init(sent body: [UInt8], _ type: String?) {
            (method, self.body) = ("POST", body)
            fields = type.map { "Content-Type: \($0)\r\n" } ?? ""
        }

        /// An answer with a body.
        init(answered body: [UInt8], _ type: String?) {
            answer = body
            head = "200 OK" + (type.map { "\r\nContent-Type: \($0)" } ?? "")
        }

        /// An answer that depends on a field of the request.
        init(_ target: String, _ field: String, _ status: String, _ answer: String = "") {
            self.init(target)
            fields = field.isEmpty ? "" : field + "\r\n"
            head = status + "\r\nETag: \"v1\""
            self.answer = Array(answer.utf8)
        }
    }

    private static let xml = [
        "{\"a\":1}", "a=1&b=2", "\n<?xml version=\"1.0\"?><a/>", "<p:a/>", "<a/><b/>", "<a><b>", "<a>&foo;</a>", "<a/>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>",
    ]
    private static let json = [
        "{", "{\"a\":1,\"a\":2}", "[\"\\ud800\"]", "1", "\"x\"", "null", "{'a':1}", "NaN", "{} {}",
        String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
        "{\"\(String(repeating: "k", count: 1_500))\": [{\"\(String(repeating: "m", count: 1_019))\": 1}]}",
    ]
    private static let targets = [
        "/g?q=" + String(repeating: "q", count: 1_100), "/t/%FF?x=%FF", "/t/é", "/t/?a=%zz", "/t?", "/t?a", "/t?=x",
        "/t?a=1&a=2", "/t?a=2&a=1", "/t?a=1", "/t/{x}", "/t/**", "/t/:x", "/t/[x]", "/t/(a|b)", "/t//x", "/t/../x",
        "/t/%00", "/t/%0a", "/t/" + String(repeating: "z", count: 300), "/t/x." + String(repeating: "e", count: 300),
        "/t/" + String(repeating: "ü", count: 200), "/T/A", "/t/a", "/t?A=1&a=2", "/t?x={{y}}",
    ]
    private static let events = [
        "data: a\n\ndata: b\n\n", "data: a\r\n\r\n", "data:a\n\n", "data: a", "id\n\n", "\u{FEFF}data: a\n\n",
        "retry: 1e3\n\n", "data: a\n\n\n\ndata: b\n\n", "data: a\rdata: b\r\r", ": c\n\n",
    ]
    private static let texts = [
        "caf\u{E9}", "\0", " lead\n\ntrail \n\n\n", "\u{FEFF}bom", "a\r\nb", "- a\n- b", "yes", "{{x}}",
    ]

    private static let cases: [Case] =
        targets.map { Case($0) }
        + [
            Case(raw: Array("/o/\u{FE}".unicodeScalars.map { UInt8($0.value) })),
            Case(raw: [0x2F, 0x6F, 0x3F, 0x78, 0x3D, 0xE9]),
        ]
        + xml.map { Case(sent: Array($0.utf8), "text/xml") } + [Case(sent: [0x3C, 0xE9, 0x3E], "text/xml")]
        + json.map { Case(sent: Array($0.utf8), "application/json") }
        + json.map { Case(answered: Array($0.utf8), "application/json") }
        + [nil, "text/plain", "application/json", "application/x-www-form-urlencoded", "image/png"].map {
            Case(sent: [0x61, 0x3D, 0xFF, 0xFE], $0)
        }
        + [
            Case(
                sent: Array("\(String(repeating: "n", count: 1_100))=1&a=2".utf8), "application/x-www-form-urlencoded"),
            Case(sent: Array("a=%zz".utf8), "application/x-www-form-urlencoded"),
            Case(sent: [0xE9], "text/plain; charset=iso-8859-1"),
            Case(sent: [UInt8](repeating: 0xF0, count: 40_000), "application/octet-stream"),
        ]
        + events.map { Case(answered: Array($0.utf8), "text/event-stream") }
        + texts.map { Case(answered: Array($0.utf8), "text/plain") }
        + [
            Case(answered: [0xFF, 0], "text/plain"), Case(answered: Array("x".utf8), nil),
            Case(answered: [0x8B, 1, 0x80, 0x61], "text/plain\r\nContent-Encoding: br"),
            Case("/app.js", "", "200 OK", "whole"), Case("/app.js", "If-None-Match: \"v1\"", "304 Not Modified"),
            Case("/app.js", "Range: bytes=0-2", "206 Partial Content\r\nContent-Range: bytes 0-2/5", "who"),
            Case("/app.js", "Range: bytes=9-", "416 Range Not Satisfiable"), Case("/app.js", "", "200 OK", "whole"),
            Case("/part", "Range: bytes=0-2", "206 Partial Content\r\nContent-Range: bytes 0-2/5", "who"),
            Case("/odd", "", "299 Strange Thing"), Case("/none", "", "204 No Content"),
            Case("/fields", "", "200 OK\r\nX-A: 1\r\nx-a: 2\r\nX-B: a: b # c\r\nX-C:", "x"),
        ]

    private static func request(_ index: Int) -> [UInt8] {
        let one = cases[index]
        let length = one.body.isEmpty ? "" : "Content-Length: \(one.body.count)\r\n"
        return Array("\(one.method) ".utf8) + (one.target ?? Array("/c/\(index)".utf8))
            + Array(
                " HTTP/1.1\r\nHost: localhost\r\nX-Case: \(index)\r\nConnection: close\r\n\(one.fields)\(length)\r\n"
                    .utf8)
            + one.body
    }

    private static func answer(_ port: UInt16, _ index: Int) throws -> HTTPAnswer {
        let client = try RawClient(port: port)
        try client.send(request(index))
        return try #require(HTTPAnswer(client.receiveAll(within: 30_000).bytes), "\(cases[index])")
    }

    /// A server that gives each case its answer.
    private static func server() throws -> RawServer {
        try RawServer { client, _ in
            let bytes = client.receive(until: "\r\n\r\n").bytes
            let head = String(decoding: bytes, as: UTF8.self)
            guard let index = head.firstMatch(of: /X-Case: (\d+)/).flatMap({ Int($0.1) }) else { return }
            let one = cases[index]
            let hasBody = !one.head.hasPrefix("204") && !one.head.hasPrefix("304")
            let length = hasBody ? "Content-Length: \(one.answer.count)\r\n" : ""
            let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.count
            _ = client.receive(max(one.body.count - (bytes.count - end), 0))
            try client.send(Array("HTTP/1.1 \(one.head)\r\n\(length)Connection: close\r\n\r\n".utf8) + one.answer)
            client.finishSending()
            _ = client.receiveAll(within: 2_000)
        }
    }

    /// Fields that belong to the connection, or to the mock server.
    private static let own: Set = [
        "content-length", "transfer-encoding", "connection", "matched-stub-id", "matched-stub-name", "cache-control",
    ]

    private static func isSame(_ was: HTTPAnswer, _ now: HTTPAnswer, keepsReason: Bool) -> Bool {
        func fields(_ answer: HTTPAnswer) -> [String] {
            answer.headers.map { "\($0.name.lowercased()): \($0.value)" }
                .filter { !own.contains(String($0.prefix { $0 != ":" })) }.sorted()
        }
        let isJSON = was["Content-Type"] == "application/json" && was.json != nil
        return was.status == now.status && fields(was) == fields(now) && (!keepsReason || was.reason == now.reason)
            && (isJSON ? was.json == now.json : was.body == now.body)
    }

    private func expectSame(_ port: UInt16, _ answers: [HTTPAnswer], keepsReason: Bool = true) throws {
        for (index, was) in answers.enumerated() {
            let now = try Self.answer(port, index)
            #expect(
                Self.isSame(was, now, keepsReason: keepsReason),
                "\(String(decoding: Self.request(index).prefix(300), as: UTF8.self)): \(was) is \(now)")
        }
    }

    @Test(arguments: ["yaml", "wiremock"]) func whatIsRecordedIsServedAgain(_ format: String) throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let mocks = folder.path + "/mocks"
        let scratch = try TemporaryFolder()
        let recorder = try ChildRecorder(
            ["--target", "http://127.0.0.1:\(server.port)", "--to", mocks, "--format", format], in: scratch)
        let answers = try Self.cases.indices.map { try Self.answer(recorder.port, $0) }
        #expect(recorder.end() == .exited(0), "\(recorder.process.errors)")
        let check = try ChildProcess(Daemon.binary, ["validate", mocks, "--strict"], outputsIn: try TemporaryFolder())
        #expect(check.wait() == .exited(0), "\(check.output)")
        let replayed = try Daemon(serving: mocks)
        try expectSame(replayed.port, answers)
        // Bytes of an upload stand in a file of their own.
        if format == "yaml" {
            let text = try String(contentsOfFile: mocks + "/127.0.0.1-\(server.port).yaml", encoding: .utf8)
            #expect(!text.contains(Data([UInt8](repeating: 0xF0, count: 3_000)).base64EncodedString()))
        }
    }

    @Test func whatTheAdminAPIRecordsIsServedAgain() throws {
        let server = try Self.server()
        let daemon = try Daemon(files: ["mappings/.keep": ""])
        let spec = #"{"targetBaseUrl": "http://127.0.0.1:\#(server.port)"}"#
        #expect(try daemon.request("POST", "/__admin/recordings/start", body: spec).status == 200)
        let answers = try Self.cases.indices.map { try Self.answer(daemon.port, $0) }
        let stop = try daemon.request("POST", "/__admin/recordings/stop")
        #expect(stop.status == 200 && stop["X-StuntDouble-Warning"]?.contains("304") == true, "\(stop)")
        try expectSame(daemon.port, answers, keepsReason: false)
    }
}
