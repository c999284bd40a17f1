/// Why a regular expression cannot be used.
public struct RegexProblem: Error, Sendable, Hashable {
    /// The expression as written.
    public let pattern: String
    /// The position in Unicode scalars, from 0 to the length of the pattern.
    public let offset: Int
    /// The error, and the fix if there is one.
    public let reason: String
    /// Java's message in the layout of its `PatternSyntaxException`; nil if Java accepts the expression or its message
    /// is unknown.
    public let javaMessage: String?

    public init(pattern: String, offset: Int, reason: String, java: JavaRegexComplaint? = nil) {
        self.pattern = pattern
        self.offset = offset
        self.reason = reason
        javaMessage = java?.message(of: pattern)
    }
}

/// Java's message about an expression, and the position that Java reports.
public struct JavaRegexComplaint: Sendable, Hashable {
    let sentence: String
    /// The position in Unicode scalars, from 0.
    let index: Int

    init(_ sentence: String, near index: Int) {
        self.sentence = sentence
        self.index = index
    }

    /// The message with Java's layout: a mark below the position, if that is within the expression.
    func message(of pattern: String) -> String {
        var text = sentence + (index >= 0 ? " near index \(index)" : "") + "\n" + pattern
        guard index >= 0, index < pattern.utf16.count else { return text }
        text += "\n"
        for unit in pattern.utf16.prefix(index) { text += unit == 0x09 ? "\t" : " " }
        return text + "^"
    }
}

extension RegexProblem: CustomStringConvertible {
    /// Reason, position and expression on one line.
    public var description: String {
        "\(reason) at character \(offset + 1) of the regular expression `\(pattern)`"
    }
}
