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

/// Turns byte offsets of one text into positions.
public struct LineIndex {
    private let bytes: [UInt8]
    private var lineStarts: [Int] = [0]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\r"), index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { lineStarts.append(index) }
        }
    }

    public func position(of offset: Int) -> TextPosition {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let start = lineStarts[low]
        let before = bytes[start..<Swift.min(Swift.max(start, offset), bytes.count)]
        let column = 1 + before.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return TextPosition(line: low + 1, column: column, offset: offset)
    }

    /// Where the character `column` of `line` stands, both from 1; the end of the text if it has no such place.
    public func position(line: Int, column: Int) -> TextPosition {
        guard lineStarts.indices.contains(line - 1) else {
            return TextPosition(line: line, column: column, offset: bytes.count)
        }
        var offset = lineStarts[line - 1]
        var left = column - 1
        while offset < bytes.count, left > 0 || bytes[offset] & 0xC0 == 0x80 {
            if bytes[offset] & 0xC0 != 0x80 { left -= 1 }
            offset += 1
        }
        return TextPosition(line: line, column: column, offset: offset)
    }
}
