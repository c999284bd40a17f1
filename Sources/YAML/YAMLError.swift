public import JSON

/// Why a text is not the YAML we read, and where.
public struct YAMLError: Error, Sendable, Hashable {
    public var position: TextPosition
    /// One sentence without a full stop; libyaml's own where the text is no YAML at all.
    public var message: String
    /// What may stand there, in words.
    public var expected: String?
    /// What stands there, in words.
    public var found: String?

    public init(position: TextPosition, message: String, expected: String? = nil, found: String? = nil) {
        self.position = position
        self.message = message
        self.expected = expected
        self.found = found
    }

    public var line: Int { position.line }
    public var column: Int { position.column }
}

extension YAMLError: CustomStringConvertible {
    public var description: String {
        var text = "line \(line), column \(column): \(message)"
        if let expected { text += "; expected \(expected)" }
        if let found { text += ", found \(found)" }
        return text
    }
}
