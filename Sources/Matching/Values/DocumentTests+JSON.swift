import JSON
import JSONPath
import JSONSchema

/// `equalToJson`.
struct JSONEqualityTest: DocumentTest {
    let equality: JSONEquality

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        json(of: value, &views).map(equality.matches) ?? false
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        json(of: value, &views).map(equality.distance) ?? 1
    }

    private func json(of value: MatchValue, _ views: inout RequestViews) -> JSONValue? {
        if let json = value.document.json { return json }
        views.note(.jsonError, "The text to be compared is not JSON")
        return nil
    }
}

/// `matchesJsonPath`: an expression alone, or an expression and a test of what it finds.
struct JSONPathTest: DocumentTest {
    let path: JSONPath
    let test: ValueTest?
    /// The test compares a list as a whole rather than its elements.
    let takesWholeValue: Bool

    var acceptsAbsence: Bool { test?.isAbsent ?? false }

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let evaluation = evaluation(value, &views) else { return false }
        guard let test else { return evaluation.isMatch }
        guard let candidates = candidates(evaluation) else { return test.isAbsent }
        for candidate in candidates where test.passes(candidate, &views) { return true }
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
        guard let test, let texts = evaluation(value, &views)?.candidates?.compactMap(\.text) else { return nil }
        return texts.nearest(to: test, &views)
    }

    /// Nil where the path leads nowhere. A list is one candidate for a test that takes it whole.
    private func candidates(_ evaluation: JSONPath.Evaluation) -> [MatchValue?]? {
        if takesWholeValue, let whole = evaluation.wholeValue {
            return [MatchValue(ParsedDocument(whole.compactBytes[...], json: whole))]
        }
        guard let candidates = evaluation.candidates else { return nil }
        return candidates.map { candidate in
            candidate.text.map { MatchValue(ParsedDocument(Array($0.utf8)[...], json: nil)) }
        }
    }

    private func evaluation(_ value: MatchValue, _ views: inout RequestViews) -> JSONPath.Evaluation? {
        guard let json = json(of: value, &views), !json.isNull else { return nil }
        let evaluation = path.evaluate(json)
        if case .failed(let reason) = evaluation { warn(value, reason, &views) }
        return evaluation
    }

    private func json(of value: MatchValue, _ views: inout RequestViews) -> JSONValue? {
        let document = value.document
        if let json = document.lenientJSON, !document.looksLikeXML { return json }
        let reason =
            document.looksLikeXML
            ? "it's not JSON but probably XML" : "the JSON document couldn't be parsed"
        warn(value, reason, &views)
        return nil
    }

    private func warn(_ value: MatchValue, _ reason: String, _ views: inout RequestViews) {
        let shown = String(value.string.prefix(200))
        views.note(
            .warning, "JSON path expression '\(path.text)' failed to match document '\(shown)' because \(reason)")
    }
}

/// `matchesJsonSchema`.
struct JSONSchemaTest: DocumentTest {
    let schema: JSONSchema

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let json = value.document.json
        if let container = json?.container { return schema.validate(container) }
        return schema.validate(body: value.string, parsed: json)
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        let json = value.document.json
        if let container = json?.container { return schema.distance(of: container) }
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
