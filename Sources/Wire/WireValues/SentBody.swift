import SDCReactor
public import SDPlatform

/// The body of an answer as sent, without framing, from scripts, slices or files. Retains the scripts and open files,
/// and copies only bytes from relays.
public struct SentBody: Sendable {
    private var scripts: [WireScript] = []
    /// The script with the last head.
    private var opening: WireScript?
    /// The number of bytes sent.
    public private(set) var count = 0
    /// The number of bytes kept, from the first one.
    public private(set) var keptCount = 0
    private var isFull = false
    /// The memory charge for kept bytes.
    private var charge: MemoryCharge?

    /// Makes the body of an answer before anything is sent.
    public init() {}

    /// Whether all bytes are kept; false if memory was short.
    public var isWhole: Bool { keptCount == count }

    /// Kept bodies may take at most this fraction (1/n) of the memory limit together.
    private static let share = 4

    /// Adds what a script sends.
    /// - Parameter account: the ledger for the bytes while the body lives; no more are kept once they are a quarter of
    ///   its limit or memory is short. Nil for bytes owned by others.
    public mutating func append(_ script: WireScript, in account: MemoryAccount?) {
        let script = script.copyingRelayed
        var (size, inMemory) = (0, 0)
        for step in script.steps {
            if step.is(CR_STEP_HEAD) { opening = script }
            guard step.isBody else { continue }
            size += Int(step.bodyCount)
            inMemory += MemoryLayout<cr_step>.stride + (step.is(CR_STEP_FILE) ? 0 : Int(step.length))
        }
        guard size > 0 else { return }
        count += size
        if isFull { return }
        if let account {
            let ledger = account.ledger
            guard account.bytes <= ledger.limit / Self.share - inMemory,
                ledger.hasRoom(for: inMemory, refusing: "the recording of a body")
            else {
                isFull = true
                return
            }
            if let charge { charge.add(inMemory) } else { charge = MemoryCharge(inMemory, to: account) }
        }
        scripts.append(script)
        keptCount += size
    }

    /// Drops bytes that were not sent.
    /// - Parameter sent: the number of bytes sent.
    public mutating func cut(to sent: Int) {
        count = min(count, sent)
        keptCount = min(keptCount, sent)
    }

    /// A copy of all kept bytes.
    public var bytes: [UInt8] { bytes(0..<keptCount) }

    /// A copy of the kept bytes in a range; fewer if a file has been shortened since.
    public func bytes(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<keptCount)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var place = 0
        for script in scripts {
            let isComplete = withExtendedLifetime(script) {
                for step in script.steps where step.isBody && place < range.upperBound {
                    let end = place + Int(step.bodyCount)
                    let part = range.clamped(to: place..<end)
                    if !part.isEmpty {
                        let before = bytes.count
                        step.addPayload((part.lowerBound - place)..<(part.upperBound - place), to: &bytes)
                        if bytes.count - before < part.count { return false }
                    }
                    place = end
                }
                return true
            }
            if !isComplete { break }
        }
        return bytes
    }

    /// The value of a header field sent before the body, such as its coding; nil for none.
    public func header(_ name: String) -> String? {
        guard let opening else { return nil }
        return withExtendedLifetime(opening) {
            guard let head = opening.steps.last(where: { $0.is(CR_STEP_HEAD) }) else { return nil }
            let value = withUnsafePointer(to: head) { cr_find_field($0, name) }
            guard let start = value.bytes else { return nil }
            return String(decoding: UnsafeBufferPointer(start: start, count: value.length), as: UTF8.self)
        }
    }
}

extension cr_step {
    /// Adds a range of the body bytes that the step sends; fewer if its file has been shortened.
    /// - Precondition: the step sends a slice of the body, and the range is inside it.
    fileprivate func addPayload(_ range: Range<Int>, to result: inout [UInt8]) {
        guard let bytes else { return }
        guard `is`(CR_STEP_FILE) else {
            result += UnsafeBufferPointer(start: bytes + Int(lead) + range.lowerBound, count: range.count)
            return
        }
        let file = UnsafeRawPointer(bytes).assumingMemoryBound(to: cr_file.self).pointee
        let start = Int(file.offset) + range.lowerBound
        var read = SystemCalls.readPart(file.fd, start..<(start + range.count))
        for flip in UnsafeBufferPointer(start: file.flips, count: Int(file.flip_count)) {
            let place = Int(flip.offset) - start
            if read.indices.contains(place) { read[place] ^= flip.mask }
        }
        result += read
    }
}
