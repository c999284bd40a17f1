/// A text prepared for comparison with parts of JSON texts: a short one, as most are, is compared as a number.
public struct PreparedText: Sendable {
    /// The text of at most eight bytes, with its last byte highest; 0 for any other text.
    public let short: UInt64
    /// The range of the text in its bytes.
    public let place: Range<UInt32>

    /// An empty text.
    public static let empty = PreparedText(short: 0, 0..<0)

    /// - Parameters:
    ///   - place: the range of the text in `bytes`.
    ///   - bytes: fewer than 2^32 bytes; each comparison needs them again.
    public init(_ place: Range<UInt32>, of bytes: Span<UInt8>) {
        self.place = place
        var short: UInt64 = 0
        if place.count <= 8 {
            for index in place { short = short >> 8 | UInt64(bytes[Int(index)]) << 56 }
        }
        self.short = short
    }

    /// Rebuilds a prepared text from its parts.
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
    ///   - text: the bytes from which `prepared` was made.
    ///   - bytes: the bytes of the tape.
    @inlinable @inline(__always)
    public func isText(_ prepared: PreparedText, of text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        hasEscapes ? ordering(to: text, prepared.range, in: bytes) == 0 : hasSameText(prepared, of: text, in: bytes)
    }

    /// Whether a number, or a string without escapes, has the same text. For the parameters, see `isText`.
    @inlinable @inline(__always)
    public func hasSameText(_ prepared: PreparedText, of text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        length == prepared.place.count && bytes.has(prepared, of: text, at: start)
    }
}

extension Span<UInt8> {
    /// Whether a text is at `place`.
    /// - Parameters:
    ///   - prepared: the text.
    ///   - text: the bytes from which `prepared` was made.
    ///   - place: the offset of the first byte; may be past the end.
    @inlinable @inline(__always)
    public func has(_ prepared: PreparedText, of text: Span<UInt8>, at place: Int) -> Bool {
        let length = prepared.place.count
        guard UInt(bitPattern: length &- 1) < 8, place &+ 8 <= count else {
            let end = place &+ length
            return end <= count && text.hasSame(prepared.range, as: place..<end, in: self)
        }
        // Bytes read past a short text are shifted out.
        return eightBytes(at: place) &<< UInt64(truncatingIfNeeded: 64 &- length &* 8) == prepared.short
    }
}
