import SDCTestTransports
import SDHTTPTransport
import SDTestSupport
import Testing

/// How a stream frames an answer: as HTTP/1.1, or in the frames of `mux_protocol.h`.
enum Framing: CaseIterable {
    case http1, frames

    /// Listens, with the first worker.
    /// - Returns: the port.
    func listen(_ server: Server) throws -> UInt16 {
        self == .frames ? try server.listenByMux() : try server.listen(address: "127.0.0.1", port: 0)
    }

    /// The one request of a connection.
    func request(_ path: String) -> [UInt8] {
        self == .frames ? MuxClient.envelope(1, "L", wire("GET \(path)")) : wire(get(path))
    }

    /// What a client gets that sends one request and is answered with `script`.
    func run(_ script: WireScript, observer: (any StreamObserver)? = nil) throws -> RawClient.Received {
        let server = try TestServer(limits: .patient, listen: listen) { _, reply in
            reply.send(script, observer: observer)
        }
        let client = try server.client()
        try client.send(request("/"))
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

/// One frame of `mux_protocol.h`.
struct Frame: CustomStringConvertible {
    /// The length of what stands before its bytes.
    static let headLength = 10

    let stream: Int
    let kind: Character
    let number: Int
    private(set) var bytes: [UInt8]

    /// - Parameter head: the bytes before those of the frame.
    init(_ head: [UInt8], _ bytes: [UInt8]) {
        stream = Int(head[0])
        kind = Character(Unicode.Scalar(head[1]))
        number = Self.number(head[2..<6])
        self.bytes = bytes
    }

    /// The number of bytes that follow a head.
    static func length(of head: [UInt8]) -> Int { number(head[6..<10]) }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 << 8 | Int($1) } }

    var description: String { bytes.count < 100 ? "\(kind)(\(readable(bytes)))" : "\(kind)(\(bytes.count) bytes)" }

    /// The whole frames at the beginning of one answer; those of one body are joined.
    static func all(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        var count = 0
        while rest.count >= headLength {
            let head = Array(rest.prefix(headLength))
            guard rest.count >= headLength + length(of: head) else { break }
            let frame = Frame(head, Array(rest.dropFirst(headLength).prefix(length(of: head))))
            #expect(frame.number == count)
            count += 1
            rest = rest.dropFirst(headLength + frame.bytes.count)
            if frame.kind == "D", frames.last?.kind == "D" {
                frames[frames.count - 1].bytes += frame.bytes
            } else {
                frames.append(frame)
            }
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
    let period = [UInt8](0..<251)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + period.count)
    while bytes.count < count { bytes += period }
    bytes.removeLast(bytes.count - count)
    return bytes
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
