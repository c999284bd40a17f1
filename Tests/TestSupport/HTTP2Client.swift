private import Foundation
private import SDCTestTransports

/// A frame of HTTP/2.
public struct HTTP2Frame: Sendable, Equatable {
    public enum Kind: UInt8 {
        case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    public static let endStream: UInt8 = 1
    public static let ack: UInt8 = 1
    public static let endHeaders: UInt8 = 4

    public var kind: UInt8
    public var flags: UInt8 = 0
    public var stream: UInt32 = 0
    public var payload: [UInt8] = []

    public init(_ kind: Kind, _ flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.init(kind: kind.rawValue, flags, stream: stream, payload)
    }

    public init(_ kind: Kind, _ payload: [UInt8]) {
        self.init(kind: kind.rawValue, 0, stream: 0, payload)
    }

    public init(kind: UInt8, _ flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// The next frame of a peer; nil once it has ended.
    public init?(from client: RawClient) {
        let head = client.receive(9).bytes
        guard head.count == 9 else { return nil }
        let length = Int(HTTP2Frame.number(at: 0, in: head) >> 8)
        let payload = length == 0 ? [] : client.receive(length).bytes
        guard payload.count == length else { return nil }
        self.init(kind: head[3], head[4], stream: HTTP2Frame.number(at: 5, in: head), payload)
    }

    public var bytes: [UInt8] {
        HTTP2Frame.number(UInt32(payload.count))[1...] + [kind, flags] + HTTP2Frame.number(stream) + payload
    }

    public static func number(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    public static func number(at start: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A header block of literals without indexing.
    public static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in [0] + text(name) + text(value) }
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = wire(text)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var (length, rest) = ([UInt8(127)], bytes.count - 127)
        while rest >= 128 {
            length.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return length + [UInt8(rest)] + bytes
    }
}

/// A client that sends frames as it is told, and keeps what it receives by stream. For one thread at a time.
public final class HTTP2Client {
    public enum End: Sendable, Equatable {
        case open, end
        case reset(UInt32)
    }

    /// What a stream has received.
    public struct Stream: Sendable, Equatable {
        /// The fields of each header block as lines.
        public var blocks: [String] = []
        public var body: [UInt8] = []
        public var end = End.open
        /// The sizes of the DATA frames.
        public var pieces: [Int] = []

        public init() {}

        public var text: String { String(decoding: body, as: UTF8.self) }
        /// The line of the last head that has a status, without `:status: `.
        public var status: String {
            blocks.last { $0.hasPrefix(":status: ") }.map { String($0.prefix { $0 != "\n" }.dropFirst(9)) } ?? ""
        }
    }

    public struct GoAway: Sendable, Equatable {
        public var last, code: UInt32
        public var text: String

        public init(last: UInt32, code: UInt32, text: String) {
            (self.last, self.code, self.text) = (last, code, text)
        }
    }

    public struct Failure: Error {
        public let reason: String
    }

    public static let preface = wire("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

    public let raw: RawClient
    private let reader: OpaquePointer
    public private(set) var streams: [UInt32: Stream] = [:]
    /// The frames of no stream, and those whose kind says nothing above.
    public private(set) var others: [HTTP2Frame] = []
    public private(set) var goAway: GoAway?
    public private(set) var ending = RawClient.Ending.open
    /// What has come and is no whole frame yet.
    public private(set) var rest: [UInt8] = []
    /// The order in which the DATA of the streams came.
    public private(set) var order: [UInt32] = []
    private var block: (stream: UInt32, flags: UInt8, bytes: [UInt8])?
    /// Whether it grants as much again as it has received.
    public var grants = true
    private var isReset = false
    /// Whether it acknowledges settings.
    public var acknowledges = true
    /// Connects, and begins with the preface and its settings, unless they are nil.
    public init(port: UInt16, settings: [(UInt16, UInt32)]? = [], after upgrade: String? = nil) throws {
        guard let reader = hpack_reader_new() else { throw Failure(reason: "nghttp2 is missing") }
        self.reader = reader
        raw = try RawClient(port: port)
        if let upgrade {
            try raw.send(upgrade)
            let switching = raw.receive(until: "\r\n\r\n")
            guard switching.text.hasPrefix("HTTP/1.1 101 ") else { throw Failure(reason: "no upgrade: \(switching)") }
        }
        if let settings { try raw.send(Self.preface + Self.settings(settings).bytes) }
    }

    deinit {
        hpack_reader_free(reader)
    }

    public static func settings(_ settings: [(UInt16, UInt32)]) -> HTTP2Frame {
        HTTP2Frame(.settings, settings.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] + HTTP2Frame.number($1) })
    }

    // MARK: Sending

    public func send(_ frames: HTTP2Frame...) throws {
        try raw.send(frames.flatMap(\.bytes))
    }

    public func send(_ frames: [HTTP2Frame]) throws {
        try raw.send(frames.flatMap(\.bytes))
    }

    public static func head(
        _ stream: UInt32, _ path: String, method: String = "GET", _ fields: [(String, String)] = [], ends: Bool = true
    ) -> HTTP2Frame {
        let pseudo = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "a.example:8")]
        return HTTP2Frame(
            .headers, HTTP2Frame.endHeaders | (ends ? HTTP2Frame.endStream : 0), stream: stream,
            HTTP2Frame.block(pseudo + fields))
    }

