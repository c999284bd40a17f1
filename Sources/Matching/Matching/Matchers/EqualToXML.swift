internal import SDJSON
internal import SDStubModel
import SDXML

/// `equalToXml`.
struct XMLEqualityTest: MatcherTest {
    let equality: XMLEquality

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let document = document(of: value, &views) else { return false }
        return equality.matches(document, views.budget)
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        guard let document = document(of: value, &views) else { return 1 }
        return equality.distance(document, views.budget)
    }

    private func document(of value: MatchValue, _ views: inout RequestViews) -> XMLDocument? {
        let document = value.document(&views)
        if let xml = document.xml(namespaceAware: equality.isNamespaceAware) { return xml }
        views.note(.warning, document.xmlProblem(namespaceAware: equality.isNamespaceAware))
        return nil
    }
}

extension XMLEqualityTest {
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        guard let text = compiler.text(matcher, at: place) else { return nil }
        var options = XMLEquality.Options()
        options.enablePlaceholders = matcher.flag("enablePlaceholders")
        options.placeholderOpeningDelimiterRegex = matcher.text("placeholderOpeningDelimiterRegex")
        options.placeholderClosingDelimiterRegex = matcher.text("placeholderClosingDelimiterRegex")
        options.ignoreOrderOfSameNode = matcher.flag("ignoreOrderOfSameNode")
        if let names = matcher.json["exemptedComparisons"]?.arrayValue {
            options.exemptedComparisons = Set(
                names.compactMap { $0.stringValue.flatMap(XMLComparison.init(rawValue:)) })
        }
        if let awareness = matcher.text("namespaceAwareness").flatMap(XMLEquality.NamespaceAwareness.init) {
            options.namespaceAwareness = awareness
        }
        do {
            return .own(XMLEqualityTest(equality: try XMLEquality(expected: text, options: options)))
        } catch {
            compiler.refuse(.badOperand, place.member("equalToXml"), "\(error)", wireMock: "\(error)")
            return nil
        }
    }
}
