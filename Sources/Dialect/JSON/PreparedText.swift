/// A text made ready for comparison with parts of JSON texts: a short one, as most are, is told by a number.
public struct PreparedText: Sendable {
    /// The text of at most eight bytes, its last byte highest; 0 for any other.
    public let short: UInt64
    /// The range of the text in the bytes that it was made of.
    public let place: Range<UInt32>

    /// An empty text.
    public static let empty = PreparedText(short: 0, 0..<0)

    /// - Parameters:
    ///   - place: the range of the text in `bytes`.
    ///   - bytes: fewer than 2^32; given again for each comparison.
    public init(_ place: Range<UInt32>, of bytes: Span<UInt8>) {
        self.place = place
        var short: UInt64 = 0
        if place.count <= 8 {
            for index in place { short = short >> 8 | UInt64(bytes[Int(index)]) << 56 }
        }
        self.short = short
    }

    /// Puts together what was taken apart.
    @inlinable
    public init(short: UInt64, _ place: Range<UInt32>) {
        self.short = short
        self.place = place
    }

    @inlinable var range: Range<Int> { Range(uncheckedBounds: (Int(place.lowerBound), Int(place.upperBound))) }
}

extension JSONTape.Entry {
    /// Whether the string's value equals a text.
    /// - Parameters:
    ///   - prepared: the text.
    ///   - text: the bytes that `prepared` was made of.
    ///   - bytes: those of the tape.
    @inlinable @inline(__always)
    public func isText(_ prepared: PreparedText, of text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        hasEscapes ? order(to: text, prepared.range, in: bytes) == 0 : hasSameText(prepared, of: text, in: bytes)
    }

    /// Whether the text of a number, or of a string without escapes, is the same. For the parameters, see `isText`.
    @inlinable @inline(__always)
    public func hasSameText(_ prepared: PreparedText, of text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        length == prepared.place.count && bytes.has(prepared, of: text, at: start)
    }
}

extension Span<UInt8> {
    /// Whether a text stands at `place`.
    /// - Parameters:
    ///   - prepared: the text.
    ///   - text: the bytes that `prepared` was made of.
    ///   - place: the offset of its first byte. Nothing stands behind the end.
    @inlinable @inline(__always)
    public func has(_ prepared: PreparedText, of text: Span<UInt8>, at place: Int) -> Bool {
        let length = prepared.place.count
        guard UInt(bitPattern: length &- 1) < 8, place &+ 8 <= count else {
            let end = place &+ length
            return end <= count && text.hasSame(prepared.range, as: place..<end, in: self)
        }
        // What is read behind a short text is shifted out.
        return eightBytes(at: place) &<< UInt64(truncatingIfNeeded: 64 &- length &* 8) == prepared.short
    }
}
