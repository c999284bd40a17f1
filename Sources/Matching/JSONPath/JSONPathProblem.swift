/// The reason why a text is not a JSONPath expression.
public struct JSONPathProblem: Error, Sendable, Hashable {
    /// The expression as written.
    public let text: String
    /// The position in characters (Unicode scalars), from 0 to the length of the text.
    public let offset: Int
    /// What would be valid there.
    public let expected: String
    /// What was found there.
    public let found: String

    public init(text: String, offset: Int, expected: String, found: String) {
        self.text = text
        self.offset = offset
        self.expected = expected
        self.found = found
    }
}

extension JSONPathProblem: CustomStringConvertible {
    /// Expectation, finding, position and expression on one line.
    public var description: String {
        let shown = text.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F ? " " : Character(scalar)
        }
        let excerpt = shown.count > 200 ? String(shown.prefix(200)) + "…" : String(shown)
        return "expected \(expected), found \(found) at character \(offset + 1) of the JSONPath expression `\(excerpt)`"
    }
}
