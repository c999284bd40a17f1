import SDBasics
public import SDJSON

/// Why a text is not accepted as YAML, and where.
public struct YAMLError: Error, Sendable, Hashable {
    public var position: TextPosition
    /// The message: a sentence without a full stop.
    public var message: String
    /// What is valid there.
    public var expected: String?
    /// What was found there.
    public var found: String?
    /// The valid name nearest to the one found.
    public var suggestion: String?

    public init(
        position: TextPosition, message: String, expected: String? = nil, found: String? = nil,
        suggestion: String? = nil
    ) {
        self.position = position
        self.message = message
        self.expected = expected
        self.found = found
        self.suggestion = suggestion
    }

    public var line: Int { position.line }
    public var column: Int { position.column }
}

extension YAMLError: CustomStringConvertible {
    public var description: String {
        "\(position.words): \(message)" + expecting(expected, found: found, meaning: suggestion)
    }
}
