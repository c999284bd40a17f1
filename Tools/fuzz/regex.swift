import SDPlatform
import SDRegularExpressions

/// Asserts for a Java regular expression and, after a NUL, a text: a match begins with the expression's literal prefix,
/// a full match is also a match anywhere, and an outcome is the same a second time. The fuzzer's time limit asserts
/// that no expression hangs.
func fuzz(_ input: [UInt8]) {
    let (expression, rest) = input.halves
    let subject = (rest ?? Array("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab/b.c?d=é\n".utf8))[...]
    for options: JavaRegex.Options in [[], .anywhere, .dotStopsAtLineEnds, .ignoringCase] {
        do throws(RegexProblem) {
            let regex = try JavaRegex(expression.text, options)
            let outcome = regex.match(subject, WorkBudget())
            let again = regex.match(subject, WorkBudget())
            // Time is never the same twice.
            guard outcome != .abandoned, again != .abandoned else { continue }
            require(again == outcome, "\(regex.pattern) has the same outcome twice")
            guard outcome == .match, !options.contains(.anywhere) else { continue }
            require(subject.starts(with: regex.literalPrefix), "\(regex.pattern) begins with its literal prefix")
        } catch {
            require(!error.description.isEmpty, "a refusal says why")
        }
    }
}
