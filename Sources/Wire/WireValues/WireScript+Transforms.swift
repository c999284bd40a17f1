package import SDCReactor

/// Transforms of scripts, whatever their content: a text, a file, chunks with pauses between them. Each makes a new
/// script that shares the old one's bytes; they can be combined in any order.
extension WireScript {
    /// The script after a wait, which follows informational responses.
    public func delayed(byNanoseconds nanoseconds: UInt64) -> WireScript {
        var wait = cr_step(CR_STEP_WAIT)
        wait.nanoseconds = nanoseconds
        let heads = steps.prefix { $0.is(CR_STEP_HEAD) }.count
        let place = max(heads - 1, 0)
        return rewritten(steps[..<place] + [wait] + steps[place...])
    }

    /// The script with its body and all raw bytes limited to a rate. The head is sent at once. A rate of 0 counts as 1.
    public func slowed(toBytesPerSecond bytesPerSecond: UInt64) -> WireScript {
        let rate = UInt32(clamping: max(bytesPerSecond, 1))
        return rewritten(
            steps.map { step in
                guard step.isBody || step.is(CR_STEP_RAW) else { return step }
                var slow = step
                slow.rate = step.rate == 0 ? rate : min(step.rate, rate)
                return slow
            })
    }

    /// The script with another last step. A script without an end is unchanged.
    /// - Precondition: `ending` is `end` or `abort`.
    public func replacingEnd(with ending: WireStep) -> WireScript {
        let ending = WireScript([ending])
        guard let last = steps.last, !last.is(CR_STEP_MORE) else { return self }
        let isInOrder = ending.steps[0].is(CR_STEP_END)
        let others = steps.dropLast().map { isInOrder ? $0.mended : $0 }
        return rewritten(others + ending.steps, keeping: [ending.block])
    }

    /// The end of a cut script.
    public enum CutEnd: Sendable {
        /// Orderly, as a complete response with a shorter body: a correct Content-Length is adjusted. If the response
        /// promises more bytes than it has, the connection closes.
        case finish
        /// In the middle; with chunks, inside a chunk.
        case abort(WireStep.Abort)
    }

    /// The script cut after `count` bytes of the body. A script without a head or with fewer bytes is unchanged.
    public func cut(after count: Int, then end: CutEnd) -> WireScript {
        guard count >= 0 else { return self }
        var cut = BodyCut(after: count, then: end)
        return cut.apply(to: self) ?? self
    }

    fileprivate func cut(behind head: Int?, after count: UInt64, of total: UInt64, then end: CutEnd) -> WireScript {
        let first = head.map { $0 + 1 } ?? 0
        var left = count
        var kept = Array(steps[..<first])
        for step in steps[first...] where left > 0 {
            let isLast = step.bodyCount >= left
            kept.append(isLast ? step.cut(after: left, then: end) : step)
            left -= min(step.bodyCount, left)
        }
        switch end {
        case .abort(let abort):
            return rewritten(kept + [cr_step(abort)])
        case .finish where count == total && steps.last?.is(CR_STEP_END) == true:
            return self
        case .finish:
            let (text, isKept) = head.map { kept[$0].restatingLength(from: total, to: count) } ?? (nil, false)
            var last = steps.last.flatMap { $0.is(CR_STEP_END) ? $0 : nil } ?? cr_step(.close)
            if !isKept { last.ending = cr_step(.close).ending }
            if let head, let text {
                kept[head].bytes = text.base
                kept[head].length = UInt64(text.count)
            }
            return rewritten(kept + [last], keeping: text.map { [$0] } ?? [])
        }
    }

    package var steps: UnsafeBufferPointer<cr_step> {
        UnsafeBufferPointer(start: block.steps, count: Int(block.header.count))
    }

    private func rewritten(_ steps: [cr_step], keeping owners: [AnyObject] = []) -> WireScript {
        WireScript(ScriptBlock.make(steps, keeping: [block] + owners))
    }
}

/// A cut in an answer that consists of several scripts.
struct BodyCut: Sendable {
    private var left: UInt64
    private let end: WireScript.CutEnd
    private var hasHead = false

    /// Makes a cut.
    /// - Precondition: `count` is not negative.
    init(after count: Int, then end: WireScript.CutEnd) {
        left = UInt64(count)
        self.end = end
    }

    /// The next script with the cut; nil if the cut comes later.
    mutating func apply(to script: WireScript) -> WireScript? {
        let head = script.steps.lastIndex { $0.is(CR_STEP_HEAD) }
        hasHead = hasHead || head != nil
        guard hasHead else { return nil }
        let total = script.steps.reduce(0) { $0 + $1.bodyCount }
        if total >= left { return script.cut(behind: head, after: left, of: total, then: end) }
        left -= total
        return nil
    }
}

extension cr_step {
    /// A slice of the body cut after `count` bytes, without the prerendered framing.
    fileprivate func cut(after count: UInt64, then end: WireScript.CutEnd) -> cr_step {
        let isTorn = if case .abort = end { true } else { false }
        if !isTorn, count == bodyCount { return mended }
        var piece = self
        piece.bytes = bytes.map { $0 + Int(lead) }
        piece.length = count
        piece.lead = 0
        piece.trail = 0
        piece.torn = isTorn
        return piece
    }

    /// The step without an incomplete end.
    fileprivate var mended: cr_step {
        var step = self
        if step.isBody { step.torn = false }
        return step
    }

    /// The text of a head whose body is cut, if it must change, and whether the client can tell where that body ends.
    fileprivate func restatingLength(from total: UInt64, to count: UInt64) -> (text: WireBytes?, isKnown: Bool) {
        if chunked { return (nil, true) }
        let value = withUnsafePointer(to: self) { cr_find_field($0, "Content-Length") }
        guard let digits = value.bytes, let text = bytes else { return (nil, false) }
        let stated = UInt64(String(decoding: UnsafeBufferPointer(start: digits, count: value.length), as: UTF8.self))
        guard stated == total else { return (nil, stated.map { $0 <= count } ?? false) }
        let before = UnsafeBufferPointer(start: text, count: digits - text)
        let end = digits + value.length
        let behind = UnsafeBufferPointer(start: end, count: Int(length) - (end - text))
        return (WireBytes(before + Array(String(count).utf8) + behind), true)
    }
}
