import Foundation
import SDTestSupport
import Testing

/// The user in the URL of a target reaches it on each way, and nobody else.
@Suite struct TargetUserTests {
    @Test(arguments: CallWay.allCases.filter { $0 != .forwardProxy }, CallWay.Framing.allCases)
    func itIsSent(way: CallWay, framing: CallWay.Framing) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try CallingDaemon(way, target, user: "ada:s3cret@")
        let request = daemon.post("/call", framing).replacing("\r\nHost:", with: "\r\nAuthorization: Bearer m\r\nHost:")
        let answer = try daemon.ask(request)
        #expect(answer.status == (way == .webhook ? 202 : 200), "\(answer.text)")
        let sent = try #require(eventually { target.requests.first })
        #expect(sent.values("authorization") == ["Basic " + Data("ada:s3cret".utf8).base64EncodedString()])
        #expect(sent.call == "POST /call" && sent.values("host") == ["127.0.0.1:\(target.port)"])
        #expect(!daemon.errors.contains("s3cret") && !answer.text.contains("s3cret"), "\(daemon.errors)")
    }

    /// A client of a proxy says it in a field, as all do; in a URL it could be meant for anybody (RFC 9110, 4.2.4).
    @Test func aClientOfAProxyHasAFieldForIt() throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try CallingDaemon(.forwardProxy, target)
        let place = "127.0.0.1:\(target.port)"
        let refused = try daemon.ask("GET http://ada:s3cret@\(place)/ HTTP/1.1\r\nHost: \(place)\r\n\r\n")
        #expect(refused.status == 400 && target.calls.isEmpty, "\(refused.text)")
        let asked = try daemon.ask(
            "GET http://\(place)/ HTTP/1.1\r\nAuthorization: Basic YTpi\r\nHost: \(place)\r\n\r\n")
        #expect(asked.status == 200)
        #expect(target.requests.first?.values("authorization") == ["Basic YTpi"])
        #expect(!daemon.errors.contains("s3cret"), "\(daemon.errors)")
    }
}
