/// Where values and member names of a document stand in its text. Made anew from the text when errors have to be placed, so
/// that `JSONValue` itself carries no positions.
public struct SourceMap: Sendable {
    public struct Entry: Sendable, Hashable {
        /// Where the member's name starts; nil for the root and for array elements.
        public var key: TextPosition?
        public var value: TextPosition

        public init(key: TextPosition?, value: TextPosition) {
            self.key = key
            self.value = value
        }
    }

    private var entries: [JSONPointer: Entry] = [:]

    public init() {}

    /// Notes an entry; a later one for the same pointer counts, as the last of equal keys does.
    public mutating func note(_ pointer: JSONPointer, _ entry: Entry) {
        entries[pointer] = entry
    }

    public subscript(pointer: JSONPointer) -> Entry? {
        entries[pointer]
    }

    /// Where the value at `pointer` starts; the nearest enclosing value's place if there is no such value.
    public func position(ofValueAt pointer: JSONPointer) -> TextPosition? {
        var pointer = pointer
        while true {
            if let entry = entries[pointer] { return entry.value }
            guard let parent = pointer.parent else { return nil }
            pointer = parent
        }
    }

    /// Where the name of the member at `pointer` starts; the value's place for an array element or the root.
    public func position(ofKeyAt pointer: JSONPointer) -> TextPosition? {
        entries[pointer]?.key ?? position(ofValueAt: pointer)
    }
}

extension SourceMap {
    /// Finds the values at `pointers`, and those that enclose them, in a JSON text. A text that is no JSON gives the
    /// entries up to the error.
    public init(
        scanningJSON bytes: some Sequence<UInt8>, for pointers: some Sequence<JSONPointer>,
        dialect: JSONValue.Dialect = .lenient
    ) {
        let wanted = SourceMap.withAncestors(pointers)
        var parser = JSONParser(bytes: Array(bytes), dialect: dialect, recording: wanted)
        _ = try? parser.document()
        self.init()
        let lines = LineIndex(parser.bytes)
        for record in parser.records {
            let key = record.keyOffset.map { lines.position(of: $0) }
            note(record.pointer, Entry(key: key, value: lines.position(of: record.valueOffset)))
        }
    }
}

extension SourceMap {
    /// The paths of `pointers` and of everything that encloses them: all that a lookup may fall back to.
    public static func withAncestors(_ pointers: some Sequence<JSONPointer>) -> Set<[String]> {
        var paths: Set<[String]> = [[]]
        for pointer in pointers {
            var path = pointer.tokens
            while paths.insert(path).inserted { path.removeLast() }
        }
        return paths
    }
}
