import SDCReactor

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bytes of a body to change; each becomes a different one, sampled from a generator.
public struct Corruption: Sendable {
    public enum Place: Sendable {
        /// The byte at an offset, from 0.
        case byte(Int)
        /// Each byte with a probability from 0 to 1.
        case rate(Double)
    }

    /// The maximum number of bytes changed in one answer, since each one in a file takes memory.
    public static let maxBytes = 65_536

    let place: Place
    var generator: any RandomNumberGenerator & Sendable

    public init(_ place: Place, drawing generator: any RandomNumberGenerator & Sendable) {
        self.place = place
        self.generator = generator
    }
}

/// Changes bytes of the body.
struct CorruptTransform: ScriptTransform {
    private var corruption: Corruption
    private let applied: BodyShape.Applied?
    /// The offset of the body's next slice.
    private var passed: UInt64 = 0
    /// The offset of the next byte to change; nil if there is none.
    private var next: UInt64?
    private var changed = 0

    init(_ corruption: Corruption, applied: BodyShape.Applied?) {
        self.corruption = corruption
        self.applied = applied
        switch corruption.place {
        case .byte(let offset): next = UInt64(max(offset, 0))
        case .rate: next = nextAfter(0)
        }
    }

    mutating func apply(to script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        var copy = self
        var isChanged = false
        var relayed: UInt64 = 0
        edit.replaceEach { edit, step in
            guard step.isBody else { return [step] }
            let before = relayed
            if step.is(CR_STEP_RELAY) { relayed += step.bodyCount }
            let range = copy.passed..<(copy.passed + step.bodyCount)
            copy.passed = range.upperBound
            guard let next = copy.next, range.contains(next) else { return [step] }
            if let relay = step.relay {
                copy.change(relay, at: before, range)
                return [step]
            }
            isChanged = true
            return step.is(CR_STEP_FILE) ? copy.changeFile(step, range, &edit) : copy.changeBytes(step, range, &edit)
        }
        self = copy
        return isChanged ? edit.script : script
    }

    private mutating func changeBytes(
        _ step: cr_step, _ range: Range<UInt64>, _ edit: inout ScriptEdit
    ) -> [cr_step] {
        let plain = edit.plain(step)
        var bytes = Array(UnsafeBufferPointer(start: plain.bytes, count: Int(plain.length)))
        while let place = next, range.contains(place) {
            bytes[Int(place - range.lowerBound)] ^= drawMask()
            moveOn(from: place)
        }
        var changed = edit.step(CR_STEP_BODY, WireBytes(bytes))
        changed.rate = step.rate
        changed.torn = step.torn
        return [changed]
    }

    /// Changes the bytes when they are read, a window at a time.
    private mutating func changeFile(
        _ step: cr_step, _ range: Range<UInt64>, _ edit: inout ScriptEdit
    ) -> [cr_step] {
        var flips: [cr_flip] = []
        while let place = next, range.contains(place) {
            flips.append(cr_flip(offset: place - range.lowerBound, mask: drawMask()))
            moveOn(from: place)
        }
        return [edit.flipped(step, flips)]
    }

    /// Changes received bytes of a relay in place.
    /// - Parameters:
    ///   - place: the offset of the range among the unsent bytes.
    private mutating func change(_ relay: BodyRelay, at place: UInt64, _ range: Range<UInt64>) {
        while let next, range.contains(next) {
            relay.flip(at: Int(place + next - range.lowerBound), drawMask())
            moveOn(from: next)
        }
    }

    private mutating func drawMask() -> UInt8 {
        UInt8.random(in: 1...255, using: &corruption.generator)
    }

    private mutating func moveOn(from place: UInt64) {
        applied?(Int(clamping: place))
        changed += 1
        switch corruption.place {
        case .byte: next = nil
        case .rate: next = changed < Corruption.maxBytes ? nextAfter(place + 1) : nil
        }
    }

    /// Samples the next byte to change, from an offset: the distances are geometrically distributed.
    private mutating func nextAfter(_ offset: UInt64) -> UInt64? {
        guard case .rate(let rate) = corruption.place, rate > 0 else { return nil }
        guard rate < 1 else { return offset }
        let unit = Double.random(in: 0..<1, using: &corruption.generator)
        let skipped = (log1p(-unit) / log1p(-rate)).rounded(.down)
        guard skipped < 0x1p62 else { return nil }
        return offset + UInt64(skipped)
    }
}
