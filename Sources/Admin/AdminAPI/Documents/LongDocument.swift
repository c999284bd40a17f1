import SDJSON

/// A JSON document with one long list, whose elements are made and written a few at a time, so that only one slice is
/// in memory.
struct LongDocument: Sendable {
    /// The placeholder for the list's elements.
    private static let mark: JSONValue = "\u{1}"

    private let document: @Sendable (_ list: JSONValue) -> JSONValue
    private let count: Int
    private let level: Int
    private let element: @Sendable (Int) -> JSONValue
    private let beginning: [UInt8]
    private let end: [UInt8]
    /// The index of the next element to write.
    private var next = 0
    private var hasStarted = false
    private(set) var isOver = false

    /// - Parameters:
    ///   - elements: the sources of the list's elements.
    ///   - level: the number of objects around the list.
    ///   - element: makes an element of the list.
    ///   - document: makes the document around a list.
    init<Element: Sendable>(
        _ elements: [Element], level: Int = 1, element: @escaping @Sendable (Element) -> JSONValue,
        in document: @escaping @Sendable (_ list: JSONValue) -> JSONValue
    ) {
        self.init(document, level: level, count: elements.count) { element(elements[$0]) }
    }

    private init(
        _ document: @escaping @Sendable (JSONValue) -> JSONValue, level: Int, count: Int,
        element: @escaping @Sendable (Int) -> JSONValue
    ) {
        self.document = document
        self.count = count
        self.level = level
        self.element = element
        let text = document([Self.mark]).prettyBytes
        let mark = Self.mark.prettyBytes
        let place = text.indices.first { text[$0...].starts(with: mark) } ?? text.endIndex
        beginning = Array(text[..<place])
        // A list without elements is `[ ]`.
        end = Array(text[place...].dropFirst(mark.count + (count == 0 ? 1 : 0)))
    }

    /// The whole document.
    var json: JSONValue { document(.array((0..<count).map(element))) }

    /// Writes the next slice, of at least `size` bytes unless it is the last.
    mutating func nextPiece(of size: Int) -> [UInt8] {
        var piece: [UInt8] = []
        if isOver { return piece }
        if !hasStarted { piece += beginning }
        hasStarted = true
        while next < count, piece.count < size {
            if next > 0 { piece += ", ".utf8 }
            piece += element(next).prettyBytes(level: level)
            next += 1
        }
        if next == count {
            piece += end
            isOver = true
        }
        return piece
    }
}
