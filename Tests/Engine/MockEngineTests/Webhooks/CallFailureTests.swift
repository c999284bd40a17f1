import Foundation
import SDHTTPTransport
import SDJSON
import SDStubModel
import SDTestSupport
import SDUpstream
import Testing

@testable import SDAnswering
@testable import SDMockEngine

/// Calls that fail say the same wherever they come from, and the user in a URL is sent by all of them.
@Suite struct CallFailureTests {
    /// A server that cannot be called, with the end of what is told of it.
    enum Target: String, CaseIterable, Sendable {
        case noise, tls, http2, closes, cutHead, contradiction, plain, closed, unknown, denied, forbidden, noPort

        var answer: [UInt8] {
            switch self {
            case .noise, .plain: wire("220 mail ready\r\n")
            case .tls: [0x15, 3, 3, 0, 2, 2, 10]
            case .http2: [0, 0, 0, 4, 0, 0, 0, 0, 0]
            case .cutHead: wire("HTTP/1.1 200 OK\r\nConte")
            case .contradiction: wire("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n")
            default: []
            }
        }

        /// What is told, by WireMock's client and by us.
        var words: [String] {
            let failed = "The target server failed to respond: "
            return switch self {
            case .noise: [failed, "it begins with no status line of HTTP/1.0 or HTTP/1.1"]
            case .tls: [failed, "it speaks TLS, and is called by https://"]
            case .http2: [failed, "speaks HTTP/2 alone: --proxy-http2 names the servers that are spoken to in it"]
            case .closes: [failed, "closed the connection without an answer"]
            case .cutHead: [failed, "closed the connection before the end of its head"]
            case .contradiction: [failed, "Content-Length is not a number"]
            case .plain: ["the server answers in the clear, and is called by http://"]
            case .closed: ["Connect to http://127.0.0.1:1 failed: Connection refused"]
            case .unknown: ["no-such-host.invalid: the host name no-such-host.invalid"]
            case .denied: ["is denied in WireMock's configuration.", "--deny-proxy-targets has 127.0.0.2"]
            case .forbidden: ["--no-upstream forbids calls to other servers"]
            case .noPort: []
            }
        }
    }

    private static func lines(_ text: String) -> [String] { text.components(separatedBy: "\r\n") }

