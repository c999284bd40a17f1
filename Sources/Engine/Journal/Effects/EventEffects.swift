package import SDHTTPTransport
package import SDPlatform
package import SDStubModel
import Synchronization

/// The effects sampled for one answer: its faults, and the pauses between its chunks.
package final class EventEffects: Sendable {
    /// The answer that is sent instead of the response; nil for the response.
    package let replacement: Replacement?
    /// The delay before the first byte, in milliseconds.
    package let delay: Double
    /// The part of the delay that session faults add to any answer.
    private let sessionDelay: Double
    private let changes: [Change]
    private let pauses: Pauses?
    private let slots: [SlotCounter]
    /// The counts that are needed before effects can be sampled; nil once they are known.
    package let open: OpenFaults?
    /// The effects of the answer that this one replaces; their slots are released at this answer's end.
    private let former: EventEffects?
    private let isEnded = Atomic(false)
    private let noted: Mutex<[AppliedFault]>

    package struct Replacement: Sendable {
        package let answer: FaultRule.Replacement
        package let retryAfter: Int?
        /// The reason, as a clause.
        package let reason: String
    }

    package struct Change: Sendable {
        package let change: FaultRule.Change
        package let label: String?
        package let seed: UInt64
    }

    package struct Pauses: Sendable {
        package let distribution: DelayDistribution
        package let seed: UInt64

        package init(distribution: DelayDistribution, seed: UInt64) {
            self.distribution = distribution
            self.seed = seed
        }
    }

    /// Effects under construction.
    package struct Draft {
        package var replacement: Replacement?
        package var delay = 0.0
        var sessionDelay = 0.0
        package var changes: [Change] = []
        package var pauses: Pauses?
        package var slots: [SlotCounter] = []
        var applied: [AppliedFault] = []
        package var former: EventEffects?

        package init() {}

        package var isEmpty: Bool {
            replacement == nil && delay == 0 && changes.isEmpty && pauses == nil && slots.isEmpty && applied.isEmpty
        }

        /// Adds the effect of a rule on the answer.
        package mutating func add(
            _ rule: FaultRule, _ label: String?, retryAfter: Int?, _ generator: inout SeededGenerator
        ) {
            if let delay = rule.delay {
                let milliseconds = max(delay.sample(&generator), 0)
                self.delay += milliseconds
                if label != nil { sessionDelay += milliseconds }
                applied.append(AppliedFault("delay", label, then: "\(UInt64(clamped: milliseconds)) ms"))
            }
            if let answer = rule.replacement, replacement == nil {
                replacement = Replacement(answer: answer, retryAfter: retryAfter, reason: rule.conditions.reason)
                applied.append(AppliedFault(answer.name, label, then: answer.outcome))
            }
            if let rate = rule.readRate {
                applied.append(AppliedFault("readSlowly", label, then: "\(rate.bytesPerSecond) B/s"))
            }
            for change in rule.changes {
                changes.append(Change(change: change, label: label, seed: change.isDrawn ? generator.next() : 0))
            }
        }

        /// Carries over the effects of session faults from the answer that is replaced.
        package mutating func inheritSessionFaults(from former: EventEffects) {
            self.former = former
            delay += former.sessionDelay
            sessionDelay += former.sessionDelay
            changes += former.changes.filter { $0.label != nil }
            applied += former.applied.filter { $0.label != nil }
        }
    }

    package init(_ draft: Draft) {
        replacement = draft.replacement
        delay = draft.delay
        sessionDelay = draft.sessionDelay
        changes = draft.changes
        pauses = draft.pauses
        slots = draft.slots
        former = draft.former
        open = nil
        noted = Mutex(draft.applied)
    }

    /// A placeholder for effects that are sampled once all replicas have counted.
    package init(open: OpenFaults) {
        (replacement, delay, sessionDelay, changes, pauses, slots, former) = (nil, 0, 0, [], nil, [], nil)
        self.open = open
        noted = Mutex([])
    }

    /// The effects of an ended answer of another replica.
    init(acted applied: [AppliedFault]) {
        (replacement, delay, sessionDelay, changes, pauses, slots, former) = (nil, 0, 0, [], nil, [], nil)
        open = nil
        noted = Mutex(applied)
    }

    /// The faults that have acted, in order.
    var applied: [AppliedFault] { noted.withLock { $0 } }

    /// Clears the faults, because they do not act.
    package func clearApplied() {
        noted.withLock { $0 = [] }
    }

    /// The approximate size in memory, in bytes.
    package var byteCount: Int { 128 + changes.count * 64 }

    /// Whether a fault counts or changes bytes of the body; such a body is not gzipped, so that the bytes are the
    /// test's.
    package var countsBytes: Bool { changes.contains { $0.change.countsBytes } }

    /// Whether a fault must act first, so that no informational answer may precede it.
    package var comesFirst: Bool {
        changes.contains { change in
            switch change.change {
            case .cut(.nothing, _), .garbage, .garbageText: true
            default: false
            }
        }
    }

    /// The transforms of the answer.
    package var shape: BodyShape {
        var shape = BodyShape()
        for change in changes { shape = change.added(to: shape) { [self] offset in recordApplied(change, offset) } }
        if let pauses {
            let (distribution, seed) = (pauses.distribution, pauses.seed)
            shape = shape.paused { index in
                var generator = SeededGenerator(seed: seed &+ UInt64(index))
                return nanoseconds(milliseconds: distribution.sample(&generator))
            }
        }
        return shape
    }

    package func apply(to script: WireScript) -> WireScript {
        guard !changes.isEmpty || pauses != nil else { return script }
        var shape = shape
        return shape.apply(to: script)
    }

    private func recordApplied(_ change: Change, _ offset: Int?) {
        noted.withLock { applied in
            let name = change.change.name
            if let last = applied.indices.last, applied[last].name == name, applied[last].label == change.label {
                applied[last].add(offset)
            } else {
                var fault = AppliedFault(name, change.label, then: change.change.outcome)
                fault.add(offset)
                applied.append(fault)
            }
        }
    }

    /// Called when the answer has ended.
    package func releaseSlots() {
        guard !isEnded.exchange(true, ordering: .relaxed) else { return }
        for slot in slots { slot.release() }
        former?.releaseSlots()
    }

    deinit {
        releaseSlots()
    }
}

