import JSON
import JSONPath
import JSONSchema

/// `equalToJson`.
struct JSONEqualityTest: DocumentTest {
    let equality: JSONEquality

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let document = value.document
        if let tape = document.tape { return equality.matches(tape) }
        return json(of: document, &views).map(equality.matches) ?? false
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        json(of: value.document, &views).map(equality.distance) ?? 1
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

/// `matchesJsonPath`: an expression alone, or an expression and a test of what it finds.
struct JSONPathTest: DocumentTest {
    let path: JSONPath
    let test: ValueTest?
    /// The test compares a list as a whole rather than its elements.
    let takesWholeValue: Bool

    func passesAbsence(_ views: inout RequestViews) -> Bool { test?.isAbsent ?? false }

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let test else { return passes(alone: value, &views) }
        guard let evaluation = evaluation(value, &views) else { return false }
        guard let candidates = candidates(evaluation) else { return test.isAbsent }
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
        guard let candidates = candidates(evaluation) else { return test.isAbsent ? 0 : 1 }
        return candidates.map { test.distance($0, &views) }.min() ?? 1
    }

    /// Of the texts that the expression finds the one that comes nearest; nil where it finds nothing.
    func nearestText(in value: MatchValue, _ views: inout RequestViews) -> String? {
        guard let test, let evaluation = evaluation(value, &views) else { return nil }
        if takesWholeValue, case .array = evaluation.wholeValue { return evaluation.wholeValue?.prettyText }
        return evaluation.candidates?.compactMap(\.text).nearest(to: test, &views)
    }

    /// Nil where the path leads nowhere. A list is one candidate for a test that takes it whole. A text is what it says,
    /// which may be JSON or XML in turn; it is not the quoted text of JSON.
    func candidates(_ evaluation: JSONPath.Evaluation) -> [MatchValue?]? {
        if takesWholeValue, let whole = evaluation.wholeValue, whole.stringValue == nil {
            return [MatchValue(ParsedDocument(whole.compactBytes[...], json: whole))]
        }
        guard let candidates = evaluation.candidates else { return nil }
        return candidates.map { candidate in
            candidate.text.map { MatchValue(ParsedDocument(Array($0.utf8)[...], json: nil)) }
        }
    }

    /// The expression without a test.
    private func passes(alone value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let document = document(of: value, &views) else { return false }
        switch path.conclusion(document) {
        case .match: return true
        case .noMatch: break
        case .notFound: warnOfAbsence(value, document, &views)
        case .failed(let reason): warn(value, reason, &views)
        }
        return false
    }

    private func evaluation(_ value: MatchValue, _ views: inout RequestViews) -> JSONPath.Evaluation? {
        guard let document = document(of: value, &views) else { return nil }
        let evaluation = path.evaluate(document)
        switch evaluation {
        case .failed(let reason): warn(value, reason, &views)
        // A test of what is found hears of nothing that was found.
        case .notFound where test == nil: warnOfAbsence(value, document, &views)
        default: break
        }
        return evaluation
    }

    /// Nil where there is no value to look into.
    private func document(of value: MatchValue, _ views: inout RequestViews) -> JSONDocument? {
        let document = value.document
        if let json = document.lenientDocument, !document.looksLikeXML {
            if !json.isNull { return json }
            warn(value, "json can not be null", &views)
        } else if document.looksLikeXML {
            views.note(.warning, warning(value, "it's not JSON but probably XML"))
        } else {
            warn(value, LenientJSON.problem(in: document.text) ?? "Unexpected text", &views)
        }
        return nil
    }

    private func warnOfAbsence(_ value: MatchValue, _ document: JSONDocument, _ views: inout RequestViews) {
        if let absence = path.absence(in: document) { warn(value, absence.warning, &views) }
    }

    private func warn(_ value: MatchValue, _ reason: @autoclosure () -> String, _ views: inout RequestViews) {
        views.note(.warning, warning(value, "of error '\(reason())'"))
    }

    /// WireMock names the expression only where it comes with a test. The document is shown up to a bound.
    private func warning(_ value: MatchValue, _ reason: String) -> String {
        let name = test == nil ? "" : " '\(path.text)'"
        return "Warning: JSON path expression\(name) failed to match document '\(value.shown)' because \(reason)"
    }
}

/// `matchesJsonSchema`.
struct JSONSchemaTest: DocumentTest {
    let schema: JSONSchema

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let json = value.document.json
        if let container = json?.container { return schema.validate(container) }
        // A text without anything in it, such as a path finds: a body would not be there at all.
        if value.text.isEmpty { return schema.validate("") }
        return schema.validate(body: value.string, parsed: json)
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        let json = value.document.json
        if let container = json?.container { return schema.distance(of: container) }
        if value.text.isEmpty { return schema.distance(of: "") }
        return schema.distance(ofBody: value.string, parsed: json)
    }
}

extension JSONValue {
    /// Itself if it is an object or a list, which a schema's rule for bodies takes for nothing else: its text, which may be
    /// long, need not be made.
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
        value.document.json.map(matcher.matches) ?? false
    }
}

/// `matchesJwt`: claims and header of a token, read without looking at its signature.
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
        guard let token = JWTToken(value.text) else { return false }
        for field in claims where !passes(field, token.claim(field.name), &views) { return false }
        for field in header where !passes(field, token.headerField(field.name), &views) { return false }
        return true
    }

    private func passes(_ field: Field, _ value: JSONValue?, _ views: inout RequestViews) -> Bool {
        switch field.test {
        case .equal(let equality): return value.map(equality.matches) ?? false
        case .test(let test):
            guard let value, !value.isNull else { return test.passes(nil, &views) }
            // A list, such as of audiences, passes if one of its elements does.
            for element in value.arrayValue ?? [value] where test.passes(element.matchValue, &views) { return true }
            return test.passes(value.matchValue, &views)
        }
    }
}

extension JSONValue {
    fileprivate var matchValue: MatchValue {
        MatchValue(ParsedDocument(stringValue.map { Array($0.utf8)[...] } ?? compactBytes[...], json: self))
    }
}
