/// Reads the entries of a `JSONTape`: what `JSONParser` reads by RFC 8259, without recursion.
struct JSONTapeReader: Sendable {
    /// The entries that were read, followed by free ones for the next.
    private var entries = ContiguousArray<JSONTape.Entry>()
    private var cursor = JSONTapeCursor()
    /// The arrays and objects around the innermost open one, the outermost first.
    private var outer = ContiguousArray<JSONTapeCursor.Container>()
    /// The number of arrays and objects around the values that are read.
    private let depth: Int

    /// The free entries that are added at once. They stay in the processor's cache until they are written.
    private static let room = ContiguousArray(repeating: JSONTape.Entry(start: 0, end: 0, kind: .null), count: 512)

    /// Reads a text. Nil where `JSONParser` finds an error, and if an object repeats a name.
    static func entries(_ bytes: Span<UInt8>) -> ContiguousArray<JSONTape.Entry>? {
        var reader = JSONTapeReader()
        // Enough for most texts, and little for a short one.
        reader.entries.reserveCapacity(bytes.count / 4 + 16)
        return reader.read(bytes) ? reader.takeEntries(expecting: 0) : nil
    }

    init(depth: Int = 0) {
        self.depth = depth
    }

    /// The offset of the next byte.
    var index: Int { cursor.index }

    /// The number of entries read so far: the place of the next value.
    var place: Int { cursor.place }

    private mutating func read(_ bytes: Span<UInt8>) -> Bool {
        skipByteOrderMark(bytes)
        skipBlanks(bytes)
        guard value(bytes) else { return false }
        skipBlanks(bytes)
        return index == bytes.count
    }

    mutating func skipByteOrderMark(_ bytes: Span<UInt8>) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { cursor.index = 3 }
    }

    /// The entries read since the last call.
    /// - Parameter expected: the number of entries that will be read next.
    mutating func takeEntries(expecting expected: Int) -> ContiguousArray<JSONTape.Entry> {
        var next = ContiguousArray<JSONTape.Entry>()
        next.reserveCapacity(expected)
        swap(&entries, &next)
        next.removeLast(next.count - cursor.place)
        cursor.place = 0
        return next
    }

    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        cursor.take(byte, bytes)
    }

    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        cursor.skipBlanks(bytes)
    }

    /// Reads a string. Returns false for an error.
    mutating func string(_ bytes: Span<UInt8>) -> Bool {
        Self.string(&cursor, &entries, bytes)
    }

    /// Reads a value and its contents, up to its last byte. Returns false for an error.
    mutating func value(_ bytes: Span<UInt8>) -> Bool {
        Self.value(&cursor, &entries, &outer, most: JSONValue.maximumDepth - depth, bytes)
    }

    // Functions of the parts of a reader, which a span of the entries would otherwise bar as a whole.

    private static func string(
        _ cursor: inout JSONTapeCursor, _ entries: inout ContiguousArray<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        makeRoom(in: &entries, from: cursor.place)
        var span = entries.mutableSpan
        return cursor.string(&span, bytes)
    }

    /// - Parameter most: the number of arrays and objects that may be open.
    private static func value(
        _ cursor: inout JSONTapeCursor, _ entries: inout ContiguousArray<JSONTape.Entry>,
        _ outer: inout ContiguousArray<JSONTapeCursor.Container>, most: Int, _ bytes: Span<UInt8>
    ) -> Bool {
        while true {
            makeRoom(in: &entries, from: cursor.place)
            var span = entries.mutableSpan
            switch value(&cursor, &span, &outer, most: most, bytes) {
            case .done: return true
            case .failed: return false
            case .full: continue
            }
        }
    }

    /// Adds free entries where too few are left for a member.
    private static func makeRoom(in entries: inout ContiguousArray<JSONTape.Entry>, from place: Int) {
        guard entries.count - place < leastRoom else { return }
        let reserved = entries.capacity - entries.count
        entries.append(contentsOf: reserved < leastRoom ? room[...] : room.prefix(reserved))
    }

    /// The entries of a member: a name and a value.
    private static let leastRoom = 2
}

// MARK: - Values

extension JSONTapeReader {
    /// How far the reading of a value came.
    private enum Progress {
        case done, failed
        /// There is no room for another member. The reading goes on with it.
        case full
    }

    private static func value(
        _ state: inout JSONTapeCursor, _ entries: inout MutableSpan<JSONTape.Entry>,
        _ outer: inout ContiguousArray<JSONTapeCursor.Container>, most: Int, _ bytes: Span<UInt8>
    ) -> Progress {
        // A copy stays in registers.
        var cursor = state
        defer { state = cursor }
        while true {
            guard entries.count &- cursor.place >= leastRoom else { return .full }
            if cursor.awaitsName, !cursor.name(&entries, bytes) { return .failed }
            guard cursor.index < bytes.count else { return .failed }
            switch bytes[cursor.index] {
            case UInt8(ascii: "\""):
                guard cursor.string(&entries, bytes) else { return .failed }
            case UInt8(ascii: "{"):
                guard outer.count < most else { return .failed }
                outer.append(cursor.container)
                cursor.open(.object, &entries)
                cursor.skipBlanks(bytes)
                if !cursor.take(UInt8(ascii: "}"), bytes) {
                    cursor.awaitsName = true
                    continue
                }
                cursor.close(&entries, within: outer.removeLast())
            case UInt8(ascii: "["):
                guard outer.count < most else { return .failed }
                outer.append(cursor.container)
                cursor.open(.array, &entries)
                cursor.skipBlanks(bytes)
                guard cursor.take(UInt8(ascii: "]"), bytes) else { continue }
                cursor.close(&entries, within: outer.removeLast())
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard cursor.number(&entries, bytes) else { return .failed }
            case UInt8(ascii: "t"):
                guard cursor.word("true", .true, &entries, bytes) else { return .failed }
            case UInt8(ascii: "f"):
                guard cursor.word("false", .false, &entries, bytes) else { return .failed }
            case UInt8(ascii: "n"):
                guard cursor.word("null", .null, &entries, bytes) else { return .failed }
            default: return .failed
            }
            // After a value.
            while true {
                guard cursor.container.place >= 0 else { return .done }
                cursor.skipBlanks(bytes)
                guard cursor.index < bytes.count else { return .failed }
                let byte = bytes[cursor.index]
                cursor.index &+= 1
                cursor.container.count &+= 1
                if byte == UInt8(ascii: ",") {
                    cursor.skipBlanks(bytes)
                    cursor.awaitsName = cursor.container.isObject
                    break
                }
                guard byte == (cursor.container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")),
                    cursor.hasDistinctNames(entries.span, bytes)
                else { return .failed }
                cursor.close(&entries, within: outer.removeLast())
            }
        }
    }
}
