import RegularExpressions

/// The input is a Java regular expression, and behind a NUL the text it is tried on. Asserted: a match begins with the
/// expression's literal prefix, a full match is also one anywhere, and an outcome is the same the second time. That no
/// expression hangs is the fuzzer's own time limit.
func fuzz(_ input: [UInt8]) {
    let (expression, rest) = input.halves
    let subject = (rest ?? Array("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab/b.c?d=é\n".utf8))[...]
    for options: JavaRegex.Options in [[], .anywhere, .dotStopsAtLineEnds, .ignoringCase] {
        do throws(RegexProblem) {
            let regex = try JavaRegex(expression.text, options)
            let outcome = regex.match(subject)
            require(regex.match(subject) == outcome, "\(regex.pattern) has the same outcome twice")
            guard outcome == .match, !options.contains(.anywhere) else { continue }
            require(subject.starts(with: regex.literalPrefix), "\(regex.pattern) begins with its literal prefix")
        } catch {
            require(!error.description.isEmpty, "a refusal says why")
        }
    }
}
