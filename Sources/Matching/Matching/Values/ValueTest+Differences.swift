import SDJSON
import SDJSONPath
import SDJSONSchema
import SDPlatform
import SDStubModel
import SDXML

/// The differences in a value that does not pass: sentences with locations, such as `$.b.c[2]: expected 3, was 4`.
/// Empty for tests of a whole text: the text itself shows the difference.
extension ValueTest {
    package func differences(_ value: MatchValue?, _ views: inout RequestViews) -> [String] {
        guard let value else { return [] }
        switch self {
        case .own(let test): return test.differences(value, &views)
        case .and(let tests):
            var list = DifferenceList()
            for test in tests where !list.isFull && !test.passes(value, &views) {
                list.add(test.differences(value, &views))
            }
            return list.all
        case .or(let tests):
            let distances = tests.map { $0.distance(value, &views) }
            guard let least = distances.min(), let nearest = distances.firstIndex(of: least) else { return [] }
            return tests[nearest].differences(value, &views)
        default: return []
        }
    }
}

extension MultiValueTest {
    /// The differences of the value nearest to passing.
    package func differences(_ values: [ArraySlice<UInt8>], _ views: inout RequestViews) -> [String] {
        guard case .any(let test) = self else { return [] }
        let distances = values.map { test.distance(MatchValue($0), &views) }
        guard let least = distances.min(), let nearest = distances.firstIndex(of: least) else { return [] }
        return test.differences(MatchValue(values[nearest]), &views)
    }
}

extension JSONEqualityTest {
    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String] {
        let document = value.document(&views)
        return document.json.map { equality.differences($0, document.budget) }
            ?? ["not JSON: \(document.syntaxError)"]
    }
}

extension JSONPathTest {
    /// The expression's result, or why it found nothing; if the result is tested, its differences.
    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String] {
        let document = value.document(&views)
        // For a long body, a tree needs far more memory than the tape that the test has read.
        guard let json = document.lenientDocument, !document.looksLikeXML else {
            return ["not JSON: \(document.syntaxError)"]
        }
        var list = DifferenceList()
        let evaluation = json.isNull ? .notFound : path.evaluate(json, views.budget)
        if case .failed(let reason) = evaluation { return ["\(path.text): \(reason)"] }
        guard let test, let found = evaluation.candidates(views.budget) else {
            list.add("\(path.text): \(evaluation.shown(path.absence(in: json)?.reason))")
            return list.all
        }
        if test.isAbsent {
            list.add("\(path.text): expected nothing, \(evaluation.shown(nil))")
            return list.all
        }
        let within = candidates(evaluation, views.budget)?.nearestDifferences(test, &views) ?? []
        if within.isEmpty { list.add("\(path.text): found \(ValuesPreview.text(found.map(\.shown)))") }
        for difference in within { list.add("\(path.text): \(difference)") }
        return list.all
    }
}

extension JSONPath.Evaluation {
    /// The result as text, if finding it is not enough to match.
    fileprivate func shown(_ reason: String?) -> String {
        switch self {
        case .notFound, .failed: "found nothing" + (reason.map { ": \($0)" } ?? "")
        case .value(let value): "found \(JSONPreview.text(value))"
        case .list(let values): values.isEmpty ? "found nothing" : "found \(JSONPreview.text(.array(values)))"
        }
    }
}

extension JSONPathCandidate {
    /// The value as JSON, which distinguishes texts from numbers.
    fileprivate var shown: String { value.map(JSONPreview.text) ?? "null" }
}

extension [MatchValue?] {
    /// The differences of the value nearest to passing.
    fileprivate func nearestDifferences(_ test: ValueTest, _ views: inout RequestViews) -> [String] {
        guard count > 1 else { return first.map { test.differences($0, &views) } ?? [] }
        let distances = map { test.distance($0, &views) }
        guard let least = distances.min(), let nearest = distances.firstIndex(of: least) else { return [] }
        return test.differences(self[nearest], &views)
    }
}

extension JSONSchemaTest {
    /// The schema's violations: the location in the document, what was expected there, and the keyword.
    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String] {
        let most = DifferenceList.most + 1
        let json = value.document(&views).json
        let found =
            value.text.isEmpty
            ? (errors: schema.errors(in: "", most: most, views.budget), document: "")
            : schema.errors(inBody: value.string(&views), parsed: json, most: most, views.budget)
        guard let found else { return [] }
        var list = DifferenceList()
        for error in found.errors {
            let keyword = error.keyword.isEmpty ? "" : " (\(error.keyword))"
            list.add("\(error.instance.path(in: found.document)): \(error.message)\(keyword)")
        }
        return list.all
    }
}

extension XMLEqualityTest {
    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String] {
        let document = value.document(&views)
        guard let xml = document.xml(namespaceAware: equality.isNamespaceAware) else {
            return ["not XML: \(document.xmlProblem(namespaceAware: equality.isNamespaceAware))"]
        }
        return equality.differences(xml, views.budget)
    }
}

extension XPathTest {
    /// The expression's result; if the result is tested, its differences.
    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String] {
        let parsed = value.document(&views)
        guard let document = parsed.xml(namespaceAware: path.isNamespaceAware) else {
            return ["not XML: \(parsed.xmlProblem(namespaceAware: path.isNamespaceAware))"]
        }
        let texts: [String]
        switch path.evaluate(document, views.budget) {
        case .failed(let reason): return ["\(path.expression): \(reason)"]
        case .nodes(let found): texts = found
        case .value(let found): texts = [found]
        }
        guard let test, !texts.isEmpty else { return ["\(path.expression): found nothing"] }
        var list = DifferenceList()
        let candidates = texts.prefix(DifferenceList.most).map { MatchValue?(MatchValue(Array($0.utf8)[...])) }
        let within = candidates.nearestDifferences(test, &views)
        if within.isEmpty {
            list.add("\(path.expression): found \(ValuesPreview.text(texts.map { JSONPreview.text(.string($0)) }))")
        }
        for difference in within { list.add("\(path.expression): \(difference)") }
        return list.all
    }
}

/// The first few of several values.
private enum ValuesPreview {
    private static let most = 3

    static func text(_ values: [String]) -> String {
        let shown = values.prefix(most).joined(separator: ", ")
        return values.count > most ? "\(shown) and \(values.count - most) more" : shown
    }
}

extension ValueTest {
    /// The parts of a body that a report shows with this test: the results of a path, or the whole body.
    package func texts(in value: MatchValue, _ views: inout RequestViews) -> [String] {
        if case .own(let test) = self {
            let found =
                switch test {
                case let path as JSONPathTest: path.nearestText(in: value, &views)
                case let path as XPathTest: path.nearestText(in: value, &views)
                default: String?.none
                }
            if let found { return [TextPreview.text(found)] }
        }
        if case .binary = self {
            let bytes = value.binary
            let isLong = bytes.count > TextPreview.longest
            return [
                Base64.encode(bytes.prefix(TextPreview.longest)) + (isLong ? TextPreview.lengthNote(bytes.count) : "")
            ]
        }
        return [TextPreview.text(value.text)]
    }
}