    @Test(arguments: Target.allCases) func webhooksSayWhatProxyingSays(_ target: Target) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n", within: target == .plain ? 50 : 10_000)
            try client.send(target.answer)
        }
        let origin =
            switch target {
            case .plain: "https://127.0.0.1:\(server.port)"
            case .closed: "http://127.0.0.1:1"
            case .unknown: "http://no-such-host.invalid"
            case .denied: "http://127.0.0.2:\(server.port)"
            case .noPort: "http://127.0.0.1:99999"
            default: "http://127.0.0.1:\(server.port)"
            }
        var options = SessionOptions()
        options.upstream.deniedTargets = ["127.0.0.2"]
        options.upstream.isForbidden = target == .forbidden
        let mock = try ServedSession(options)
        try mock.add(#"{"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "\#(origin)"}}"#)
        try mock.add(
            #"""
            {"request": {"urlPath": "/w"}, "response": {}, "serveEventListeners": [{"name": "webhook",
             "parameters": {"method": "GET", "url": "\#(origin)/h"}}]}
            """#)
        let proxied = try mock.ask("GET", "/p")
        #expect(proxied.status == 500)
        try mock.ask("GET", "/w")
        let error = try mock.settledSubEvents().first { $0["type"] == "ERROR" }?["data"]?["message"]?.stringValue
        let hooked = try #require(error)
        // With the same reason, in which the port is that of the same server.
        let reason = try #require(Self.lines(proxied.text.trimmingCharacters(in: .newlines)).last)
        if target != .noPort { #expect(hooked.hasSuffix(reason), "\(hooked)\n\(reason)") }
        for words in target.words {
            #expect(proxied.text.contains(words) && hooked.contains(words), "\(hooked)\n\(proxied.text)")
        }
    }

    // MARK: Users

    /// What stands in front of the host, and what `Authorization` is made of; nil for none.
    private static let users: [(String, String?)] = [
        ("ada:s3cret@", "ada:s3cret"), ("ada@", "ada:"), ("ada:@", "ada:"), (":s3cret@", ":s3cret"),
        ("a%40b:c%3ad%2F%25@", "a@b:c:d/%"), ("ada:a:b@", "ada:a:b"), ("%C3%A9:%e2%82%ac@", "\u{E9}:\u{20AC}"),
        ("@", nil), (":@", nil), ("", nil),
    ]

    @Test(arguments: users, ["stub", "template", "passThrough", "webhook"])
    private func theUserOfAURLIsSent(_ user: (String, String?), way: String) throws {
        let target = try WebhookTarget()
        let origin = "http://\(user.0)127.0.0.1:\(target.port)"
        let mock = try ServedSession()
        switch way {
        case "stub": try mock.add(#"{"request": {}, "response": {"proxyBaseUrl": "\#(origin)/b"}}"#)
        case "template":
            try mock.add(
                #"""
                {"request": {}, "response": {"proxyBaseUrl": "\#(origin)/{{request.path.[0]}}",
                 "transformers": ["response-template"]}}
                """#)
        case "passThrough": mock.session.settings.passThrough = ProxyDefinition(to: origin)
        default:
            try mock.add(
                #"""
                {"request": {}, "response": {}, "serveEventListeners": [{"name": "webhook",
                 "parameters": {"method": "GET", "url": "\#(origin)/h"}}]}
                """#)
        }
        // The client's own is for this server.
        try mock.ask("GET", "/a", headers: user.1 == nil ? [] : ["Authorization: Bearer mine", "X-A: b"])
        #expect(mock.waitsForWebhooks())
        let sent = try #require(target.received.withLock { $0.first })
        let fields = sent.headers.filter { $0.name.lowercased() == "authorization" }.map(\.value)
        #expect(fields == (user.1.map { ["Basic " + Data($0.utf8).base64EncodedString()] } ?? []))
        #expect(sent.header("Host") == "127.0.0.1:\(target.port)" && !sent.line.contains("@"))
        let told = mock.log.warnings.withLock { $0 } + mock.log.failures.withLock { $0 }
        #expect(!told.joined().contains("s3cret"))
    }

    /// What a stub says of the field itself counts.
    @Test func anAuthorizationOfTheStubCounts() throws {
        let target = try WebhookTarget()
        let origin = "http://ada:s3cret@127.0.0.1:\(target.port)"
        let mock = try ServedSession()
        try mock.add(
            #"""
            {"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "\#(origin)",
             "additionalProxyRequestHeaders": {"authorization": "Bearer p"}}}
            """#)
        try mock.add(
            #"""
            {"request": {"urlPath": "/w"}, "response": {}, "serveEventListeners": [{"name": "webhook",
             "parameters": {"method": "GET", "url": "\#(origin)/h", "headers": {"AUTHORIZATION": "Bearer w"}}}]}
            """#)
        try mock.ask("GET", "/p")
        try mock.ask("GET", "/w")
        #expect(mock.waitsForWebhooks())
        let sent = target.received.withLock { all in
            all.map { one in one.headers.filter { $0.name.lowercased() == "authorization" }.map(\.value) }
        }
        #expect(sent == [["Bearer p"], ["Bearer w"]])
    }

    /// Calls that fail do not tell it, nor does one that leads back here.
    @Test(arguments: [
        "http://ada:s3cret@127.0.0.1:1", "https://ada:s3cret@127.0.0.1:1", "http://ada:s3cret@[::x]/", "loop",
    ])
    func itIsNotTold(base: String) throws {
        var options = SessionOptions()
        options.upstream.identity = "itself"
        let mock = try ServedSession(options)
        let base = base == "loop" ? "http://ada:s3cret@127.0.0.1:\(mock.server.port)" : base
        try mock.add(#"{"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "\#(base)"}}"#)
        let answer = try mock.ask("GET", "/p")
        #expect(answer.status >= 500 && !answer.text.contains("s3cret"), "\(answer.text)")
        #expect(mock.log.failures.withLock { !$0.isEmpty && !$0.joined().contains("s3cret") })
    }
}
