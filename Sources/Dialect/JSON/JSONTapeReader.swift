/// Reads the entries of a `JSONTape`: what `JSONParser` reads by RFC 8259, without recursion.
struct JSONTapeReader: Sendable {
    private var entries = ContiguousArray<JSONTape.Entry>()
    /// The offset of the next byte.
    private(set) var index = 0
    /// The line of the next byte, from 1. A line ends with LF, CR LF, or CR.
    private(set) var line = 1
    /// The number of arrays and objects around the values that are read.
    private let depth: Int
    /// The place of the innermost open array or object; -1 for none. While it is open, its entry's `end` is the
    /// enclosing one.
    private var container = -1
    private var isInObject = false
    /// The state of the innermost container.
    private var held = Held()
    /// The states of the enclosing containers, the outermost first.
    private var outer = ContiguousArray<Held>()

    /// The state of an open array or object.
    private struct Held: Sendable {
        var count: UInt32 = 0
        /// A bit set of the kinds of names seen so far; a name of a new kind is new.
        var names: UInt64 = 0
    }

    /// Reads a text. Nil where `JSONParser` finds an error, and if an object repeats a name.
    static func entries(_ bytes: Span<UInt8>) -> ContiguousArray<JSONTape.Entry>? {
        var reader = JSONTapeReader()
        reader.entries.reserveCapacity(bytes.count / 4 + 1)
        return reader.read(bytes) ? reader.entries : nil
    }

    init(depth: Int = 0) {
        self.depth = depth
    }

    private mutating func read(_ bytes: Span<UInt8>) -> Bool {
        skipByteOrderMark(bytes)
        skipBlanks(bytes)
        guard value(bytes) else { return false }
        skipBlanks(bytes)
        return index == bytes.count
    }

