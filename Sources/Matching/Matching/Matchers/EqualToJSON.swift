internal import SDJSON
internal import SDStubModel

/// `equalToJson`.
struct JSONEqualityTest: MatcherTest {
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

extension JSONEqualityTest {
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        guard let expected = compiler.json(matcher, at: place) else { return nil }
        return compiler.equality(
            expected, at: place.member("equalToJson"), ignoreArrayOrder: matcher.flag("ignoreArrayOrder"),
            ignoreExtraElements: matcher.flag("ignoreExtraElements"),
            nullsEqualMissing: matcher.flag("nullsEqualMissing")
        ).map { .own(JSONEqualityTest(equality: $0)) }
    }
}
