/// The positions of values and member names in a document's text. It is made from the text when an error needs a
/// position, so that `JSONValue` itself carries none.
package struct SourceMap: Sendable {
    package struct Entry: Sendable, Hashable {
        /// The position of the member's name; nil for the root and for array elements.
        package var key: TextPosition?
        package var value: TextPosition

        package init(key: TextPosition?, value: TextPosition) {
            self.key = key
            self.value = value
        }
    }

    private var entries: [JSONPointer: Entry] = [:]

    package init() {}

    /// Notes an entry. A later one for the same pointer replaces it, because the last of equal keys counts.
    package mutating func note(_ pointer: JSONPointer, _ entry: Entry) {
        entries[pointer] = entry
    }

    package subscript(pointer: JSONPointer) -> Entry? {
        entries[pointer]
    }

    /// The position of the value at `pointer`, or of the nearest enclosing value that exists.
    package func position(ofValueAt pointer: JSONPointer) -> TextPosition? {
        var pointer = pointer
        while true {
            if let entry = entries[pointer] { return entry.value }
            guard let parent = pointer.parent else { return nil }
            pointer = parent
        }
    }

    /// The position of the name of the member at `pointer`; the value's position for an array element or the root.
    package func position(ofKeyAt pointer: JSONPointer) -> TextPosition? {
        entries[pointer]?.key ?? position(ofValueAt: pointer)
    }
}

extension SourceMap {
    /// Finds the values at `pointers`, and those that enclose them, in a JSON text. An invalid text yields the entries
    /// up to its error.
    package init(
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
    /// The paths of `pointers` and of all enclosing values, which lookups may fall back to.
    package static func withAncestors(_ pointers: some Sequence<JSONPointer>) -> Set<[String]> {
        var paths: Set<[String]> = [[]]
        for pointer in pointers {
            var path = pointer.tokens
            while paths.insert(path).inserted { path.removeLast() }
        }
        return paths
    }
}
