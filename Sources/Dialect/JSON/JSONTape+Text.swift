extension JSONTape {
    /// Whether the value of the string at `place` equals `text`.
    public func isText(_ text: String, at place: Int) -> Bool { entries[place].isText(text, in: bytes.span) }
}

extension JSONTape.Entry {
    /// Whether the string's value equals `text`. `bytes` are those of the tape.
    public func isText(_ text: String, in bytes: Span<UInt8>) -> Bool {
        var text = text
        return text.withUTF8 { isText($0.span, 0..<$0.count, in: bytes) }
    }

    /// Whether the string's value equals `range` of `text`. `bytes` are those of the tape.
    @inlinable @inline(__always)
    public func isText(_ text: Span<UInt8>, _ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        hasEscapes ? ordering(to: text, range, in: bytes) == 0 : text.hasSame(range, as: self.range, in: bytes)
    }

    /// Compares the string's value with `range` of `text` byte by byte. Negative if the string comes first, 0 if both
    /// are equal.
    public func ordering(to text: Span<UInt8>, _ range: Range<Int>, in bytes: Span<UInt8>) -> Int {
        var place = start
        let end = start &+ length
        var other = range.lowerBound
        while place < end {
            if bytes[place] == UInt8(ascii: "\\") {
                for byte in UTF8.encode(JSONTape.escaped(in: bytes, at: &place)) ?? UTF8.encodedReplacementCharacter {
                    guard other < range.upperBound else { return 1 }
                    if byte != text[other] { return Int(byte) - Int(text[other]) }
                    other += 1
                }
            } else {
                guard other < range.upperBound else { return 1 }
                if bytes[place] != text[other] { return Int(bytes[place]) - Int(text[other]) }
                place += 1
                other += 1
            }
        }
        return other == range.upperBound ? 0 : -1
    }
}

extension Span<UInt8> {
    /// Whether the bytes in both ranges are the same.
    @inlinable @inline(__always)
    public func hasSame(_ range: Range<Int>, as other: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        let length = range.upperBound &- range.lowerBound
        guard length == other.upperBound &- other.lowerBound else { return false }
        guard length <= 8, range.lowerBound &+ 8 <= count, other.lowerBound &+ 8 <= bytes.count else {
            return hasSameBytes(range, as: other.lowerBound, in: bytes)
        }
        // Most names and values are short. Bytes read past the end are shifted out: for an empty one, all of them.
        let difference = eightBytes(at: range.lowerBound) ^ bytes.eightBytes(at: other.lowerBound)
        return difference << UInt64(64 &- length &* 8) == 0
    }

    @inlinable @inline(never)
    func hasSameBytes(_ range: Range<Int>, as start: Int, in bytes: Span<UInt8>) -> Bool {
        var place = range.lowerBound
        var other = start
        while range.upperBound &- place >= 8 {
            if eightBytes(at: place) != bytes.eightBytes(at: other) { return false }
            place &+= 8
            other &+= 8
        }
        while place < range.upperBound {
            if self[place] != bytes[other] { return false }
            place &+= 1
            other &+= 1
        }
        return true
    }

    /// The number of bytes, of the eight at `place`, before the first control character, and at most up to the first
    /// non-ASCII byte.
    func countOfLetters(inEightAt place: Int) -> Int {
        ((eightBytes(at: place) &- 0x2020_2020_2020_2020) & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
    }

    /// The eight bytes at `place`, little-endian.
    @inlinable @inline(__always)
    func eightBytes(at place: Int) -> UInt64 {
        let bytes = extracting(place..<place &+ 8)
        var word: UInt64 = 0
        for index in 0..<8 { word |= UInt64(bytes[index]) << UInt64(index &* 8) }
        return word
    }
}
