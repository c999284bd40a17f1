import SDCTestFraming
import SDHTTPTransport
import SDTestSupport

/// How a stream frames an answer: as HTTP/1.1, or as `CTestFraming` does.
enum Framing: CaseIterable {
    case http1, frames

    func apply(to reply: borrowing Reply) {
        if self == .frames { reply.setFraming(test_framing()) }
    }

    /// What a client gets that sends one request and is answered with `script`.
    func run(_ script: WireScript, observer: (any StreamObserver)? = nil) throws -> RawClient.Received {
        let server = try TestServer { [self] _, reply in
            apply(to: reply)
            reply.send(script, observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        return client.receiveAll()
    }

    /// The body of which these bytes are the beginning, and whether they tell its end.
    func body(of bytes: [UInt8]) -> ReceivedBody {
        switch self {
        case .http1: return ReceivedBody(of: bytes)
        case .frames:
            let frames = Frame.all(bytes)
            return ReceivedBody(
                frames.filter { $0.kind == "D" }.flatMap(\.bytes), isComplete: frames.contains { $0.kind == "E" })
        }
    }
}

/// One frame of `CTestFraming`.
struct Frame: CustomStringConvertible {
    let kind: Character
    let bytes: [UInt8]

    var description: String { bytes.count < 100 ? "\(kind)(\(readable(bytes)))" : "\(kind)(\(bytes.count) bytes)" }

    /// The whole frames at the beginning of some bytes.
    static func all(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 5 {
            let opening = rest.prefix(5)
            let length = opening.dropFirst().reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 5 + length else { break }
            rest = rest.dropFirst(5)
            let kind = Character(Unicode.Scalar(opening[opening.startIndex]))
            frames.append(Frame(kind: kind, bytes: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return frames
    }

    /// As one line of text.
    static func text(_ bytes: [UInt8]) -> String {
        all(bytes).map(\.description).joined(separator: " ")
    }
}

extension [UInt8] {
    func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(wire(text)) }
}

/// `count` bytes of which no two neighbours are the same.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }
}

/// How a body of that many bytes is announced.
enum Announced: CaseIterable {
    case length, chunks

    func head(_ count: Int, _ fields: [(String, String)] = []) -> ResponseHead {
        var head = ResponseHead(status: 200, reason: "OK")
        for (name, value) in fields { head.add(name, value) }
        switch self {
        case .length: head.add("Content-Length", String(count))
        case .chunks: head.addChunks()
        }
        return head
    }
}
