import SDJSON
import SDJSONPath
import SDJSONSchema
import SDPlatform

/// `equalToJson`.
struct JSONEqualityTest: DocumentTest {
    let equality: JSONEquality

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let document = value.document(&views)
        if let text = document.unreadText, equality.certainlyMatches(text, document.budget) { return true }
        if let tape = document.tape { return equality.matches(tape, document.budget) }
        return json(of: document, &views).map { equality.matches($0, document.budget) } ?? false
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        let document = value.document(&views)
        return json(of: document, &views).map { equality.distance($0, document.budget) } ?? 1
    }

    func passesAbsence(_ views: inout RequestViews) -> Bool {
        views.note(.warning, "argument \"content\" is null\nThere is no text to be compared as JSON")
        return false
    }

    private func json(of document: ParsedDocument, _ views: inout RequestViews) -> JSONValue? {
        if let json = document.json { return json }
        views.note(.jsonError, document.jsonProblem)
        return nil
    }
}

/// `matchesJsonPath`: an expression alone, or an expression and a test of its result.
struct JSONPathTest: DocumentTest {
    let path: JSONPath
    let test: ValueTest?
    /// Whether the test compares a list as a whole rather than its elements.
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

    /// The text nearest to passing among those found by the expression; nil if it finds none.
    func nearestText(in value: MatchValue, _ views: inout RequestViews) -> String? {
        guard let test, let evaluation = evaluation(value, &views) else { return nil }
        if takesWholeValue, case .array = evaluation.wholeValue { return evaluation.wholeValue?.prettyText }
        return evaluation.candidates(views.budget)?.compactMap(\.text).nearest(to: test, &views)
    }

    /// The values to be tested; nil if the path leads nowhere. For a test that takes a list whole, a list is one value.
    /// A text is its value, which may itself be JSON or XML, not the quoted text in JSON.
    func candidates(_ evaluation: JSONPath.Evaluation, _ budget: WorkBudget) -> [MatchValue?]? {
        if takesWholeValue, let whole = evaluation.wholeValue, whole.stringValue == nil {
            return [MatchValue(ParsedDocument(whole.compactBytes[...], json: whole, budget))]
        }
        guard let candidates = evaluation.candidates(budget) else { return nil }
        return candidates.map { candidate in
            candidate.text.map { MatchValue(ParsedDocument(Array($0.utf8)[...], json: nil, budget)) }
        }
    }

    /// Whether the expression passes without a test.
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
        // A test of the result gets no warning about an absent one.
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

/// `matchesJsonSchema`.
struct JSONSchemaTest: DocumentTest {
    let schema: JSONSchema

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let json = value.document(&views).json
        if let container = json?.container { return schema.validate(container, views.budget) }
        // An empty text comes from a path; an empty body would be nil.
        if value.text.isEmpty { return schema.validate("", views.budget) }
        return schema.validate(body: value.string(&views), parsed: json, views.budget)
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        let json = value.document(&views).json
        if let container = json?.container { return schema.distance(of: container, views.budget) }
        if value.text.isEmpty { return schema.distance(of: "", views.budget) }
        return schema.distance(ofBody: value.string(&views), parsed: json, views.budget)
    }
}

extension JSONValue {
    /// The value if it is an object or a list, which a schema's rule for bodies reads in one way only. Its text, which
    /// may be long, is then not needed.
    fileprivate var container: JSONValue? {
        switch self {
        case .object, .array: self
        default: nil
        }
    }
}

/// `matchesGraphql`.
struct GraphQLTest: DocumentTest {
    let matcher: GraphQLMatcher

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let document = value.document(&views)
        return document.json.map { matcher.matches($0, document.budget) } ?? false
    }
}

/// `matchesJwt`: claims and header of a token, whose signature is ignored.
struct JWTTest: DocumentTest {
    /// A test of one claim or header field.
    struct Field: Sendable {
        enum Test: Sendable {
            case equal(JSONEquality)
            case test(ValueTest)
        }

        let name: String
        let test: Test
    }

    let claims: [Field]
    let header: [Field]

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard views.budget.affords(10 * value.text.count, for: WorkBudget.Work("token", "matchesJwt")),
            let token = JWTToken(value.text)
        else { return false }
        for field in claims where !passes(field, token.claim(field.name), &views) { return false }
        for field in header where !passes(field, token.headerField(field.name), &views) { return false }
        return true
    }

    private func passes(_ field: Field, _ value: JSONValue?, _ views: inout RequestViews) -> Bool {
        switch field.test {
        case .equal(let equality): return value.map { equality.matches($0, views.budget) } ?? false
        case .test(let test):
            guard let value, !value.isNull else { return test.passes(nil, &views) }
            // A list, such as of audiences, passes if one of its elements does.
            let budget = views.budget
            for element in value.arrayValue ?? [value]
            where test.passes(element.matchValue(budget), &views) {
                return true
            }
            return test.passes(value.matchValue(budget), &views)
        }
    }
}

extension JSONValue {
    fileprivate func matchValue(_ budget: WorkBudget) -> MatchValue {
        MatchValue(ParsedDocument(stringValue.map { Array($0.utf8)[...] } ?? compactBytes[...], json: self, budget))
    }
}
