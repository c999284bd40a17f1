extension JSONTape.Entry {
    /// Whether the string says what stands in `range` of `text`. `bytes` are those of the tape.
    @inlinable
    public func isText(_ text: Span<UInt8>, _ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        hasEscapes ? order(to: text, range, in: bytes) == 0 : text.hasSame(range, as: self.range, in: bytes)
    }

    /// Below 0 where what the string says comes before what stands in `range` of `text`, byte by byte; 0 where they are the
    /// same.
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
    /// Whether the bytes in `range` are those in `other` of `bytes`.
    @inlinable
    public func hasSame(_ range: Range<Int>, as other: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        for offset in 0..<range.count where self[range.lowerBound &+ offset] != bytes[other.lowerBound &+ offset] {
            return false
        }
        return true
    }
}
