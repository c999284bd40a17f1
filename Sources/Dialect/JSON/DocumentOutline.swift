/// The lines on which a document's outer values start, recorded during parsing: the document itself, its values, and
/// their values. A member starts with its name.
///
/// `SourceMap` locates any value, but scans the text again.
public struct DocumentOutline: Sendable {
    /// The depth below which values are not recorded.
    public static let depth = 2

    private enum Notes {
        case lines([Int])
        /// Byte offsets in a text; lines are counted on demand.
        case offsets([Int], in: [UInt8])
    }

    private var notes: Notes

    /// Makes an outline of lines, from 1, in the order of the document.
    public init(lines: [Int] = []) {
        notes = .lines(lines)
    }

    /// Makes an outline from byte offsets in ascending order.
    init(offsets: [Int], in bytes: [UInt8]) {
        notes = .offsets(offsets, in: bytes)
    }

    /// The lines, from 1. A value's line precedes the lines of its contents. If only offsets were recorded, each call
    /// counts the lines again.
    public var lines: [Int] {
        switch notes {
        case .lines(let lines): lines
        case .offsets(let offsets, let bytes): Self.lines(at: offsets, in: bytes.span)
        }
    }

    /// The line on which the document starts; nil if nothing was recorded.
    public var firstLine: Int? {
        switch notes {
        case .lines(let lines): lines.first
        case .offsets(let offsets, let bytes): Self.lines(at: offsets.prefix(1), in: bytes.span).first
        }
    }

    /// Adds the line, from 1, on which the next value starts.
    public mutating func note(line: Int) {
        var lines = lines
        notes = .lines([])
        lines.append(line)
        notes = .lines(lines)
    }

    /// - Parameter offsets: ascending.
    static func lines(at offsets: some Collection<Int>, in bytes: Span<UInt8>) -> [Int] {
        var lines: [Int] = []
        lines.reserveCapacity(offsets.count)
        var line = 1
        var index = 0
        for offset in offsets {
            while index < offset {
                let byte = bytes[index]
                index += 1
                guard byte <= UInt8(ascii: "\r") else { continue }
                if byte == UInt8(ascii: "\n") {
                    line += 1
                } else if byte == UInt8(ascii: "\r"), index == bytes.count || bytes[index] != UInt8(ascii: "\n") {
                    line += 1
                }
            }
            lines.append(line)
        }
        return lines
    }
}

extension DocumentOutline {
    /// Finds the lines of a document's values by their pointers.
    public struct Lookup: Sendable {
        private let document: JSONValue
        private let lines: [Int]
        /// The index in `lines` of each of the document's values.
        private var starts: [Int] = []
        private var numbers: [String: Int] = [:]

        /// Makes a lookup. Nil if document and text have different numbers of values, as with a repeated name.
        public init?(_ outline: DocumentOutline, of document: JSONValue) {
            self.document = document
            lines = outline.lines
            var next = 1
            for child in document.children {
                starts.append(next)
                next += 1 + child.childCount
            }
            guard next == lines.count else { return nil }
            guard case .object(let object) = document else { return }
            for (number, member) in object.members.enumerated() { numbers[member.key] = number }
        }

        /// The line on which the value at `place` starts, or else the nearest recorded ancestor.
        public func line(of place: JSONPointer) -> Int {
            guard let token = place.tokens.first, let (number, child) = child(token) else { return lines[0] }
            let start = starts[number]
            guard place.tokens.count > 1, let inner = child.number(of: place.tokens[1]) else { return lines[start] }
            return lines[start + 1 + inner]
        }

        private func child(_ token: String) -> (Int, JSONValue)? {
            switch document {
            case .array(let elements): Int(token).flatMap { elements.indices.contains($0) ? ($0, elements[$0]) : nil }
            case .object(let object): numbers[token].map { ($0, object.members[$0].value) }
            default: nil
            }
        }
    }
}

extension JSONValue {
    fileprivate var children: [JSONValue] {
        switch self {
        case .array(let elements): elements
        case .object(let object): object.members.map(\.value)
        default: []
        }
    }

    fileprivate var childCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let object): object.members.count
        default: 0
        }
    }

    fileprivate func number(of token: String) -> Int? {
        switch self {
        case .array(let elements): Int(token).flatMap { elements.indices.contains($0) ? $0 : nil }
        case .object(let object): object.members.firstIndex { $0.key == token }
        default: nil
        }
    }
}
