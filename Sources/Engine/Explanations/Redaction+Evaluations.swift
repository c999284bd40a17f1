package import SDExplaining
import SDJournal

/// Evaluations of requests, with secrets redacted.
extension Redaction? {
    /// A condition with the tested values redacted. Its expected value is unchanged.
    package func redacted(_ condition: PatternEvaluation.Condition) -> PatternEvaluation.Condition {
        guard let redaction = self else { return condition }
        if redaction.hides(condition) {
            return condition.showing(condition.actual.map { _ in Redaction.mark }, isHidden: true)
        }
        let actual = condition.actual.map(redaction.text)
        return switch condition.attribute {
        case .url, .header, .queryParameter, .formParameter, .pathParameter: condition.showing(actual)
        case .body, .multipart:
            condition.showing(actual, differences: redaction.differences(condition.differences, in: condition.actual))
        default: condition
        }
    }

    /// An evaluation with expected and tested values redacted.
    package func redacted(_ evaluation: PatternEvaluation) -> PatternEvaluation {
        guard let redaction = self else { return evaluation }
        return evaluation.showing(redacted(evaluation.pattern), redacted) { name, header in
            redaction.hides(name) ? header.showing(header.actual.map { _ in Redaction.mark }) : header
        }
    }
}

extension Redaction {
    /// Whether the values that a condition tested are hidden.
    fileprivate func hides(_ condition: PatternEvaluation.Condition) -> Bool {
        switch condition.attribute {
        case .header, .queryParameter, .formParameter, .pathParameter: condition.key.map(hides) ?? false
        case .cookie: hides("cookie")
        case .basicAuth: hides("authorization")
        default: false
        }
    }
}
