import CReactor

/// Immutable bytes that scripts send from without copying. Shared by any number of scripts and threads.
public final class WireBytes: Sendable {
    // A cr_blob is immutable and counts its references atomically.
    nonisolated(unsafe) let blob: OpaquePointer
    public let count: Int

    public init(_ bytes: [UInt8]) {
        guard let blob = bytes.withUnsafeBytes({ cr_blob_copy($0.baseAddress, $0.count) }) else {
            fatalError("out of memory for a response of \(bytes.count) bytes")
        }
        self.blob = blob
        count = bytes.count
    }

    deinit {
        cr_blob_release(blob)
    }
}

/// One step of what happens on a stream.
public enum WireStep: Sendable {
    /// A timer on the loop; no thread sleeps.
    case wait(nanoseconds: UInt64)
    /// The bytes of `range`, at once.
    case send(WireBytes, Range<Int>)
    /// The bytes of `range` at a rate; a rate of 0 counts as 1.
    case pace(WireBytes, Range<Int>, bytesPerSecond: UInt64)
    /// The response is complete. `.keepAlive` closes all the same where the client asked for it.
    case finish(Finish)
    /// The connection ends here.
    case abort(Abort)

    public enum Finish: Sendable {
        case keepAlive, close
    }

    public enum Abort: Sendable {
        /// An orderly end, without another byte.
        case fin
        /// A reset: the client sees ECONNRESET.
        case rst
    }

    public static func send(_ bytes: WireBytes) -> WireStep {
        .send(bytes, 0..<bytes.count)
    }

    fileprivate var raw: cr_step {
        var step = cr_step()
        switch self {
        case .wait(let nanoseconds):
            step.kind = CR_STEP_WAIT
            step.amount = nanoseconds
        case .send(let bytes, let range):
            step.kind = CR_STEP_SEND
            step.set(bytes, range)
        case .pace(let bytes, let range, let bytesPerSecond):
            step.kind = CR_STEP_PACE
            step.amount = max(bytesPerSecond, 1)
            step.set(bytes, range)
        case .finish(let finish):
            step.kind = CR_STEP_FINISH
            step.ending = finish == .keepAlive ? CR_KEEP_ALIVE : CR_CLOSE
        case .abort(let abort):
            step.kind = CR_STEP_ABORT
            step.ending = abort == .fin ? CR_FIN : CR_RST
        }
        return step
    }
}

extension cr_step {
    fileprivate mutating func set(_ bytes: WireBytes, _ range: Range<Int>) {
        blob = bytes.blob
        offset = range.lowerBound
        length = range.count
    }
}

/// A program of wire steps: everything that can happen to a response, from a plain 200 to a reset in the middle of a
/// chunk. Immutable; one script may run on many streams at once.
public final class WireScript: Sendable {
    // A cr_script is immutable and counts its references atomically.
    nonisolated(unsafe) let script: OpaquePointer

    /// - Precondition: the last step is `finish` or `abort`, no other one is, and every range lies inside its bytes.
    public init(_ steps: [WireStep]) {
        let raw = steps.map(\.raw)
        let script = withExtendedLifetime(steps) { cr_script_new(raw, raw.count) }
        guard let script else { preconditionFailure("a wire script must end with its only finish or abort: \(steps)") }
        self.script = script
    }

    private init(owning script: OpaquePointer) {
        self.script = script
    }

    /// The same script behind a wait. The bytes are shared.
    public func delayed(byNanoseconds nanoseconds: UInt64) -> WireScript {
        guard let delayed = cr_script_delayed(script, nanoseconds) else { fatalError("out of memory for a script") }
        return WireScript(owning: delayed)
    }

    deinit {
        cr_script_release(script)
    }
}
