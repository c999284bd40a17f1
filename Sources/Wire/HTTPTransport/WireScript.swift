import CReactor

/// Immutable bytes that scripts send. Shared by any number of scripts and threads.
public final class WireBytes: Sendable {
    // Written once, before anybody else sees it.
    fileprivate nonisolated(unsafe) let base: UnsafePointer<UInt8>
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

    /// What it sends.
    private var sent: (bytes: WireBytes, range: Range<Int>)? {
        switch self {
        case .send(let bytes, let range), .pace(let bytes, let range, _): (bytes, range)
        case .wait, .finish, .abort: nil
        }
    }

    fileprivate var bytes: WireBytes? { sent?.bytes }
    fileprivate var byteCount: Int { sent?.range.count ?? 0 }

    /// - Precondition: the range lies inside its bytes.
    fileprivate var raw: cr_step {
        var step = cr_step()
        switch self {
        case .wait(let nanoseconds):
            step.kind = CR_STEP_WAIT
            step.amount = nanoseconds
        case .send:
            step.kind = CR_STEP_SEND
        case .pace(_, _, let bytesPerSecond):
            step.kind = CR_STEP_PACE
            step.amount = max(bytesPerSecond, 1)
        case .finish(let finish):
            step.kind = CR_STEP_FINISH
            step.ending = finish == .keepAlive ? CR_KEEP_ALIVE : CR_CLOSE
        case .abort(let abort):
            step.kind = CR_STEP_ABORT
            step.ending = abort == .fin ? CR_FIN : CR_RST
        }
        if let (bytes, range) = sent {
            precondition(
                range.lowerBound >= 0 && range.upperBound <= bytes.count, "a step must send bytes that there are")
            step.bytes = bytes.base + range.lowerBound
            step.length = range.count
        }
        return step
    }
}

/// A program of wire steps: everything that can happen to a response, from a plain 200 to a reset in the middle of a
/// chunk. Immutable; one script may run on many streams at once.
public struct WireScript: Sendable {
    // A block is never written after it was made, and what it keeps is immutable too.
    nonisolated(unsafe) let block: ScriptBlock

    /// Up to this many bytes are copied behind the steps, so that a usual response is one block of memory; more are shared.
    private static let copyLimit = 32 * 1024

    /// - Precondition: the last step is `finish` or `abort`, no other one is, and every range lies inside its bytes.
    public init(_ steps: [WireStep]) {
        let raw = steps.map(\.raw)
        var total = 0
        for step in steps { total += step.byteCount }
        if total <= Self.copyLimit {
            block = withExtendedLifetime(steps) { ScriptBlock.copying(raw, byteCount: total) }
        } else {
            block = ScriptBlock.make(raw, keeping: steps.compactMap(\.bytes))
        }
        precondition(
            cr_script_is_sound(block.steps, steps.count),
            "a wire script must end with its only finish or abort: \(steps)")
    }

    /// Ends at a hold.
    /// - Precondition: no step is `finish` or `abort`, and every range lies inside its bytes.
    init(opening steps: [WireStep]) {
        block = ScriptBlock.make(steps.map(\.raw) + [Self.hold], keeping: steps.compactMap(\.bytes))
        precondition(
            cr_script_is_sound(block.steps, steps.count + 1), "what opens a held stream must not end it: \(steps)")
    }

    /// Sends all of the bytes, and ends at a hold.
    init(pieces: ArraySlice<WireBytes>) {
        block = ScriptBlock.make(pieces.map { WireStep.send($0).raw } + [Self.hold], keeping: Array(pieces))
    }

    private static var hold: cr_step {
        var step = cr_step()
        step.kind = CR_STEP_HOLD
        return step
    }

    /// It takes its time by itself: it waits, paces or is held. At no cost.
    public var isTimed: Bool { block.header.isTimed }

    /// The same script behind a wait. The bytes are shared.
    public func delayed(byNanoseconds nanoseconds: UInt64) -> WireScript {
        let wait = WireStep.wait(nanoseconds: nanoseconds).raw
        let steps = UnsafeBufferPointer(start: block.steps, count: block.header.count)
        return WireScript(ScriptBlock.make([wait] + steps, keeping: [block]))
    }

    /// Where the script and the beginning of what it sends stand.
    public var hint: MemoryHint { MemoryHint(block) }

    private init(_ block: ScriptBlock) {
        self.block = block
    }
}

/// The steps of a script as the loop reads them, and behind them the bytes that they send: one block, since the responses
/// of many stubs are cold memory, and each place to look for them costs a request dearly.
final class ScriptBlock: ManagedBuffer<ScriptBlock.Header, cr_step> {
    struct Header {
        /// The number of steps.
        let count: Int
        /// Whether one of them takes time.
        let isTimed: Bool
        /// Whoever owns bytes that stand elsewhere.
        let kept: [AnyObject]
    }

    /// Where the steps stand, as long as the block lives.
    var steps: UnsafePointer<cr_step> {
        withUnsafeMutablePointerToElements { UnsafePointer($0) }
    }

    static func make(_ steps: [cr_step], keeping kept: [AnyObject]) -> ScriptBlock {
        allocate(steps, kept, room: steps.count)
    }

    /// Takes the bytes of the steps over, and lets the steps point to the copies.
    static func copying(_ steps: [cr_step], byteCount: Int) -> ScriptBlock {
        let stride = MemoryLayout<cr_step>.stride
        let count = steps.count
        let block = allocate(steps, [], room: count + (byteCount + stride - 1) / stride)
        block.withUnsafeMutablePointerToElements { place in
            var free = UnsafeMutableRawPointer(place + count)
            for index in 0..<count {
                guard let source = place[index].bytes else { continue }
                let length = place[index].length
                free.copyMemory(from: source, byteCount: length)
                place[index].bytes = UnsafePointer(free.assumingMemoryBound(to: UInt8.self))
                free += length
            }
        }
        return block
    }

    private static func allocate(_ steps: [cr_step], _ kept: [AnyObject], room: Int) -> ScriptBlock {
        let isTimed = steps.contains { $0.kind == CR_STEP_WAIT || $0.kind == CR_STEP_PACE || $0.kind == CR_STEP_HOLD }
        let header = Header(count: steps.count, isTimed: isTimed, kept: kept)
        let buffer = ScriptBlock.create(minimumCapacity: room) { _ in header }
        buffer.withUnsafeMutablePointerToElements { place in
            for (index, step) in steps.enumerated() { (place + index).initialize(to: step) }
        }
        return unsafeDowncast(buffer, to: ScriptBlock.self)
    }
}
