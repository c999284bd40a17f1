/// Why a template cannot be parsed.
public struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1, and the column in characters, from 1.
    public let line: Int
    public let column: Int
    /// A sentence with what was expected and found.
    public let message: String
    /// The path to the string in a JSON document; empty for a text template.
    public internal(set) var path: [String] = []
    /// The byte offset in the template.
    let offset: Int

    /// - Parameter offset: the byte offset in `text`.
    init(_ message: String, at offset: Int, in text: [UInt8]) {
        self.offset = offset
        let before = text[..<min(offset, text.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1
        self.message = message
    }

    public var description: String { "line \(line), column \(column): \(message)" }
}

/// Why a template cannot be rendered for a request.
public struct RenderError: Error, Sendable, Equatable {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    /// The budget is exhausted; its `exhaustion` has the details.
    public static let outOfTime = RenderError("the template takes more than its time")
}