    mutating func skipByteOrderMark(_ bytes: Span<UInt8>) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
    }

    /// The entries read since the last call.
    /// - Parameter expected: the number of entries that will be read next.
    mutating func takeEntries(expecting expected: Int) -> ContiguousArray<JSONTape.Entry> {
        var next = ContiguousArray<JSONTape.Entry>()
        next.reserveCapacity(expected)
        swap(&entries, &next)
        return next
    }

    /// The number of entries read so far: the place of the next value.
    var place: Int { entries.count }

    /// Reads a value and its contents, up to its last byte. Returns false for an error.
    mutating func value(_ bytes: Span<UInt8>) -> Bool {
        while true {
            guard index < bytes.count else { return false }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard string(bytes) else { return false }
            case UInt8(ascii: "{"):
                guard open(.object) else { return false }
                skipBlanks(bytes)
                if !take(UInt8(ascii: "}"), bytes) {
                    guard name(bytes) else { return false }
                    continue
                }
                guard close(bytes) else { return false }
            case UInt8(ascii: "["):
                guard open(.array) else { return false }
                skipBlanks(bytes)
                guard take(UInt8(ascii: "]"), bytes) else { continue }
                guard close(bytes) else { return false }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard number(bytes) else { return false }
            case UInt8(ascii: "t"):
                guard word("true", .true, bytes) else { return false }
            case UInt8(ascii: "f"):
                guard word("false", .false, bytes) else { return false }
            case UInt8(ascii: "n"):
                guard word("null", .null, bytes) else { return false }
            default: return false
            }
            // After a value.
            while true {
                guard container >= 0 else { return true }
                skipBlanks(bytes)
                guard index < bytes.count else { return false }
                let byte = bytes[index]
                index &+= 1
                if byte == UInt8(ascii: ",") {
                    held.count &+= 1
                    skipBlanks(bytes)
                    if isInObject, !name(bytes) { return false }
                    break
                }
                guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
                held.count &+= 1
                guard close(bytes) else { return false }
            }
        }
    }

    private mutating func open(_ kind: JSONTape.Kind) -> Bool {
        guard outer.count < JSONValue.maximumDepth &- depth else { return false }
        entries.append(
            JSONTape.Entry(
                start: UInt32(truncatingIfNeeded: index), end: UInt32(truncatingIfNeeded: container), kind: kind))
        outer.append(held)
        held = Held()
        container = entries.count &- 1
        isInObject = kind == .object
        index &+= 1
        return true
    }

    private mutating func close(_ bytes: Span<UInt8>) -> Bool {
        if isInObject, held.count > Self.fewNames, !hasDistinctNames(bytes) { return false }
        let around = Int(Int32(truncatingIfNeeded: entries[container].end))
        entries[container].end = UInt32(truncatingIfNeeded: entries.count)
        entries[container].members = held.count
        held = outer.removeLast()
        container = around
        isInObject = around >= 0 && entries[around].kind == .object
        return true
    }

    // MARK: - Names

    private static let fewNames = 16

    /// Reads a member's name and the colon after it.
    private mutating func name(_ bytes: Span<UInt8>) -> Bool {
        let place = entries.count
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), string(bytes) else { return false }
        let entry = entries[place]
        // A larger object's names are compared when it ends.
        if held.count < Self.fewNames {
            let kind = Self.kind(ofName: entry, bytes)
            if held.names & kind != 0, isKnown(entry, upTo: place, bytes) { return false }
            held.names |= kind
        }
        skipBlanks(bytes)
        guard take(UInt8(ascii: ":"), bytes) else { return false }
        skipBlanks(bytes)
        return true
    }

    /// A bit of 64 for a name, the same for equal names. A name with escapes may equal a name of any kind.
    @inline(__always)
    private static func kind(ofName name: JSONTape.Entry, _ bytes: Span<UInt8>) -> UInt64 {
        if name.hasEscapes { return .max }
        let range = name.range
        guard let last = range.last else { return 1 }
        let sum = range.count &* 31 &+ Int(bytes[last]) &* 7 &+ Int(bytes[range.lowerBound])
        return 1 << UInt64(truncatingIfNeeded: sum & 63)
    }

    private func isKnown(_ name: JSONTape.Entry, upTo end: Int, _ bytes: Span<UInt8>) -> Bool {
        var place = container + 1
        while place < end {
            if isSame(name, entries[place], bytes) { return true }
            place = entries[place + 1].next(after: place + 1)
        }
        return false
    }

    private func isSame(_ left: JSONTape.Entry, _ right: JSONTape.Entry, _ bytes: Span<UInt8>) -> Bool {
        if !left.hasEscapes { return right.isText(bytes, left.range, in: bytes) }
        if !right.hasEscapes { return left.isText(bytes, right.range, in: bytes) }
        return JSONTape.text(of: left, in: bytes).hasSameCodePoints(as: JSONTape.text(of: right, in: bytes))
    }

    /// Whether the names of the object about to be closed differ. Linear in their number.
    private func hasDistinctNames(_ bytes: Span<UInt8>) -> Bool {
        // A hash table with open addressing, at most half full. 0 marks a free slot, because no name has place 0.
        let mask = (Int(held.count) * 2).nextPowerOfTwo - 1
        var slots = ContiguousArray<UInt32>(repeating: 0, count: mask + 1)
        var place = container + 1
        while place < entries.count {
            let name = entries[place]
            var slot = hash(ofName: name, bytes) & mask
            while slots[slot] != 0 {
                if isSame(entries[Int(slots[slot])], name, bytes) { return false }
                slot = (slot + 1) & mask
            }
            slots[slot] = UInt32(truncatingIfNeeded: place)
            place = entries[place + 1].next(after: place + 1)
        }
        return true
    }

    private func hash(ofName name: JSONTape.Entry, _ bytes: Span<UInt8>) -> Int {
        guard name.hasEscapes else { return bytes.hash(of: name.range) }
        let text = ContiguousArray(JSONTape.text(of: name, in: bytes).utf8)
        return text.span.hash(of: text.indices)
    }

    // MARK: - Scalars

    @inline(__always)
    private mutating func append(_ start: Int, _ end: Int, _ kind: JSONTape.Kind, hasEscapes: Bool = false) {
        entries.append(
            JSONTape.Entry(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), kind: kind,
                hasEscapes: hasEscapes))
    }

    /// Reads a string. Returns false for an error.
    @inline(__always)
    mutating func string(_ bytes: Span<UInt8>) -> Bool {
        let start = index &+ 1
        var end = start
        var hasEscapes = false
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                append(start, end, .string, hasEscapes: hasEscapes)
                index = end &+ 1
                return true
            }
            if byte >= 0x80 {
                guard let length = Self.characterLength(bytes, end) else { return false }
                end &+= length
            } else if byte == UInt8(ascii: "\\") {
                guard let length = Self.escapeLength(bytes, end) else { return false }
                hasEscapes = true
                end &+= length
            } else if byte >= 0x20 {
                end &+= 1
            } else {
                return false
            }
        }
        return false
    }

    /// The length in bytes of a character beyond ASCII, by table 3-7 of the Unicode standard; nil for invalid UTF-8.
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
    private mutating func number(_ bytes: Span<UInt8>) -> Bool {
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
        append(start, index, .number)
        return true
    }

    @inline(__always)
    private mutating func digits(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        while index < bytes.count, JSONNumber.isDigit(bytes[index]) { index &+= 1 }
        return index > start
    }

    @inline(__always)
    private mutating func word(_ word: String, _ kind: JSONTape.Kind, _ bytes: Span<UInt8>) -> Bool {
        let start = index
        for letter in word.utf8 where !take(letter, bytes) { return false }
        append(start, index, kind)
        return true
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
            if byte == 0x0A {
                line &+= 1
            } else if byte == 0x0D, index == bytes.count || bytes[index] != 0x0A {
                line &+= 1
            }
        }
    }
}

extension Span<UInt8> {
    /// A hash seeded for each process, so that no client can craft names that collide.
    fileprivate func hash(of range: Range<Int>) -> Int {
        var hasher = Hasher()
        var word: UInt64 = 0
        for place in range {
            word = word << 8 | UInt64(self[place])
            if (place &- range.lowerBound) & 7 == 7 {
                hasher.combine(word)
                word = 0
            }
        }
        hasher.combine(word)
        return hasher.finalize()
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self < 2 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
