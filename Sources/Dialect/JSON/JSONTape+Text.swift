extension JSONTape.Entry {
    /// Whether the string's value equals `range` of `text`. `bytes` are those of the tape.
    @inlinable
    public func isText(_ text: Span<UInt8>, _ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        hasEscapes ? order(to: text, range, in: bytes) == 0 : text.hasSame(range, as: self.range, in: bytes)
    }

    /// Compares the string's value with `range` of `text` byte by byte. Negative if the string comes first, 0 if both
    /// are equal.
    public func order(to text: Span<UInt8>, _ range: Range<Int>, in bytes: Span<UInt8>) -> Int {
        var place = Int(start)
        var other = range.lowerBound
        while place < Int(end) {
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
    @inlinable
    public func hasSame(_ range: Range<Int>, as other: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        for offset in 0..<range.count where self[range.lowerBound &+ offset] != bytes[other.lowerBound &+ offset] {
            return false
        }
        return true
    }
}
