private import SDCJSONTape

/// Reads the entries of a `JSONTape` without recursion; equivalent to `JSONParser` for RFC 8259. The only code that
/// touches the memory of a tape.
struct JSONTapeReader: Sendable {
    /// The entries read so far, followed by free ones.
    private var entries = ContiguousArray<JSONTape.Entry>()
    private var state = cj_reader()
    /// The open arrays and objects from index 1, followed by free slots.
    private var open = ContiguousArray(repeating: cj_container(), count: 8)
    /// The maximum number of open arrays and objects.
    private let most: Int

    /// The number of free entries added at once: they stay in the processor's cache until they are written.
    private static let room = ContiguousArray(repeating: JSONTape.Entry(bits: 0), count: 1024)
    /// The number of entries for a member: a name and a value.
    private static let minRoom = 2

    /// Parses a text. Nil where `JSONParser` finds an error, for a duplicate name in an object, and for a value that is
    /// too long for an entry.
    static func entries(_ bytes: Span<UInt8>) -> ContiguousArray<JSONTape.Entry>? {
        var reader = JSONTapeReader()
        return reader.read(bytes) ? reader.takeEntries(expecting: 0) : nil
    }

    /// - Parameter depth: the number of arrays and objects around the values.
    init(depth: Int = 0) {
        most = JSONValue.maximumDepth - depth
    }

    /// The offset of the next byte.
    var index: Int { state.index }

    /// The number of entries read so far, which is the index of the next value.
    var place: Int { state.place }

    private mutating func read(_ bytes: Span<UInt8>) -> Bool {
        skipByteOrderMark(bytes)
        skipBlanks(bytes)
        var progress = CJ_FULL
        // Enough for most texts, and not much for a short one.
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

    /// Returns the entries read since the last call.
    /// - Parameter expected: the expected number of entries until the next call.
    mutating func takeEntries(expecting expected: Int) -> ContiguousArray<JSONTape.Entry> {
        var next = ContiguousArray<JSONTape.Entry>()
        next.reserveCapacity(expected)
        swap(&entries, &next)
        next.removeLast(next.count - place)
        state.place = 0
        return next
    }

    mutating func consume(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
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

    /// Continues to read a value after a pause. Returns false for an error.
    private mutating func value(_ bytes: Span<UInt8>, after first: cj_progress) -> Bool {
        var progress = first
        while true {
            switch progress {
            case CJ_DONE: return true
            case CJ_FULL: break
            case CJ_DEEP:
                // The first slot means that none is open.
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

    /// The index of the innermost open array or object.
    private var object: Int { Int(open[state.depth].place) }

    private mutating func readOn(_ bytes: Span<UInt8>) -> cj_progress {
        // A separate variable, because the reader itself is modified at the same time.
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

    /// Adds free entries if there are too few for a member.
    private mutating func makeRoom() {
        guard entries.count - place < Self.minRoom else { return }
        let reserved = entries.capacity - entries.count
        entries.append(contentsOf: reserved < Self.minRoom ? Self.room[...] : Self.room.prefix(reserved))
    }
}
