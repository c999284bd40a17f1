/// The reason why a template cannot be read.
public struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line and the column in characters, each from 1.
    public let line: Int
    public let column: Int
    /// A sentence with what was expected and what was found.
    public let message: String
    /// The names and indices that lead to the text in a JSON document; empty for a template that is none.
    public internal(set) var path: [String] = []
    /// The place in the template, in bytes.
    let offset: Int

    /// - Parameter offset: the place in `text`, in bytes.
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

/// The reason why a template cannot be rendered for a request.
public struct RenderError: Error, Sendable, Equatable {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    /// The budget is spent, whose overdraft says more.
    public static let outOfTime = RenderError("the template takes more than its time")
}
