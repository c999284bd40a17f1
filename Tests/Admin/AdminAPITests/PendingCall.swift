import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// An admin call on a separate connection whose answer is pending.
final class PendingCall {
    private let client: RawClient

    init(_ port: UInt16, _ path: String, _ body: String, headers: [(String, String)] = []) throws {
        client = try RawClient(port: port)
        var head = "POST /__admin\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        try client.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
    }

    func answer() throws -> Exchange {
        try Exchange(client.receiveAll(within: 30_000), isHead: false)
    }

    func json() throws -> JSONValue {
        let answer = try answer()
        #expect(answer.status == 200, "\(answer)")
        return try #require(answer.json)
    }

    /// Whether nothing has arrived yet.
    var isSilent: Bool { client.receiveUntilQuiet(milliseconds: 30).bytes.isEmpty }

    func goAway() {
        client.reset()
    }
}
