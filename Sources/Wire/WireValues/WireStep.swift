package import SDCReactor
public import SDPlatform

/// Immutable bytes that scripts send, shared by any number of scripts and threads.
public final class WireBytes: Sendable {
    // Written once, before any other thread sees it.
    nonisolated(unsafe) let base: UnsafePointer<UInt8>
    public let count: Int
    private let account: MemoryAccount?

    /// Copies bytes.
    /// - Parameter account: the ledger for the bytes until the last script that sends them has ended; nil for none.
    public init(_ bytes: [UInt8], in account: MemoryAccount? = nil) {
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { block.update(from: start, count: source.count) }
        }
        base = UnsafePointer(block)
        count = bytes.count
        self.account = account
        account?.add(count)
    }

    /// Concatenates several, charged like the first one.
    public init(joining pieces: [WireBytes]) {
        let count = pieces.reduce(0) { $0 + $1.count }
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
        var end = block
        for piece in pieces {
            end.update(from: piece.base, count: piece.count)
            end += piece.count
        }
        base = UnsafePointer(block)
        self.count = count
        account = pieces.first { $0.account != nil }?.account
        account?.add(count)
    }

    deinit {
        base.deallocate()
        account?.add(-count)
    }

    /// A copy of the bytes.
    package var copy: [UInt8] { prefix(count) }

    /// A copy of the first bytes.
    package func prefix(_ most: Int) -> [UInt8] { Array(UnsafeBufferPointer(start: base, count: min(most, count))) }
}

/// One step on a stream. Steps are in terms of HTTP; the stream's framing determines the bytes on the wire.
public enum WireStep: Sendable {
    /// Waits, on a timer of the loop; no thread sleeps.
    case wait(nanoseconds: UInt64)
    /// Sends the status and the header fields.
    case head(ResponseHead)
    /// Sends the bytes of `range` as a slice of the body; as a chunk, if the head announces chunks.
    case body(WireBytes, Range<Int>)
    /// Sends a slice of the body at a rate; a rate of 0 counts as 1.
    case pace(WireBytes, Range<Int>, bytesPerSecond: UInt64)
    /// Sends a slice of the body from a file.
    case file(WireFile)
    /// Sends the bytes of a relay as the body, until the relay is closed.
    case relay(BodyRelay)
    /// Sends the bytes of `range` unframed, which need not be valid HTTP.
    case raw(WireBytes, Range<Int>)
    /// Waits without limit for `StreamHandle.release` or `StreamingReply.release`.
    /// - Parameter name: the name of the hold.
    case hold(_ name: String = "")
    /// Completes the response. Even `.keepAlive` closes the connection if the client asked for that. Trailers are sent
    /// if the framing supports them; in HTTP/1.1 only with chunks.
    case end(End, trailers: [(name: String, value: String)] = [])
    /// Breaks the response off here, complete or not.
    case abort(Abort)

    public enum End: Sendable {
        case keepAlive, close
    }

    /// How a response is broken off. The connection ends too, except in HTTP/2 with `hang`, `resetStream` and
    /// `breakOff`, which end only the stream.
    public enum Abort: Sendable, Equatable {
        /// An orderly end of the connection, without another byte.
        case fin
        /// A reset: the client gets ECONNRESET.
        case rst
        /// The connection closes without TLS's close_notify; without TLS, like `fin`.
        case cut
        /// Nothing is sent, and the stream stays open until the client disconnects.
        case hang
        /// HTTP/2: RST_STREAM with a code; HTTP/1.1: like `rst`.
        case resetStream(code: UInt32)
        /// HTTP/2: GOAWAY with a code and the last stream id (nil for the response's own), then the connection closes;
        /// HTTP/1.1: like `fin`.
        case goAway(code: UInt32, lastStream: UInt32? = nil)
        /// Sends bytes that are not valid in the protocol, then closes the connection.
        case garbage
        /// The rest of the response is not available. HTTP/2: RST_STREAM with INTERNAL_ERROR; HTTP/1.1: like `fin`.
        case breakOff
    }

    public static func body(_ bytes: WireBytes) -> WireStep {
        .body(bytes, 0..<bytes.count)
    }

    public static func raw(_ bytes: WireBytes) -> WireStep {
        .raw(bytes, 0..<bytes.count)
    }

    /// The step in the loop's form, without its own text.
    /// - Precondition: the range lies inside its bytes.
    var template: cr_step {
        switch self {
        case .wait(let nanoseconds):
            var step = cr_step(CR_STEP_WAIT)
            step.nanoseconds = nanoseconds
            return step
        case .head(let head):
            var step = cr_step(CR_STEP_HEAD)
            step.chunked = head.isChunked
            return step
        case .body(let bytes, let range): return cr_step(CR_STEP_BODY, bytes, range)
        case .pace(let bytes, let range, let bytesPerSecond):
            var step = cr_step(CR_STEP_BODY, bytes, range)
            step.rate = UInt32(clamping: max(bytesPerSecond, 1))
            return step
        case .file(let file):
            var step = cr_step(CR_STEP_FILE)
            step.bytes = UnsafeRawPointer(file.place).assumingMemoryBound(to: UInt8.self)
            step.length = UInt64(file.count)
            return step
        case .relay(let relay): return cr_step(relay, count: .max)
        case .raw(let bytes, let range): return cr_step(CR_STEP_RAW, bytes, range)
        case .hold: return cr_step(CR_STEP_HOLD)
        case .end(let end, _): return cr_step(end)
        case .abort(let abort): return cr_step(abort)
        }
    }

