/// The state of a `JSONTapeReader` that each byte may change: small, so that a loop has it in registers. Its steps read a
/// part of the text, write the entry for it and return false for an error.
struct JSONTapeCursor: Sendable {
    /// The offset of the next byte.
    var index = 0
    /// The place of the next entry.
    var place = 0
    /// Whether the name of a member comes next.
    var awaitsName = false
    /// The innermost open array or object.
    var container = Container()

    /// The state of an open array or object.
    struct Container: Sendable {
        /// The place of its entry; -1 for none.
        var place: Int32 = -1
        /// The number of elements or members that have been read.
        var count: UInt32 = 0
        var isObject = false
        /// A bit set of the kinds of names seen so far; a name of a new kind is new.
        var names: UInt64 = 0
    }

    @inline(__always)
    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index &+= 1
        return true
    }

    @inline(__always)
    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D else { return }
            index &+= 1
        }
    }

    /// Writes the entry of a value that ends before `end`.
    @inline(__always)
    private mutating func write(
        _ kind: JSONTape.Kind, _ start: Int, _ end: Int, hasEscapes: Bool = false,
        _ entries: inout MutableSpan<JSONTape.Entry>
    ) {
        entries[place] = JSONTape.Entry(
            start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), kind: kind,
            hasEscapes: hasEscapes)
        place &+= 1
    }

    // MARK: - Containers

    @inline(__always)
    mutating func open(_ kind: JSONTape.Kind, _ entries: inout MutableSpan<JSONTape.Entry>) {
        container = Container(place: Int32(truncatingIfNeeded: place), isObject: kind == .object)
        write(kind, index, 0, &entries)
        index &+= 1
    }

    @inline(__always)
    mutating func close(_ entries: inout MutableSpan<JSONTape.Entry>, within outer: Container) {
        entries[Int(container.place)].end = UInt32(truncatingIfNeeded: place)
        entries[Int(container.place)].members = container.count
        container = outer
    }

    // MARK: - Scalars

    @inline(__always)
    mutating func string(_ entries: inout MutableSpan<JSONTape.Entry>, _ bytes: Span<UInt8>) -> Bool {
        let start = index &+ 1
        var end = start
        var hasEscapes = false
        while true {
            end = bytes.endOfPlainLetters(from: end)
            guard end < bytes.count else { return false }
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") { break }
            guard let length = Self.specialLength(bytes, end) else { return false }
            if byte == UInt8(ascii: "\\") { hasEscapes = true }
            end &+= length
        }
        write(.string, start, end, hasEscapes: hasEscapes, &entries)
        index = end &+ 1
        return true
    }

    /// The length in bytes of what is no plain letter, from its first byte on; nil for an error.
    @inline(never)
    private static func specialLength(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        bytes[start] == UInt8(ascii: "\\") ? escapeLength(bytes, start) : characterLength(bytes, start)
    }

    /// The length in bytes of a character beyond ASCII, by table 3-7 of the Unicode standard; nil for invalid UTF-8 and
    /// for a control character.
    private static func characterLength(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        let first = bytes[start]
        let second: ClosedRange<UInt8>
        switch first {
        case 0xC2...0xDF: second = 0x80...0xBF
        case 0xE0: second = 0xA0...0xBF
        case 0xED: second = 0x80...0x9F
        case 0xE1...0xEF: second = 0x80...0xBF
        case 0xF0: second = 0x90...0xBF
        case 0xF1...0xF3: second = 0x80...0xBF
        case 0xF4: second = 0x80...0x8F
        default: return nil
        }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard start &+ length <= bytes.count, second.contains(bytes[start &+ 1]) else { return nil }
        if length > 2, bytes[start &+ 2] & 0xC0 != 0x80 { return nil }
        if length > 3, bytes[start &+ 3] & 0xC0 != 0x80 { return nil }
        return length
    }

    private static func escapeLength(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        guard start &+ 1 < bytes.count else { return nil }
        switch bytes[start &+ 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            guard start &+ 6 <= bytes.count else { return nil }
            for place in start &+ 2..<start &+ 6 where JSONTape.hexDigit(bytes[place]) == nil { return nil }
            return 6
        default: return nil
        }
    }

    @inline(__always)
    mutating func number(_ entries: inout MutableSpan<JSONTape.Entry>, _ bytes: Span<UInt8>) -> Bool {
        let start = index
        _ = take(UInt8(ascii: "-"), bytes)
        if take(UInt8(ascii: "0"), bytes) {
            if index < bytes.count, JSONNumber.isDigit(bytes[index]) { return false }
        } else if !digits(bytes) {
            return false
        }
        if take(UInt8(ascii: "."), bytes), !digits(bytes) { return false }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            if !take(UInt8(ascii: "+"), bytes) { _ = take(UInt8(ascii: "-"), bytes) }
            guard digits(bytes) else { return false }
        }
        write(.number, start, index, &entries)
        return true
    }

    @inline(__always)
    private mutating func digits(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        while index < bytes.count, JSONNumber.isDigit(bytes[index]) { index &+= 1 }
        return index > start
    }

    @inline(__always)
    mutating func word(
        _ word: String, _ kind: JSONTape.Kind, _ entries: inout MutableSpan<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        let start = index
        for letter in word.utf8 where !take(letter, bytes) { return false }
        write(kind, start, index, &entries)
        return true
    }
}

extension Span<UInt8> {
    /// The place of the first byte from `start` on that is no plain letter of a string: a quote, a backslash, a control
    /// character, or a byte beyond ASCII. `count` if there is none.
    @inline(__always)
    fileprivate func endOfPlainLetters(from start: Int) -> Int {
        var place = start
        while count &- place >= 8 {
            let eight = eightBytes(at: place)
            let quotes = eight ^ 0x2222_2222_2222_2222
            let backslashes = eight ^ 0x5C5C_5C5C_5C5C_5C5C
            // The highest bit of each byte that is no plain letter. A byte above the first of them may be marked too.
            let special =
                ((eight &- 0x2020_2020_2020_2020) | (quotes &- 0x0101_0101_0101_0101)
                    | (backslashes &- 0x0101_0101_0101_0101) | eight) & 0x8080_8080_8080_8080
            if special != 0 { return place &+ special.trailingZeroBitCount / 8 }
            place &+= 8
        }
        while place < count {
            let byte = self[place]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 { break }
            place &+= 1
        }
        return place
    }
}