/// A fault that has acted on an answer.
public struct AppliedFault: Sendable, Equatable {
    /// The name of its key.
    public let name: String
    /// The name or id of the session's fault; nil for one of the stub.
    public let label: String?
    /// The outcome for the answer; nil if the name says it.
    public let then: String?
    /// The first body offsets at which it acted, from 0; empty if it acted on the head or the end.
    public private(set) var offsets: [Int] = []
    /// How often it acted.
    public private(set) var count = 0

    /// The largest number of stored offsets.
    private static let maxOffsets = 100

    package init(_ name: String, _ label: String?, then: String? = nil) {
        self.name = name
        self.label = label
        self.then = then
    }

    /// Sets the offsets and the count reported by another replica.
    mutating func take(_ offsets: [Int], count: Int) {
        self.offsets = Array(offsets.prefix(Self.maxOffsets))
        self.count = count
    }

    package mutating func add(_ offset: Int?) {
        count += 1
        if let offset, offsets.count < Self.maxOffsets { offsets.append(offset) }
    }
}

extension UInt64 {
    /// The integer part of a number, clamped to the range of `UInt64`; 0 for NaN.
    package init(clamped value: Double) {
        self = value < 0x1p63 ? UInt64(Swift.max(value, 0)) : value >= 0x1p63 ? .max : 0
    }
}

/// Converts a delay to nanoseconds, at most a day, which is longer than any test. Comparisons with NaN are false.
package func nanoseconds(milliseconds: Double) -> UInt64 {
    guard milliseconds > 0 else { return 0 }
    return UInt64((milliseconds < 86_400_000 ? milliseconds : 86_400_000) * 1_000_000)
}

