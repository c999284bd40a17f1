import SDCReactor

/// The steps of a script while a transform changes them. Shares the script's bytes.
struct ScriptEdit {
    var steps: [cr_step]
    private var owners: [AnyObject]

    init(_ script: WireScript) {
        steps = Array(script.steps)
        owners = [script.block]
    }

    var script: WireScript { WireScript(ScriptBlock.make(steps, keeping: owners)) }

    /// Whether the answer ends with this script.
    var isLast: Bool { steps.last.map { !$0.is(CR_STEP_MORE) } ?? true }

    /// The index of the final head; nil without one. The heads before it are informational.
    var head: Int? { steps.lastIndex { $0.is(CR_STEP_HEAD) } }

    /// Whether the final head is a 101, which has neither a length nor an end of its own: the connection continues.
    var isSwitch: Bool {
        guard let head, let bytes = steps[head].bytes else { return false }
        let text = UnsafeBufferPointer(start: bytes, count: min(Int(steps[head].length), 13))
        return text.dropFirst(9).elementsEqual("101 ".utf8)
    }

    /// The number of bytes of the body.
    var bodyCount: UInt64 { steps.reduce(0) { $0 + $1.bodyCount } }

    /// A step that sends other bytes.
    mutating func step(_ kind: cr_step_kind, _ bytes: WireBytes) -> cr_step {
        owners.append(bytes)
        return cr_step(kind, bytes, 0..<bytes.count)
    }

    /// A part of a body step, without the prerendered framing.
    mutating func part(_ range: Range<UInt64>, of step: cr_step) -> cr_step {
        let count = step.bodyCount
        guard range != 0..<count else { return step }
        var part = step
        part.torn = step.torn && range.upperBound == count
        part.length = UInt64(range.count)
        part.lead = 0
        part.trail = 0
        if step.is(CR_STEP_FILE) {
            guard var file = step.filePart else { return step }
            file.offset += range.lowerBound
            let place = FileLocation(file)
            owners.append(place)
            part.bytes = UnsafeRawPointer(place.place).assumingMemoryBound(to: UInt8.self)
        } else if !step.is(CR_STEP_RELAY) {
            part.bytes = step.bytes.map { $0 + Int(step.lead) + Int(range.lowerBound) }
        }
        return part
    }

    /// A file step with some bytes changed.
    /// - Parameter flips: the changed bytes by offset in the step, in order.
    mutating func flipped(_ step: cr_step, _ flips: [cr_flip]) -> cr_step {
        guard var file = step.filePart else { return step }
        let kept = FileFlips(flips, of: file)
        owners.append(kept)
        file.flips = UnsafePointer(kept.place)
        file.flip_count = kept.count
        let place = FileLocation(file)
        owners.append(place)
        var flipped = step
        flipped.bytes = UnsafeRawPointer(place.place).assumingMemoryBound(to: UInt8.self)
        return flipped
    }

    /// The step without its prerendered framing.
    func plain(_ step: cr_step) -> cr_step {
        guard step.lead > 0 else { return step }
        var plain = step
        plain.bytes = step.bytes.map { $0 + Int(step.lead) }
        plain.length = step.length - UInt64(step.lead) - UInt64(step.trail)
        plain.lead = 0
        plain.trail = 0
        return plain
    }

    /// Replaces each step by others.
    mutating func replaceEach(_ replacement: (inout ScriptEdit, cr_step) -> [cr_step]) {
        var replaced: [cr_step] = []
        replaced.reserveCapacity(steps.count + 4)
        for step in steps { replaced += replacement(&self, step) }
        steps = replaced
    }
}

/// Memory with the location of a file step's bytes, retained by scripts that refer to it.
private final class FileLocation {
    let place: UnsafeMutablePointer<cr_file>

    init(_ file: cr_file) {
        place = .allocate(capacity: 1)
        place.initialize(to: file)
    }

    deinit {
        place.deallocate()
    }
}

/// Memory with the changed bytes of a file, retained like its location.
private final class FileFlips {
    let place: UnsafeMutablePointer<cr_flip>
    let count: Int

    /// - Parameter flips: the changes, with offsets in the file's part, to be added to its existing ones.
    init(_ flips: [cr_flip], of file: cr_file) {
        let known = Array(UnsafeBufferPointer(start: file.flips, count: file.flip_count))
        let new = flips.map { cr_flip(offset: file.offset + $0.offset, mask: $0.mask) }
        let all = known.isEmpty ? new : Self.merged(known, new)
        count = all.count
        place = .allocate(capacity: max(count, 1))
        place.initialize(from: all, count: count)
    }

    deinit {
        place.deallocate()
    }

    /// Merges both in order; a byte changed twice has a combined mask.
    private static func merged(_ first: [cr_flip], _ second: [cr_flip]) -> [cr_flip] {
        var merged: [cr_flip] = []
        for flip in (first + second).sorted(by: { $0.offset < $1.offset }) {
            if let last = merged.last, last.offset == flip.offset {
                merged[merged.count - 1].mask ^= flip.mask
            } else {
                merged.append(flip)
            }
        }
        return merged
    }
}

extension cr_step {
    /// The location of a file step's bytes; nil for any other step.
    var filePart: cr_file? {
        guard `is`(CR_STEP_FILE), let bytes else { return nil }
        return UnsafeRawPointer(bytes).load(as: cr_file.self)
    }

    /// A wait.
    init(waiting nanoseconds: UInt64) {
        self.init(CR_STEP_WAIT)
        self.nanoseconds = nanoseconds
    }

    /// A wait that only the client or the server's stop ends.
    static func waitingForEver() -> cr_step {
        var step = cr_step(CR_STEP_HOLD)
        step.bytes = endlessHold.base
        step.length = UInt64(endlessHold.count)
        return step
    }
}

extension WireScript {
    /// Sends nothing, and ends only with the connection.
    public static let neverEnding = WireScript([.hold("\0"), .abort(.fin)])
}

/// The name of a hold that is never released: no other name contains NUL.
private let endlessHold = WireBytes([0])
