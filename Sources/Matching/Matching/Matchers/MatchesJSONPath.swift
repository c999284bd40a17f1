import SDJSON
import SDJSONPath
import SDPlatform
internal import SDStubModel

/// `matchesJsonPath`: an expression alone, or an expression and a test of its result.
struct JSONPathTest: MatcherTest {
    let path: JSONPath
    let test: ValueTest?
    /// Whether the test compares a list as a whole instead of its elements.
    let takesWholeValue: Bool

    func passesAbsence(_ views: inout RequestViews) -> Bool { test?.isAbsent ?? false }

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let test else { return passes(alone: value, &views) }
        guard let evaluation = evaluation(value, &views) else { return false }
        guard let candidates = candidates(evaluation, views.budget) else { return test.isAbsent }
        let noteCount = views.notes.count
        for candidate in candidates where test.passes(candidate, &views) {
            views.forgetNotes(beyond: noteCount)
            return true
        }
        return false
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        guard let evaluation = evaluation(value, &views) else { return 1 }
        guard let test else { return evaluation.isMatch ? 0 : 1 }
        guard let candidates = candidates(evaluation, views.budget) else { return test.isAbsent ? 0 : 1 }
        return candidates.map { test.distance($0, &views) }.min() ?? 1
    }

    /// The text nearest to passing among the expression's results; nil if there is none.
    func nearestText(in value: MatchValue, _ views: inout RequestViews) -> String? {
        guard let test, let evaluation = evaluation(value, &views) else { return nil }
        if takesWholeValue, case .array = evaluation.wholeValue { return evaluation.wholeValue?.prettyText }
        return evaluation.candidates(views.budget)?.compactMap(\.text).nearest(to: test, &views)
    }

    /// The values to test; nil if the path finds nothing. For a test of whole lists, a list is one value. A text stands
    /// for its content, which may itself be JSON or XML, not for its JSON form.
    func candidates(_ evaluation: JSONPath.Evaluation, _ budget: WorkBudget) -> [MatchValue?]? {
        if takesWholeValue, let whole = evaluation.wholeValue, whole.stringValue == nil {
            return [MatchValue(ParsedDocument(whole.compactBytes[...], json: whole, budget))]
        }
        guard let candidates = evaluation.candidates(budget) else { return nil }
        return candidates.map { candidate in
            candidate.text.map { MatchValue(ParsedDocument(Array($0.utf8)[...], json: nil, budget)) }
        }
    }

    /// Whether the expression passes without a test of its result.
    private func passes(alone value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let document = document(of: value, &views) else { return false }
        switch path.conclusion(document, views.budget) {
        case .match: return true
        case .noMatch: break
        case .notFound: warnOfAbsence(value, document, &views)
        case .failed(let reason): warn(value, reason, &views)
        }
        return false
    }

    private func evaluation(_ value: MatchValue, _ views: inout RequestViews) -> JSONPath.Evaluation? {
        guard let document = document(of: value, &views) else { return nil }
        let evaluation = path.evaluate(document, views.budget)
        switch evaluation {
        case .failed(let reason): warn(value, reason, &views)
        // With a test, there is no warning about an absent result.
        case .notFound where test == nil: warnOfAbsence(value, document, &views)
        default: break
        }
        return evaluation
    }

    /// The document of a value; nil if there is none.
    private func document(of value: MatchValue, _ views: inout RequestViews) -> JSONDocument? {
        let document = value.document(&views)
        if let json = document.lenientDocument, !document.looksLikeXML {
            if !json.isNull { return json }
            warn(value, "json can not be null", &views)
        } else if document.looksLikeXML {
            views.note(.warning, warning(value, "it's not JSON but probably XML"))
        } else {
            warn(value, document.lenientProblem, &views)
        }
        return nil
    }

    private func warnOfAbsence(_ value: MatchValue, _ document: JSONDocument, _ views: inout RequestViews) {
        if let absence = path.absence(in: document) { warn(value, absence.warning, &views) }
    }

    private func warn(_ value: MatchValue, _ reason: @autoclosure () -> String, _ views: inout RequestViews) {
        views.note(.warning, warning(value, "of error '\(reason())'"))
    }

    /// WireMock's warning. It names the expression only beside a test. The document is shortened.
    private func warning(_ value: MatchValue, _ reason: String) -> String {
        let name = test == nil ? "" : " '\(path.text)'"
        return "Warning: JSON path expression\(name) failed to match document '\(value.shown)' because \(reason)"
    }
}

extension JSONPathTest {
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        let place = place.member("matchesJsonPath")
        guard let text = compiler.expression(matcher, at: place) else { return nil }
        let path: JSONPath
        do {
            path = try JSONPath(text)
        } catch {
            let endsOpen = text.hasSuffix(".") ? "Path must not end with a '.' or '..'" : nil
            compiler.refuse(.badOperand, place, "\(error)", wireMock: endsOpen)
            return nil
        }
        guard case .object(let object) = matcher.operand else {
            return .own(JSONPathTest(path: path, test: nil, takesWholeValue: false))
        }
        guard let test = compiler.nested(matcher.operand, at: place, depth: depth) else { return nil }
        let takesWholeValue = object["equalToJson"] != nil
        return .own(JSONPathTest(path: path, test: test, takesWholeValue: takesWholeValue))
    }
}
