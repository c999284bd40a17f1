import SDJSON
internal import SDStubModel
import SDXML

/// `matchesXPath`: an expression alone, or an expression and a test of each node found.
struct XPathTest: MatcherTest {
    let path: XPath
    let test: ValueTest?

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let document = document(of: value, &views) else { return false }
        guard let test else { return passes(alone: document, &views) }
        for text in texts(document, value, &views)
        where test.passes(MatchValue(Array(text.utf8)[...]), &views) {
            return true
        }
        return false
    }

    /// Whether the expression passes without a test of its result.
    private func passes(alone document: XMLDocument, _ views: inout RequestViews) -> Bool {
        switch path.conclusion(document, views.budget) {
        case .match: return true
        case .noMatch: break
        case .failed(let reason): warn(reason, &views)
        }
        return false
    }

    private func warn(_ reason: String, _ views: inout RequestViews) {
        views.note(.warning, "Warning: failed to evaluate the XPath expression \(path.expression)\n\(reason)")
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        guard let document = document(of: value, &views) else { return 1 }
        guard let test else { return path.conclusion(document, views.budget) == .match ? 0 : 1 }
        return texts(document, value, &views).map { test.distance(MatchValue(Array($0.utf8)[...]), &views) }.min() ?? 1
    }

    /// The text nearest to passing among the expression's results; nil if there is none.
    func nearestText(in value: MatchValue, _ views: inout RequestViews) -> String? {
        guard let test, let document = document(of: value, &views) else { return nil }
        return texts(document, value, &views).nearest(to: test, &views)
    }

    func passesAbsence(_ views: inout RequestViews) -> Bool {
        views.note(.warning, "Warning: failed to parse the XML document\nXML: null")
        return false
    }

    /// WireMock's warning: its reason as an error document, unless the text does not even look like XML.
    private func warning(_ value: MatchValue, _ document: ParsedDocument) -> String {
        let problem = document.xmlProblem(namespaceAware: path.isNamespaceAware)
        let start = "Warning: failed to parse the XML document"
        guard document.looksLikeXML else { return "\(start)\nXML: \(value.shown)" }
        let errors: JSONValue = ["errors": [["code": 50, "title": .string(problem)]]]
        return "\(start). Reason: \(errors.prettyText)\nXML: \(value.shown)"
    }

    private func texts(_ document: XMLDocument, _ value: MatchValue, _ views: inout RequestViews) -> [String] {
        switch path.evaluate(document, views.budget) {
        case .nodes(let texts): return texts
        case .value(let text): return [text]
        case .failed(let reason):
            warn(reason, &views)
            return []
        }
    }

    private func document(of value: MatchValue, _ views: inout RequestViews) -> XMLDocument? {
        let document = value.document(&views)
        if let xml = document.xml(namespaceAware: path.isNamespaceAware) { return xml }
        views.note(.warning, warning(value, document))
        return nil
    }
}

extension XPathTest {
    /// The test of an XPath expression. An invalid expression is accepted and never matches.
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        let place = place.member("matchesXPath")
        guard let text = compiler.expression(matcher, at: place) else { return nil }
        let namespaces = matcher.xPathNamespaces?.members.compactMap { member in
            member.value.stringValue.map { (prefix: member.key, uri: $0) }
        }
        if let reason = XMLDocument.unavailable {
            compiler.refuse(.badOperand, place, reason)
            return nil
        }
        let path = XPath(text, namespaces: namespaces)
        guard case .object = matcher.operand else {
            return .own(XPathTest(path: path, test: nil))
        }
        guard let test = compiler.nested(matcher.operand, at: place, depth: depth) else { return nil }
        return .own(XPathTest(path: path, test: test))
    }
}
