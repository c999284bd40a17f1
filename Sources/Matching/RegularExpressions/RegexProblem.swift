/// Why a regular expression cannot be used.
public struct RegexProblem: Error, Sendable, Hashable {
    /// The expression as written.
    public let pattern: String
    /// Where, in Unicode scalars from 0; may be the length of the pattern.
    public let offset: Int
    /// What is wrong there, and where it helps what to write instead.
    public let reason: String
    /// What Java says of the expression, in the layout of its `PatternSyntaxException`; nil where Java would take it, or
    /// its words are not known.
    public let javaMessage: String?

    public init(pattern: String, offset: Int, reason: String, java: JavaRegexComplaint? = nil) {
        self.pattern = pattern
        self.offset = offset
        self.reason = reason
        javaMessage = java?.message(of: pattern)
    }
}

/// What `java.util.regex` says of an expression: a sentence and the place near which it gave up.
public struct JavaRegexComplaint: Sendable, Hashable {
    let sentence: String
    /// In Unicode scalars from 0.
    let index: Int

    init(_ sentence: String, near index: Int) {
        self.sentence = sentence
        self.index = index
    }

    /// A mark stands below the place, where that is within the expression.
    func message(of pattern: String) -> String {
        var text = sentence + (index >= 0 ? " near index \(index)" : "") + "\n" + pattern
        guard index >= 0, index < pattern.utf16.count else { return text }
        text += "\n"
        for unit in pattern.utf16.prefix(index) { text += unit == 0x09 ? "\t" : " " }
        return text + "^"
    }
}

extension RegexProblem: CustomStringConvertible {
    /// One line: reason, place and expression.
    public var description: String {
        "\(reason) at character \(offset + 1) of the regular expression `\(pattern)`"
    }
}
