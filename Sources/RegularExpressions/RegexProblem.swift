/// Why a regular expression cannot be used.
public struct RegexProblem: Error, Sendable, Hashable {
    /// The expression as written.
    public let pattern: String
    /// Where, in Unicode scalars from 0; may be the length of the pattern.
    public let offset: Int
    /// What is wrong there, and where it helps what to write instead.
    public let reason: String

    public init(pattern: String, offset: Int, reason: String) {
        self.pattern = pattern
        self.offset = offset
        self.reason = reason
    }
}

extension RegexProblem: CustomStringConvertible {
    /// One line: reason, place and expression.
    public var description: String {
        "\(reason) at character \(offset + 1) of the regular expression `\(pattern)`"
    }
}