extension EventEffects.Change {
    fileprivate func added(to shape: BodyShape, _ applied: @escaping BodyShape.Applied) -> BodyShape {
        func time(_ milliseconds: Int) -> UInt64 { nanoseconds(milliseconds: Double(milliseconds)) }
        var generator: SeededGenerator { SeededGenerator(seed: seed) }
        switch change {
        case .wrongLength(let difference): return shape.statingLength(wrongBy: difference, applied: applied)
        case .duplicateHeader(let name, let value): return shape.repeatingField(name, value: value, applied: applied)
        case .garbageText(let text):
            return shape.prefixed(with: WireBytes(Array(text.utf8)), applied: applied)
        case .garbage(let count):
            var draws = generator
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &draws) }
            return shape.prefixed(with: WireBytes(bytes), applied: applied)
        case .corruptByte(let offset):
            return shape.corrupted(Corruption(.byte(offset), drawing: generator), applied: applied)
        case .corruptRate(let rate):
            return shape.corrupted(Corruption(.rate(rate), drawing: generator), applied: applied)
        case .dropTrailers: return shape.withoutTrailers(applied: applied)
        case .cut(let place, let end):
            return shape.cut(at: CutPlace(place), then: WireStep.Abort(end), applied: applied)
        case .stall(let after, let milliseconds):
            return shape.stalled(after: after, nanoseconds: milliseconds.map(time), applied: applied)
        case .slice(let size, let gap):
            return shape.sliced(size: size, gapNanoseconds: time(gap), applied: applied)
        case .bandwidth(let rate):
            applied(0)
            return shape.slowed(toBytesPerSecond: UInt64(rate.bytesPerSecond))
        case .slowClose(let milliseconds):
            return shape.closedLate(byMilliseconds: UInt32(clamping: milliseconds), applied: applied)
        }
    }
}

extension CutPlace {
    fileprivate init(_ cut: FaultRule.Cut) {
        switch cut {
        case .byte(let count): self = .byte(count)
        case .share(let share): self = .share(share)
        case .nothing: self = .nothing
        case .head: self = .head
        case .chunk(let count): self = .pieces(count)
        }
    }
}

extension WireStep.Abort {
    fileprivate init(_ end: FaultRule.End) {
        switch end {
        case .fin: self = .fin
        case .rst: self = .rst
        case .cut: self = .cut
        case .hang: self = .hang
        case .garbage: self = .garbage
        case .resetStream(let code): self = .resetStream(code: code.rawValue)
        case .goAway(let code, let lastStream): self = .goAway(code: code.rawValue, lastStream: lastStream)
        }
    }
}

extension FaultRule.Change {
    /// Whether the change needs random numbers.
    fileprivate var isDrawn: Bool {
        switch self {
        case .garbage, .corruptByte, .corruptRate: true
        default: false
        }
    }

    /// Whether the change counts or replaces bytes of the body.
    fileprivate var countsBytes: Bool {
        switch self {
        case .wrongLength, .corruptByte, .corruptRate, .stall, .slice, .bandwidth: true
        case .cut(let place, _): place != .head && place != .nothing
        case .duplicateHeader, .garbageText, .garbage, .dropTrailers, .slowClose: false
        }
    }

    fileprivate var outcome: String? {
        switch self {
        case .cut(_, let end): end.text
        case .stall(_, let milliseconds): milliseconds.map { "\($0) ms" } ?? "forever"
        case .bandwidth(let rate): "\(rate.bytesPerSecond) B/s"
        default: nil
        }
    }
}

extension FaultRule.Replacement {
    fileprivate var name: String {
        switch self {
        case .nothing: "neverAnswer"
        case .status: "status"
        case .fault: "kind"
        }
    }

    fileprivate var outcome: String? {
        switch self {
        case .nothing: nil
        case .status(let status): String(status)
        case .fault(let fault): fault.rawValue
        }
    }
}

extension FaultRule.Conditions {
    /// Why the rule acts, as a clause.
    fileprivate var reason: String {
        if let quota { return "the quota of \(quota.limit) requests in \(quota.period) ms is used up" }
        if let concurrency { return "\(concurrency) answers are under way" }
        return "a fault answers"
    }
}