    public func ask(_ stream: UInt32, _ path: String, method: String = "GET", _ fields: [(String, String)] = []) throws
    {
        try send(Self.head(stream, path, method: method, fields))
    }

    public func grant(_ stream: UInt32, _ bytes: UInt32) throws {
        try send(HTTP2Frame(.windowUpdate, stream: stream, HTTP2Frame.number(bytes)))
    }

    // MARK: Receiving

    public subscript(stream: UInt32) -> Stream { streams[stream] ?? Stream() }

    /// Receives until the condition holds. Returns whether it does.
    @discardableResult
    public func wait(within milliseconds: Int = 60_000, until condition: (HTTP2Client) -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while !condition(self) {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0, ending == .open else { return condition(self) }
            let received = raw.receiveSome(within: Int(left) + 1)
            // The system tells of a reset once, perhaps to a send.
            ending = received.ending == .fin && isReset ? .rst : received.ending
            rest += received.bytes
            takeFrames()
        }
        return true
    }

    /// Receives until the stream has ended, and returns it.
    @discardableResult
    public func answer(_ stream: UInt32, within milliseconds: Int = 60_000) -> Stream {
        wait(within: milliseconds) { $0[stream].end != .open || $0.ending != .open }
        return self[stream]
    }

    /// Receives until the connection has ended.
    public func receiveAll(within milliseconds: Int = 60_000) {
        wait(within: milliseconds) { $0.ending != .open }
    }

    /// Sends PING and receives until it is answered: whatever came before was handled.
    public func settle() throws {
        let before = others.count { $0.kind == HTTP2Frame.Kind.ping.rawValue }
        try send(HTTP2Frame(.ping, wire("12345678")))
        wait { $0.others.count { $0.kind == HTTP2Frame.Kind.ping.rawValue } > before || $0.ending != .open }
    }

    private func takeFrames() {
        var at = 0
        while rest.count - at >= 9 {
            let length = Int(HTTP2Frame.number(at: at, in: rest) >> 8)
            guard rest.count - at >= 9 + length else { break }
            let stream = HTTP2Frame.number(at: at + 5, in: rest) & 0x7fff_ffff
            take(HTTP2Frame(kind: rest[at + 3], rest[at + 4], stream: stream, Array(rest[at + 9..<at + 9 + length])))
            at += 9 + length
        }
        rest.removeFirst(at)
    }

    private func answer(_ frame: HTTP2Frame) {
        do { try send(frame) } catch { isReset = true }
    }

    private func take(_ frame: HTTP2Frame) {
        switch HTTP2Frame.Kind(rawValue: frame.kind) {
        case .data:
            streams[frame.stream, default: Stream()].body += frame.payload
            streams[frame.stream, default: Stream()].pieces.append(frame.payload.count)
            order.append(frame.stream)
            if frame.flags & HTTP2Frame.endStream != 0 { streams[frame.stream, default: Stream()].end = .end }
            if grants, !frame.payload.isEmpty {
                answer(HTTP2Frame(.windowUpdate, HTTP2Frame.number(UInt32(frame.payload.count))))
                if frame.flags & HTTP2Frame.endStream == 0 {
                    answer(
                        HTTP2Frame(.windowUpdate, stream: frame.stream, HTTP2Frame.number(UInt32(frame.payload.count))))
                }
            }
        case .headers:
            block = (frame.stream, frame.flags, frame.payload)
            if frame.flags & HTTP2Frame.endHeaders != 0 { endBlock() }
        case .continuation:
            block?.bytes += frame.payload
            if frame.flags & HTTP2Frame.endHeaders != 0 { endBlock() }
        case .resetStream:
            streams[frame.stream, default: Stream()].end = .reset(HTTP2Frame.number(at: 0, in: frame.payload))
        case .goAway:
            goAway = GoAway(
                last: HTTP2Frame.number(at: 0, in: frame.payload), code: HTTP2Frame.number(at: 4, in: frame.payload),
                text: String(decoding: frame.payload.dropFirst(8), as: UTF8.self))
        default:
            others.append(frame)
            if frame.kind == HTTP2Frame.Kind.settings.rawValue, frame.flags & HTTP2Frame.ack == 0, acknowledges {
                answer(HTTP2Frame(.settings, HTTP2Frame.ack))
            }
        }
    }

    private func endBlock() {
        guard let block else { return }
        let text = hpack_read(reader, block.bytes, block.bytes.count)
        streams[block.stream, default: Stream()].blocks.append(text.map { String(cString: $0) } ?? "no header block")
        free(text)
        if block.flags & HTTP2Frame.endStream != 0 { streams[block.stream, default: Stream()].end = .end }
        self.block = nil
    }
}
