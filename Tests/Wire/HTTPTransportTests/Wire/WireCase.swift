import SDHTTPTransport
import SDTestSupport
import Testing

/// Bytes that a client sends on a new connection, and the exact answer. Each character is a byte.
struct WireCase: Sendable, CustomTestStringConvertible {
    /// The state of the connection after the expected bytes.
    enum After: Sendable {
        /// It serves the next request.
        case open
        /// It waits for the rest of this request, and closes without an answer when the client closes.
        case waiting
        case closed
    }

    let name: String
    let sent: [UInt8]
    let expected: [UInt8]
    let after: After

    var testDescription: String { name }

    /// The request is served and the connection kept.
    static func served(_ name: String, _ sent: String, _ echo: String...) -> WireCase {
        WireCase(name: name, sent: wire(sent), expected: echoed(echo), after: .open)
    }

    /// The request is served and the connection closed.
    static func closed(_ name: String, _ sent: String, _ echo: String...) -> WireCase {
        WireCase(name: name, sent: wire(sent), expected: echoed(echo), after: .closed)
    }

    /// Several answers, each with its echo.
    static func answered(_ name: String, _ sent: String, _ echoes: [String]..., after: After = .open) -> WireCase {
        WireCase(name: name, sent: wire(sent), expected: echoes.flatMap(echoed), after: after)
    }

    static func refused(_ name: String, _ sent: String, _ status: String, _ reason: String) -> WireCase {
        WireCase(name: name, sent: wire(sent), expected: refusal(status, reason), after: .closed)
    }

    static func waits(_ name: String, _ sent: String) -> WireCase {
        WireCase(name: name, sent: wire(sent), expected: [], after: .waiting)
    }
}

/// Lines of a head, each ended by CR LF, and the empty line.
func head(_ lines: String...) -> String {
    lines.map { $0 + "\r\n" }.joined() + "\r\n"
}

func echoed(_ lines: [String]) -> [UInt8] {
    plainAnswer(wire(lines.joined(separator: "\n")))
}

/// The whole answer to a request that the server refuses by itself.
func refusal(_ status: String, _ reason: String) -> [UInt8] {
    wire(
        "HTTP/1.1 \(status)\r\nContent-Type: text/plain;charset=utf-8\r\nContent-Length: \(reason.utf8.count + 1)\r\n"
            + "Connection: close\r\n\r\n\(reason)\n")
}

/// The server for all tables: it echoes what it parsed, and has long time-outs.
let echoServer: TestServer = {
    var limits = ServerLimits.short
    limits.headTimeout = 20_000
    limits.bodyTimeout = 20_000
    limits.idleTimeout = 30_000
    limits.lingerTimeout = 5_000
    do {
        return try TestServer(workers: 2, limits: limits)
    } catch {
        fatalError("\(error)")
    }
}()

/// Sends the bytes of a case at once, one at a time, and split at random: the answer is always the same.
func expectExchange(_ wireCase: WireCase, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try exchange(wireCase, [wireCase.sent], "sent at once", sourceLocation)
    if wireCase.sent.count < 3000 {
        try exchange(wireCase, wireCase.sent.map { [$0] }, "sent byte by byte", sourceLocation)
    }
    for _ in 1...3 {
        var random = TestGenerator()
        let seed = random.seed
        let parts = cut(wireCase.sent, with: &random)
        try exchange(wireCase, parts, "cut into \(parts.map(\.count)), seed \(seed)", sourceLocation)
    }
}

/// Sends the bytes of a case at once. For cases whose answer depends on what has arrived.
func expectExchangeUncut(_ wireCase: WireCase, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try exchange(wireCase, [wireCase.sent], "sent at once", sourceLocation)
}

private func cut(_ bytes: [UInt8], with random: inout TestGenerator) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = Int.random(in: 1...max(1, min(rest.count, bytes.count / 2)), using: &random)
        parts.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
    }
    return parts
}

private let probe = wire("GET /probe HTTP/1.1\r\nHost: probe\r\n\r\n")
private let probeAnswer = echoed(["GET /probe HTTP/1.1 keep", "[Host]=[probe]"])

private func exchange(
    _ wireCase: WireCase, _ parts: [[UInt8]], _ manner: String, _ sourceLocation: SourceLocation
) throws {
    let client = try echoServer.client()
    for part in parts { try client.send(part) }
    let context = "\(wireCase.name), \(manner)"
    switch wireCase.after {
    case .closed:
        expectWire(client.receiveAll(), wireCase.expected, .fin, context, sourceLocation: sourceLocation)
    case .open:
        try client.send(probe)
        let expected = wireCase.expected + probeAnswer
        expectWire(client.receive(expected.count), expected, .open, context, sourceLocation: sourceLocation)
        client.finishSending()
        expectWire(client.receiveAll(), [], .fin, "\(context), after it", sourceLocation: sourceLocation)
    case .waiting:
        if !wireCase.expected.isEmpty {
            let received = client.receive(wireCase.expected.count)
            expectWire(received, wireCase.expected, .open, context, sourceLocation: sourceLocation)
        }
        client.finishSending()
        expectWire(client.receiveAll(), [], .fin, "\(context), after it", sourceLocation: sourceLocation)
    }
}
