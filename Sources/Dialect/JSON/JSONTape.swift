/// A JSON text by RFC 8259, read in one pass and left where it stands: for each value its kind and place, in the order of
/// the text, and no tree. What asks for one member of a large document pays for no other.
///
/// Means the same as the `JSONValue` that is parsed of the text. A text in which a key comes twice in one object has no
/// tape; neither has one that only the lenient dialect reads.
public struct JSONTape: Sendable {
    public enum Kind: UInt8, Sendable {
        case null, `true`, `false`, number, string, array, object
    }

    /// One value, or the name of a member, which stands in front of its value.
    public struct Entry: Sendable {
        /// Where its text starts; behind the quote for a string.
        @usableFromInline var start: UInt32
        /// Where its text ends, before the quote for a string; the place behind its last value for an array or object.
        @usableFromInline var end: UInt32
        /// Of the elements or members.
        @usableFromInline var members: UInt32 = 0
        public internal(set) var kind: Kind
        /// The string's text is not what it says.
        public internal(set) var hasEscapes = false

        @inlinable public var count: Int { Int(members) }

        /// In the document's bytes; of no use for an array or object.
        @inlinable public var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }
    }

    /// The document. Its offsets count from the first.
    public let bytes: ArraySlice<UInt8>
    /// The root first, and each array or object before what it holds.
    public let entries: ContiguousArray<Entry>

    /// Nil where the text is none that a tape can be made of.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count < UInt32.max, let entries = JSONTapeReader.entries(bytes.span) else { return nil }
        self.bytes = bytes
        self.entries = entries
    }

    /// The tape of `null`.
    public static let null = JSONTape()

    private init() {
        bytes = ArraySlice("null".utf8)
        entries = [Entry(start: 0, end: 4, kind: .null)]
    }

    /// The place behind a value and all that it holds.
    @inlinable
    public func next(after place: Int) -> Int {
        entries[place].next(after: place)
    }
}

extension JSONTape.Entry {
    @inlinable public var isContainer: Bool { kind == .array || kind == .object }

    /// The place behind this value, which stands at `place`, and all that it holds.
    @inlinable
    public func next(after place: Int) -> Int {
        isContainer ? Int(end) : place &+ 1
    }
}

extension JSONTape {
    /// The place of the value of the member `name`; nil if `place` holds no object or it has no such member. Looks at one
    /// member after the other.
    public func member(_ name: String, of place: Int) -> Int? {
        guard entries[place].kind == .object else { return nil }
        let bytes = bytes.span
        let length = name.utf8.count
        var place = place + 1
        let end = next(after: place - 1)
        while place < end {
            let entry = entries[place]
            if entry.hasEscapes {
                if text(at: place).hasSameCodePoints(as: name) { return place + 1 }
            } else if entry.range.count == length, entry.isPlainText(name, in: bytes) {
                return place + 1
            }
            place = next(after: place + 1)
        }
        return nil
    }

    /// The place of an element; nil if `place` holds no array or the index lies outside of it. A negative index counts from
    /// the end.
    public func element(at index: Int, of place: Int) -> Int? {
        let entry = entries[place]
        let index = index < 0 ? entry.count + index : index
        guard entry.kind == .array, index >= 0, index < entry.count else { return nil }
        var place = place + 1
        for _ in 0..<index { place = next(after: place) }
        return place
    }
}

extension JSONTape.Entry {
    /// The string has no escapes, and as many bytes.
    fileprivate func isPlainText(_ text: String, in bytes: Span<UInt8>) -> Bool {
        var place = Int(start)
        for byte in text.utf8 {
            if byte != bytes[place] { return false }
            place &+= 1
        }
        return true
    }
}
