import CReactor

/// Immutable bytes that scripts send. Shared by any number of scripts and threads.
public final class WireBytes: Sendable {
    // Written once, before anybody else sees it.
    nonisolated(unsafe) let base: UnsafePointer<UInt8>
    public let count: Int

    public init(_ bytes: [UInt8]) {
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { block.update(from: start, count: source.count) }
        }
        base = UnsafePointer(block)
        count = bytes.count
    }

    deinit {
        base.deallocate()
    }
}

/// One step of what happens on a stream. Steps say HTTP; what goes over the wire is up to the stream's framing.
public enum WireStep: Sendable {
    /// A timer on the loop; no thread sleeps.
    case wait(nanoseconds: UInt64)
    /// The status and the fields.
    case head(ResponseHead)
    /// The bytes of `range`, as a piece of the body: a chunk, where the head says so.
    case body(WireBytes, Range<Int>)
    /// The same at a rate; a rate of 0 counts as 1.
    case pace(WireBytes, Range<Int>, bytesPerSecond: UInt64)
    /// The bytes of `range`, with nothing around them: what no framing would send.
    case raw(WireBytes, Range<Int>)
    /// Waits, for as long as it takes, until somebody lets the answer go on: `StreamHandle.release`, `HeldStream.release`.
    /// - Parameter name: what it waits for, in its own words.
    case hold(_ name: String = "")
    /// The response is complete. `.keepAlive` closes all the same where the client asked for it. Trailers go out where the
    /// framing has a place for them; HTTP/1.1 has one behind chunks.
    case end(End, trailers: [(name: String, value: String)] = [])
    /// The response ends here, complete or not.
    case abort(Abort)

    public enum End: Sendable {
        case keepAlive, close
    }

    public enum Abort: Sendable {
        /// An orderly end of the connection, without another byte.
        case fin
        /// A reset: the client sees ECONNRESET.
        case rst
    }

    public static func body(_ bytes: WireBytes) -> WireStep {
        .body(bytes, 0..<bytes.count)
    }

    public static func raw(_ bytes: WireBytes) -> WireStep {
        .raw(bytes, 0..<bytes.count)
    }

    /// The step as the loop reads it. Where its text is to stand, it has the length alone.
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
        case .raw(let bytes, let range): return cr_step(CR_STEP_RAW, bytes, range)
        case .hold: return cr_step(CR_STEP_HOLD)
        case .end(let end, _): return cr_step(end)
        case .abort(let abort): return cr_step(abort)
        }
    }

    /// The bytes of others that it sends.
    var shared: WireBytes? {
        switch self {
        case .body(let bytes, _), .pace(let bytes, _, _), .raw(let bytes, _): bytes
        case .wait, .head, .hold, .end, .abort: nil
        }
    }

    /// The text of its own that goes with it: the lines of a head or of trailers, the name of a hold.
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
        case .wait, .body, .pace, .raw, .abort:
            return []
        }
    }
}

extension cr_step {
    init(_ kind: cr_step_kind) {
        self.init()
        self.kind = UInt8(kind.rawValue)
    }

    /// - Precondition: the range lies inside the bytes.
    init(_ kind: cr_step_kind, _ source: WireBytes, _ range: Range<Int>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= source.count, "a step must send bytes that there are")
        self.init(kind)
        bytes = source.base + range.lowerBound
        length = UInt64(range.count)
    }

    init(_ end: WireStep.End) {
        self.init(CR_STEP_END)
        ending = UInt8((end == .keepAlive ? CR_KEEP_ALIVE : CR_CLOSE).rawValue)
    }

    init(_ abort: WireStep.Abort) {
        self.init(CR_STEP_ABORT)
        ending = UInt8((abort == .fin ? CR_FIN : CR_RST).rawValue)
    }

    /// Whether it is of a kind.
    func `is`(_ kind: cr_step_kind) -> Bool { self.kind == UInt8(kind.rawValue) }

    /// How many bytes of the body it sends.
    var bodyCount: UInt64 { `is`(CR_STEP_BODY) ? length - UInt64(lead) - UInt64(trail) : 0 }

    /// Whether `bytes` and `length` mean something.
    var hasBytes: Bool { !`is`(CR_STEP_WAIT) && !`is`(CR_STEP_ABORT) }

    /// What a hold waits for.
    var name: String { String(decoding: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self) }

    /// Whether running it takes time by itself.
    var isTimed: Bool {
        switch cr_step_kind(UInt32(kind)) {
        case CR_STEP_WAIT, CR_STEP_HOLD, CR_STEP_MORE: true
        case CR_STEP_BODY, CR_STEP_RAW: rate > 0
        default: false
        }
    }
}
