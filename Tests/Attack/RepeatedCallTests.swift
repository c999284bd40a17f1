import Foundation
import SDTestSupport
import Testing

/// How often a request reaches another server that breaks off: once, or one that may be repeated a second time, where a kept
/// connection has died.
@Suite struct RepeatedCallTests {
    /// What becomes of the second request of a connection.
    enum Death: String, CaseIterable, Sendable {
        case closed, reset, closedInHead, closedInBody, late408

        /// Whether the request may go out again.
        var isRepeated: Bool { self != .closedInHead && self != .closedInBody }

        func die(_ client: RawClient) throws {
            switch self {
            case .closed: break
            case .reset: client.reset()
            case .closedInHead: try client.send("HTTP/1.1 200 OK\r\nContent-Le")
            case .closedInBody: try client.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhello")
            case .late408: try client.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
            }
        }
    }

    /// Answers the first request of a connection, and breaks off at the second one; from the `answered` connection on it
    /// breaks off at the first one, too.
    private static func target(_ death: Death, answered: Int) throws -> CountingTarget {
        let connections = Locked(0)
        return try CountingTarget { client, request, count in
            let number = connections.withLock { number in
                if count == 1 { number += 1 }
                return number
            }
            guard count == 1, number <= answered else {
                try death.die(client)
                return false
            }
            let isHead = request.call.hasPrefix("HEAD")
            try client.send(isHead ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : CountingTarget.ok)
            return true
        }
    }

    private static func daemon(_ target: CountingTarget) throws -> Daemon {
        try Daemon(["--workers", "1", "--proxy-all", target.origin])
    }

    @Test(arguments: Death.allCases, ["GET", "HEAD", "OPTIONS", "TRACE"])
    func whatIsIdempotentGoesOutTwiceAtTheMost(death: Death, method: String) throws {
        // The second connection answers again.
        let mended = try Self.target(death, answered: 2)
        let daemon = try Self.daemon(mended)
        #expect(try daemon.get("/first").text == "ok")
        let answer = try daemon.request(method, "/second")
        let times = death.isRepeated ? 2 : 1
        #expect(mended.counts()["\(method) /second"] == times)
        if death.isRepeated { #expect(answer.status == 200) }
        if death == .closedInHead { #expect(answer.status == 500) }
        // It does not.
        let broken = try Self.target(death, answered: 1)
        let other = try Self.daemon(broken)
        #expect(try other.get("/first").text == "ok")
        let status = try other.request(method, "/second").status
        // A 408 that comes on a new connection is the answer.
        let expected = death == .late408 ? 408 : death == .closedInBody ? 200 : 500
        #expect(status == expected)
        #expect(broken.counts()["\(method) /second"] == times)
    }

    /// On a new connection nothing is repeated.
    @Test(arguments: Death.allCases) func aNewConnectionIsTheLast(death: Death) throws {
        let target = try Self.target(death, answered: 0)
        let daemon = try Self.daemon(target)
        _ = try daemon.get("/first")
        #expect(target.calls == ["GET /first"])
    }

    /// What is not idempotent, or has a body, reaches a server once, whatever becomes of its connections.
    @Test(arguments: Death.allCases, ["POST", "PATCH", "PUT", "DELETE", "GET"])
    func whatChangesSomethingGoesOutOnce(death: Death, method: String) throws {
        let target = try Self.target(death, answered: 1)
        let daemon = try Self.daemon(target)
        #expect(try daemon.get("/first").text == "ok")
        for index in 0..<3 { _ = try daemon.request(method, "/\(index)", body: "abc") }
        let all = Dictionary(uniqueKeysWithValues: (0..<3).map { ("\(method) /\($0)", 1) })
        #expect(target.counts().filter { $0.key != "GET /first" } == all)
    }
}
