import SDCReactor

/// Limits the rate of the body and of all raw bytes.
struct RateTransform: ScriptTransform {
    let bytesPerSecond: UInt64

    func apply(to script: WireScript) -> WireScript {
        script.slowed(toBytesPerSecond: bytesPerSecond)
    }
}

/// Stops in the middle of the body.
struct StallTransform: ScriptTransform {
    private let after: UInt64
    private let nanoseconds: UInt64?
    private let applied: BodyShape.Applied?
    private var passed: UInt64 = 0
    private var hasHead = false
    private var isDone = false

    init(after count: Int, nanoseconds: UInt64?, applied: BodyShape.Applied?) {
        after = UInt64(max(count, 0))
        self.nanoseconds = nanoseconds
        self.applied = applied
    }

    private var stall: cr_step {
        nanoseconds.map { cr_step(waiting: $0) } ?? .waitingForEver()
    }

    mutating func apply(to script: WireScript) -> WireScript {
        guard !isDone else { return script }
        var edit = ScriptEdit(script)
        var (passed, hasHead, isDone) = (passed, hasHead, false)
        let (stall, after, last) = (stall, after, edit.head)
        // Informational heads precede the head of the body.
        var index = -1
        edit.replaceEach { edit, step in
            index += 1
            if step.is(CR_STEP_HEAD) {
                hasHead = hasHead || index == last
                return [step]
            }
            let isEnd = step.is(CR_STEP_END) || step.is(CR_STEP_ABORT)
            guard hasHead, !isDone, step.isBody || isEnd else { return [step] }
            let count = step.bodyCount
            guard after == passed || after < passed + count else {
                passed += count
                return [step]
            }
            isDone = true
            let place = after - passed
            guard place > 0 else { return [stall, step] }
            return [edit.part(0..<place, of: step), stall, edit.part(place..<count, of: step)]
        }
        (self.passed, self.hasHead, self.isDone) = (passed, hasHead, isDone)
        guard isDone else { return script }
        applied?(Int(clamping: after))
        return edit.script
    }
}

/// Sends the body in small slices with pauses between them.
struct SliceTransform: ScriptTransform {
    /// The maximum number of slices per script: each takes about 50 bytes of memory, and clients could not distinguish
    /// more.
    private static let maxPieces: UInt64 = 65_536

    private let size: UInt64
    private let gap: UInt64
    private let applied: BodyShape.Applied?
    private var hasStarted = false

    init(size: Int, gap: UInt64, applied: BodyShape.Applied?) {
        self.size = UInt64(max(size, 1))
        self.gap = gap
        self.applied = applied
    }

    mutating func apply(to script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        let total = edit.bodyCount
        guard total > 0 else { return script }
        let size = max(size, (total + Self.maxPieces - 1) / Self.maxPieces)
        let pause = cr_step(waiting: gap)
        var hasStarted = hasStarted
        edit.replaceEach { edit, step in
            guard step.isBody, step.bodyCount > 0 else { return [step] }
            return stride(from: 0, to: step.bodyCount, by: Int(clamping: size)).flatMap { begin in
                defer { hasStarted = true }
                let piece = edit.part(begin..<min(begin + size, step.bodyCount), of: step)
                return hasStarted ? [pause, piece] : [piece]
            }
        }
        if !self.hasStarted { applied?(0) }
        self.hasStarted = hasStarted
        return edit.script
    }
}

/// Waits before each slice of the body.
struct PauseTransform: ScriptTransform {
    private let pause: @Sendable (Int) -> UInt64
    private var count = 0

    init(pause: @escaping @Sendable (Int) -> UInt64) {
        self.pause = pause
    }

    mutating func apply(to script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        var count = count
        edit.replaceEach { [pause] _, step in
            guard step.isBody, step.bodyCount > 0 else { return [step] }
            defer { count += 1 }
            return [cr_step(waiting: pause(count)), step]
        }
        defer { self.count = count }
        return count == self.count ? script : edit.script
    }
}

/// Delays closing the connection after the answer.
struct LateCloseTransform: ScriptTransform {
    let milliseconds: UInt32
    let applied: BodyShape.Applied?

    func apply(to script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        guard edit.isLast, !edit.isSwitch, var last = edit.steps.popLast() else { return script }
        if last.is(CR_STEP_END) {
            last.ending = cr_step(.close).ending
            last.rate = milliseconds
        } else {
            edit.steps.append(cr_step(waiting: UInt64(milliseconds) * 1_000_000))
        }
        edit.steps.append(last)
        applied?(nil)
        return edit.script
    }
}
