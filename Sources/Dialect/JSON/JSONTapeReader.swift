private import SDCJSONTape

/// Reads the entries of a `JSONTape`: what `JSONParser` reads by RFC 8259, without recursion. The only place that touches
/// the memory of a tape.
struct JSONTapeReader: Sendable {
    /// The entries that were read, followed by free ones for the next.
    private var entries = ContiguousArray<JSONTape.Entry>()
    private var state = cj_reader()
    /// The open arrays and objects from the second place on, followed by free places for more.
    private var open = ContiguousArray(repeating: cj_container(), count: 8)
    /// The number of arrays and objects that may be open.
    private let most: Int

    /// The free entries that are added at once. They stay in the processor's cache until they are written.
    private static let room = ContiguousArray(repeating: JSONTape.Entry(bits: 0), count: 1024)
    /// The entries of a member: a name and a value.
    private static let leastRoom = 2

    /// Reads a text. Nil where `JSONParser` finds an error, if an object repeats a name, and if something is too long for
    /// an entry.
    static func entries(_ bytes: Span<UInt8>) -> ContiguousArray<JSONTape.Entry>? {
        var reader = JSONTapeReader()
        return reader.read(bytes) ? reader.takeEntries(expecting: 0) : nil
    }

    /// - Parameter depth: the number of arrays and objects around the values that are read.
    init(depth: Int = 0) {
        most = JSONValue.maximumDepth - depth
    }

    /// The offset of the next byte.
    var index: Int { state.index }

    /// The number of entries read so far: the place of the next value.
    var place: Int { state.place }

    private mutating func read(_ bytes: Span<UInt8>) -> Bool {
        skipByteOrderMark(bytes)
        skipBlanks(bytes)
        var progress = CJ_FULL
        // Enough for most texts, and little for a short one.
        entries = ContiguousArray(unsafeUninitializedCapacity: bytes.count / 4 + 16) { buffer, count in
            progress = readOn(bytes, into: buffer)
            count = state.place
        }
        guard value(bytes, after: progress) else { return false }
        skipBlanks(bytes)
        return index == bytes.count
    }

    mutating func skipByteOrderMark(_ bytes: Span<UInt8>) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { state.index = 3 }
    }

    /// The entries read since the last call.
    /// - Parameter expected: the number of entries that will be read next.
    mutating func takeEntries(expecting expected: Int) -> ContiguousArray<JSONTape.Entry> {
        var next = ContiguousArray<JSONTape.Entry>()
        next.reserveCapacity(expected)
        swap(&entries, &next)
        next.removeLast(next.count - place)
        state.place = 0
        return next
    }

    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        state.index += 1
        return true
    }

    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D else { return }
            state.index += 1
        }
    }

    /// Reads a string. Returns false for an error.
    mutating func string(_ bytes: Span<UInt8>) -> Bool {
        makeRoom()
        return bytes.withUnsafeBufferPointer { text in
            entries.withUnsafeMutableBufferPointer { entries in
                entries.withMemoryRebound(to: cj_entry.self) {
                    cj_read_string(&state, text.baseAddress, text.count, $0.baseAddress)
                }
            }
        }
    }

    /// Reads a value and its contents, up to its last byte. Returns false for an error.
    mutating func value(_ bytes: Span<UInt8>) -> Bool {
        value(bytes, after: CJ_FULL)
    }

    /// Reads on where the reading of a value has stopped. Returns false for an error.
    private mutating func value(_ bytes: Span<UInt8>, after first: cj_progress) -> Bool {
        var progress = first
        while true {
            switch progress {
            case CJ_DONE: return true
            case CJ_FULL: break
            case CJ_DEEP:
                // The first place stands for none.
                guard open.count <= most else { return false }
                let added = min(open.count, most + 1 - open.count)
                open.append(contentsOf: repeatElement(cj_container(), count: added))
            case CJ_CHECK_NAME:
                if JSONTapeNames.isRepeated(place - 1, of: object, in: entries.span, bytes) { return false }
            case CJ_CHECK_NAMES:
                let count = Int(open[state.depth].count)
                guard JSONTapeNames.areDistinct(object, count, upTo: place, in: entries.span, bytes) else {
                    return false
                }
            default: return false
            }
            makeRoom()
            progress = readOn(bytes)
        }
    }

    /// The place of the innermost open array or object.
    private var object: Int { Int(open[state.depth].place) }

    private mutating func readOn(_ bytes: Span<UInt8>) -> cj_progress {
        // Apart from the reader, which has to be changed beside them.
        var own = ContiguousArray<JSONTape.Entry>()
        swap(&own, &entries)
        defer { swap(&own, &entries) }
        return own.withUnsafeMutableBufferPointer { readOn(bytes, into: $0) }
    }

    private mutating func readOn(
        _ bytes: Span<UInt8>, into entries: UnsafeMutableBufferPointer<JSONTape.Entry>
    ) -> cj_progress {
        bytes.withUnsafeBufferPointer { text in
            open.withUnsafeMutableBufferPointer { open in
                entries.withMemoryRebound(to: cj_entry.self) {
                    cj_read_value(
                        &state, text.baseAddress, text.count, $0.baseAddress, $0.count, open.baseAddress, open.count)
                }
            }
        }
    }

    /// Adds free entries where too few are left for a member.
    private mutating func makeRoom() {
        guard entries.count - place < Self.leastRoom else { return }
        let reserved = entries.capacity - entries.count
        entries.append(contentsOf: reserved < Self.leastRoom ? Self.room[...] : Self.room.prefix(reserved))
    }
}
