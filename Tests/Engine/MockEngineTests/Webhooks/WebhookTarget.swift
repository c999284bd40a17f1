import SDHTTPTransport
import SDJSON
import SDTestSupport
import Testing

@testable import SDJournal
@testable import SDMockEngine

/// A server that webhooks call: it keeps what came, and answers as it is told.
final class WebhookTarget: Sendable {
    struct Received: Sendable {
        let line: String
        let headers: [(name: String, value: String)]
        let body: [UInt8]

        init(_ request: Request) {
            func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
            line = "\(text(request.method)) \(text(request.url))"
            headers = request.headers.map { (text($0.name), text($0.value)) }
            body = Array(request.body)
        }

        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    /// How a request is answered.
    enum Answer: Sendable {
        case status(Int)
        case bytes(String)
        /// Not at all, until the test lets all of them go.
        case stall
    }

    private let server: TestServer
    let received = Locked<[Received]>([])
    private let held: Locked<[HeldReply]>

    static let ok = "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok"

    /// - Parameter answer: called with each request and the number of those before it.
    init(_ answer: @escaping @Sendable (Received, Int) -> Answer = { _, _ in .bytes(WebhookTarget.ok) }) throws {
        let (received, held) = (received, Locked<[HeldReply]>([]))
        self.held = held
        server = try TestServer(limits: ServerLimits()) { request, reply in
            let seen = Received(request)
            let before = received.withLock { all in
                all.append(seen)
                return all.count - 1
            }
            switch answer(seen, before) {
            case .status(let status): Self.send("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n", reply)
            case .bytes(let bytes): Self.send(bytes, reply)
            case .stall:
                let reply = HeldReply(reply)
                held.withLock { $0.append(reply) }
            }
        }
    }

    var port: UInt16 { server.port }
    var url: String { "http://127.0.0.1:\(port)" }
    var lines: [String] { received.withLock { $0.map(\.line) } }

    /// Answers all requests that were not.
    func letGo() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        for reply in all { reply.send(Self.script(Self.ok)) }
    }

    private static func send(_ bytes: String, _ reply: consuming Reply) { reply.send(script(bytes)) }

    private static func script(_ bytes: String) -> WireScript {
        let closes = bytes.isEmpty || bytes.lowercased().contains("close")
        // What is beyond ASCII stands for single bytes.
        let raw = bytes.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        return WireScript((raw.isEmpty ? [] : [.raw(WireBytes(raw))]) + [.end(closes ? .close : .keepAlive)])
    }
}

extension ServedSession {
    /// The sub-events of the newest event, once no webhook is under way.
    func settledSubEvents() throws -> [JSONValue] {
        #expect(waitsForWebhooks())
        return newest?["subEvents"]?.arrayValue ?? []
    }

    /// Waits until no webhook of the session is under way; false if that takes too long.
    func waitsForWebhooks() -> Bool {
        // In this order: a webhook begins before its request ends.
        eventually { session.inFlightCount == 0 && session.activity.following == 0 ? true : nil } == true
    }
}
