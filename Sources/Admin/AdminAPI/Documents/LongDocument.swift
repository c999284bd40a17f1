import SDJSON

/// A JSON document with one list that may be long: its elements are made and written a few at a time, so that only the
/// bytes of one piece are in memory.
struct LongDocument: Sendable {
    /// Stands for the elements of the list.
    private static let mark: JSONValue = "\u{1}"

    private let document: @Sendable (_ list: JSONValue) -> JSONValue
    private let count: Int
    private let level: Int
    private let element: @Sendable (Int) -> JSONValue
    private let beginning: [UInt8]
    private let end: [UInt8]
    /// The next element to write.
    private var next = 0
    private var isBegun = false
    private(set) var isOver = false

    /// - Parameters:
    ///   - elements: what the list is made of.
    ///   - level: the number of objects around the list.
    ///   - element: makes an element of the list.
    ///   - document: the document with a list.
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

    /// All of it at once.
    var json: JSONValue { document(.array((0..<count).map(element))) }

    /// Writes the next piece, of at least `size` bytes unless it is the last.
    mutating func nextPiece(of size: Int) -> [UInt8] {
        var piece: [UInt8] = []
        if isOver { return piece }
        if !isBegun { piece += beginning }
        isBegun = true
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