    /// The shared bytes that the step sends.
    var shared: WireBytes? {
        switch self {
        case .body(let bytes, _), .pace(let bytes, _, _), .raw(let bytes, _): bytes
        case .wait, .head, .file, .relay, .hold, .end, .abort: nil
        }
    }

    /// The source of bytes that are never copied into a script: a file or a relay.
    var source: AnyObject? {
        switch self {
        case .file(let file): file
        case .relay(let relay): relay
        case .wait, .head, .body, .pace, .raw, .hold, .end, .abort: nil
        }
    }

    /// The step's own text: the lines of a head or of trailers, or the name of a hold.
    var text: [UInt8] {
        switch self {
        case .head(let head):
            return head.text + [0x0d, 0x0a]
        case .end(_, let trailers):
            var lines: [UInt8] = []
            for (name, value) in trailers { lines.append(name, value) }
            return lines
        case .hold(let name):
            return Array(name.utf8)
        case .wait, .body, .file, .relay, .pace, .raw, .abort:
            return []
        }
    }
}

extension cr_step {
    init(_ kind: cr_step_kind) {
        self.init()
        self.kind = UInt8(kind.rawValue)
    }

    /// Makes a step that sends a range of bytes.
    /// - Precondition: the range lies inside the bytes.
    init(_ kind: cr_step_kind, _ source: WireBytes, _ range: Range<Int>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= source.count, "a step must send bytes that there are")
        self.init(kind)
        bytes = source.base + range.lowerBound
        length = UInt64(range.count)
    }

    /// Makes a step that sends the next bytes of a relay, at most `count`.
    init(_ relay: BodyRelay, count: UInt64) {
        self.init(CR_STEP_RELAY)
        bytes = UnsafeRawPointer(relay.raw).assumingMemoryBound(to: UInt8.self)
        length = count
    }

    init(_ end: WireStep.End) {
        self.init(CR_STEP_END)
        ending = UInt8((end == .keepAlive ? CR_KEEP_ALIVE : CR_CLOSE).rawValue)
    }

    init(_ abort: WireStep.Abort) {
        self.init(CR_STEP_ABORT)
        let end: cr_ending
        switch abort {
        case .fin: end = CR_FIN
        case .rst: end = CR_RST
        case .cut: end = CR_NO_CLOSE_NOTIFY
        case .hang: end = CR_HANG
        case .resetStream(let code):
            end = CR_RESET_STREAM
            rate = code
        case .goAway(let code, let lastStream):
            end = CR_GOAWAY
            rate = code
            nanoseconds = lastStream.map(UInt64.init) ?? .max
        case .garbage: end = CR_GARBAGE
        case .breakOff: end = CR_BREAK_OFF
        }
        ending = UInt8(end.rawValue)
    }

    /// Whether the step is of a kind.
    package func `is`(_ kind: cr_step_kind) -> Bool { self.kind == UInt8(kind.rawValue) }

    /// Whether the step sends a slice of the body.
    var isBody: Bool { `is`(CR_STEP_BODY) || `is`(CR_STEP_FILE) || `is`(CR_STEP_RELAY) }

    /// Whether the step sends a whole relay of unknown length.
    var isEndless: Bool { `is`(CR_STEP_RELAY) && length == .max }

    /// The number of body bytes that the step sends; 0 if unknown.
    var bodyCount: UInt64 { isBody && !isEndless ? length - UInt64(lead) - UInt64(trail) : 0 }

    /// Whether `bytes` and `length` refer to bytes in memory.
    var hasBytes: Bool {
        !`is`(CR_STEP_WAIT) && !`is`(CR_STEP_ABORT) && !`is`(CR_STEP_FILE) && !`is`(CR_STEP_RELAY)
    }

    /// The relay that the step sends from; nil for any other step.
    package var relay: BodyRelay? {
        guard `is`(CR_STEP_RELAY), let bytes else { return nil }
        return BodyRelay.at(OpaquePointer(UnsafeRawPointer(bytes)))
    }

    /// The name of a hold.
    package var name: String { String(decoding: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self) }

    /// Whether the step takes time by itself.
    var isTimed: Bool {
        switch cr_step_kind(UInt32(kind)) {
        case CR_STEP_WAIT, CR_STEP_HOLD, CR_STEP_RELAY, CR_STEP_MORE: true
        case CR_STEP_BODY, CR_STEP_FILE, CR_STEP_RAW, CR_STEP_END: rate > 0
        case CR_STEP_ABORT: ending == UInt8(CR_HANG.rawValue)
        default: false
        }
    }
}
