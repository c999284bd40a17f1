/// A JSON text (RFC 8259) parsed in one pass into a list instead of a tree: the kind and byte range of each value, in
/// text order. Reading one member of a large document costs no more than finding it.
///
/// A tape is equivalent to the `JSONValue` parsed from its text. There is no tape of a text with a duplicate key in an
/// object, or of one that only the lenient dialect accepts.
public struct JSONTape: Sendable {
    /// The kind of a value, numbered like `cj_kind`. The two booleans are separate kinds; the name of a member is a
    /// string.
    public enum Kind: UInt8, Sendable {
        /// `null`.
        case null
        /// `true`.
        case `true`
        /// `false`.
        case `false`
        /// A number, whose range is its text.
        case number
        /// A string, or the name of a member.
        case string
        /// An array, followed by its elements.
        case array
        /// An object, followed by its members, each a name and a value.
        case object
    }

    /// A value, or the name of a member, which directly precedes its value.
    public struct Entry: Sendable {
        /// A `cj_entry`, from its lowest bit: 3 bits for the kind; 1 for whether the string contains escapes; 28 for
        /// the length of the text in bytes, or the number of elements or members; 32 for the offset of the text (after
        /// the quote, for a string), or the index after the last value of an array or object.
        @usableFromInline let bits: UInt64

        /// The kind of the value; `string` for the name of a member.
        @inlinable public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits & 7)) ?? .object }

        /// Whether the string contains escapes, so that its text is not its value.
        @inlinable public var hasEscapes: Bool { bits & 8 != 0 }

        /// The number of elements of an array, or members of an object; 0 for any other value.
        @inlinable public var count: Int { isContainer ? length : 0 }

        /// The range in the document's bytes; meaningless for an array or object.
        @inlinable public var range: Range<Int> { Range(uncheckedBounds: (start, start &+ length)) }

        @inlinable var start: Int { Int(truncatingIfNeeded: bits >> 32) }
        @inlinable var length: Int { Int(truncatingIfNeeded: (bits & 0xFFFF_FFFF) >> 4) }
    }

    /// The document's text. Offsets count from its first byte.
    public let bytes: ArraySlice<UInt8>
    /// The values: the root first, and each array or object before its contents.
    public let entries: ContiguousArray<Entry>

    /// Parses a text; nil if it has no tape.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count < UInt32.max, let entries = JSONTapeReader.entries(bytes.span) else { return nil }
        self.bytes = bytes
        self.entries = entries
    }

    /// Makes a tape of consecutive values of a text, each with its contents.
    init(_ entries: ContiguousArray<Entry>, of bytes: [UInt8]) {
        self.bytes = bytes[...]
        self.entries = entries
    }

    /// The tape of `null`.
    public static let null = JSONTape()

    private init() {
        bytes = ArraySlice("null".utf8)
        entries = [Entry(bits: 4 << 4)]
    }

    /// The index after a value and its contents.
    @inlinable
    public func next(after place: Int) -> Int {
        entries[place].next(after: place)
    }
}

extension JSONTape {
    /// The indices of the elements of the array at `place`.
    public func elements(of place: Int) -> [Int] {
        var elements: [Int] = []
        elements.reserveCapacity(entries[place].count)
        var child = place + 1
        for _ in 0..<entries[place].count {
            elements.append(child)
            child = next(after: child)
        }
        return elements
    }

    /// The keys of the object at `place`, in document order; empty for any other value.
    public func keys(of place: Int) -> [String] {
        guard entries[place].kind == .object else { return [] }
        var keys: [String] = []
        var name = place + 1
        for _ in 0..<entries[place].count {
            keys.append(text(at: name))
            name = next(after: name + 1)
        }
        return keys
    }
}

extension JSONTape.Entry {
    /// Whether the value is an array or an object.
    @inlinable public var isContainer: Bool { kind == .array || kind == .object }

    /// The index after this value, which is at `place`, and its contents.
    @inlinable
    public func next(after place: Int) -> Int {
        isContainer ? start : place &+ 1
    }
}

extension JSONTape {
    /// The index of the value of the member `name`, found by a linear search. Nil if there is no object at `place` or
    /// it has no such member.
    public func member(_ name: String, of place: Int) -> Int? {
        var name = name
        return name.withUTF8 {
            let name = PreparedText(0..<UInt32($0.count), of: $0.span)
            return Self.member(name, of: $0.span, in: place, entries.span, bytes.span)
        }
    }

    /// The index of the value of a member. Nil if there is no object at `place` or it has no such member.
    /// - Parameters:
    ///   - name: the member's name.
    ///   - text: the bytes from which `name` was made.
    ///   - place: the index of the object.
    ///   - entries: the entries of a tape.
    ///   - bytes: the bytes of the tape.
    @inlinable
    public static func member(
        _ name: PreparedText, of text: Span<UInt8>, in place: Int, _ entries: Span<Entry>, _ bytes: Span<UInt8>
    ) -> Int? {
        guard entries[place].kind == .object else { return nil }
        let end = entries[place].next(after: place)
        var place = place &+ 1
        while place < end {
            if entries[place].isText(name, of: text, in: bytes) { return place &+ 1 }
            place = entries[place &+ 1].next(after: place &+ 1)
        }
        return nil
    }

    /// The index of an element; a negative `index` counts from the end. Nil if there is no array at `place` or `index`
    /// is out of range.
    public func element(at index: Int, of place: Int) -> Int? {
        let entry = entries[place]
        let index = index < 0 ? entry.count + index : index
        guard entry.kind == .array, index >= 0, index < entry.count else { return nil }
        var place = place + 1
        for _ in 0..<index { place = next(after: place) }
        return place
    }
}
