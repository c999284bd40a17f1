import SDCTestTransports
import SDHTTPTransport
import SDTestSupport
import Testing

extension Server {
    /// Listens with the protocol of many streams, with the first worker. Before the server runs.
    /// - Returns: the port.
    func listenByMux() throws -> UInt16 {
        try #require(UInt16(exactly: mux_listen(loop(of: 0))))
    }
}

/// A client of the protocol of many streams.
final class MuxClient {
    /// What came on one stream up to its end: a line of its number and the status, then the body.
    struct Answer: Equatable, CustomStringConvertible {
        let bytes: [UInt8]
        /// Whether it is known to have come to its end.
        let isWhole: Bool

        var description: String { "\(readable(bytes.prefix(200))) (\(bytes.count) bytes\(isWhole ? "" : ", broken"))" }

        static func whole(_ text: String) -> Answer { Answer(bytes: wire(text), isWhole: true) }
        static func broken(_ text: String) -> Answer { Answer(bytes: wire(text), isWhole: false) }
    }

    private let raw: RawClient
    private var begun: [Int: [UInt8]] = [:]
    private var ended: [Int: Answer] = [:]
    /// The number of frames of each answer that has not ended.
    private var counts: [Int: Int] = [:]
    /// The streams of the parts of answers, in the order in which those came.
    private(set) var order: [Int] = []

    /// - Parameter receiveBuffer: about so many bytes are received before they are asked for; as usual where nil.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        raw = try RawClient(port: port)
        if let receiveBuffer { raw.shrinkReceiveBuffer(to: receiveBuffer) }
    }

    /// On a connection that has spoken something else before.
    init(over raw: RawClient) {
        self.raw = raw
    }

    // MARK: Sending

    /// Sends requests at once, one on each stream.
    func ask(_ requests: (stream: Int, path: String)...) throws {
        try raw.send(requests.flatMap { Self.envelope($0.stream, "Q", wire("GET \($0.path)")) })
    }

    /// Sends a request of whose answer's body only so many bytes may come.
    func ask(_ stream: Int, _ path: String, granting bytes: Int) throws {
        try raw.send(Self.envelope(stream, "C", wire("GET \(path)")))
        try grant(bytes, on: stream)
    }

    /// Allows so many bytes more.
    func grant(_ bytes: Int, on stream: Int) throws {
        try raw.send(Self.envelope(stream, "G", Self.digits(bytes)))
    }

    /// Says that the answer is not wanted any more.
    func giveUp(_ stream: Int) throws {
        try raw.send(Self.envelope(stream, "X", []))
    }

    func send(_ bytes: [UInt8]) throws { try raw.send(bytes) }

    static func envelope(_ stream: Int, _ kind: Unicode.Scalar, _ bytes: [UInt8]) -> [UInt8] {
        [UInt8(stream), UInt8(ascii: kind)] + digits(bytes.count) + bytes
    }

    private static func digits(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    func reset() { raw.reset() }

    // MARK: Receiving

    /// The answer on a stream; nil where the connection ends, or the time is over, before it does.
    func answer(to stream: Int) -> Answer? {
        while ended[stream] == nil, receive() == nil {}
        return ended.removeValue(forKey: stream)
    }

    /// The beginning of an answer as long as this text, which has come before the end of the answer.
    func beginning(of stream: Int, as text: String) -> Bool {
        let expected = wire(text)
        while begun[stream, default: []].count < expected.count, receive() == nil {}
        return begun[stream, default: []].starts(with: expected)
    }

    /// How the connection ends, after everything else was received.
    func ending() -> RawClient.Ending {
        while true {
            if let ending = receive() { return ending }
        }
    }

    /// Takes in a frame; otherwise returns how the connection ended, or `.open` if the time is over.
    private func receive() -> RawClient.Ending? {
        let head = raw.receive(Frame.headLength)
        guard head.bytes.count == Frame.headLength else { return head.ending }
        let length = Frame.length(of: head.bytes)
        let payload = raw.receive(length)
        guard payload.bytes.count == length else { return payload.ending }
        take(Frame(head.bytes, payload.bytes))
        return nil
    }

    private func take(_ frame: Frame) {
        let stream = frame.stream
        #expect(frame.number == counts[stream, default: 0], "a frame of stream \(stream) was lost, or sent twice")
        counts[stream, default: 0] += 1
        switch frame.kind {
        case "H":
            begun[stream, default: []] += wire("\(stream) ") + frame.bytes + wire("\n")
        case "D", "R":
            order.append(stream)
            begun[stream, default: []] += frame.bytes
        case "E", "X":
            counts[stream] = nil
            let bytes = begun.removeValue(forKey: stream) ?? []
            ended[stream] = Answer(bytes: bytes, isWhole: frame.kind == "E")
        default: break
        }
    }
}
