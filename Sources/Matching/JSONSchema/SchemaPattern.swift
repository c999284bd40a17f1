package import SDPlatform
package import SDRegularExpressions

/// A regular expression of a schema. It may match anywhere, and `.` stops at line ends.
package struct SchemaPattern: Sendable {
    /// The pattern as the schema spells it.
    package let source: String
    private let regex: JavaRegex

    package init(_ source: String) throws(RegexProblem) {
        self.source = source
        do throws(RegexProblem) {
            regex = try JavaRegex(ECMAPattern.javaSpelling(of: source), [.anywhere, .dotStopsAtLineEnds])
        } catch {
            throw RegexProblem(
                pattern: source, offset: min(error.offset, source.unicodeScalars.count), reason: error.reason)
        }
    }

    package func match(_ text: String, _ budget: WorkBudget) -> JavaRegex.Outcome {
        regex.match(Array(text.utf8)[...], budget)
    }
}
