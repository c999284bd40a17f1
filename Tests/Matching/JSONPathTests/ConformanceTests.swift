import SDJSON
import SDJSONPath
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The compliance test suite of RFC 9535.
enum ComplianceSuite {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var selector: String
        var document: JSONValue
        /// The valid nodelists; empty for an expression that must be refused.
        var results: [JSONValue]
        var isInvalid: Bool

        var testDescription: String { name }
    }

    static let cases: [Case] = {
        guard let data = FileManager.default.contents(atPath: Conformance.path("jsonpath/cts.json")),
            let tests = try? JSONValue(parsing: data)["tests"]?.arrayValue
        else { return [] }
        return tests.map { test in
            Case(
                name: test["name"]?.stringValue ?? "", selector: test["selector"]?.stringValue ?? "",
                document: test["document"] ?? .null,
                results: test["results"]?.arrayValue ?? test["result"].map { [$0] } ?? [],
                isInvalid: test["invalid_selector"]?.boolValue ?? false)
        }
    }()

    /// The nodelist of RFC 9535 for the result of an evaluation.
    static func nodes(_ evaluation: JSONPath.Evaluation) -> JSONValue? {
        switch evaluation {
        case .notFound: []
        case .value(let value): .array([value])
        case .list(let values): .array(values)
        case .failed: nil
        }
    }
}

@Suite(.enabled(if: Conformance.isPresent("jsonpath"), "\(Conformance.absence)"))
struct ConformanceTests {
    @Test func theSuiteIsComplete() {
        #expect(ComplianceSuite.cases.count >= 703)
        #expect(ComplianceSuite.cases.count { $0.isInvalid } >= 247)
    }

    @Test(arguments: ComplianceSuite.cases.filter { !$0.isInvalid })
    func answersAsTheStandardSays(_ test: ComplianceSuite.Case) throws {
        let path = try JSONPath(test.selector, dialect: .rfc9535)
        let nodes = try #require(ComplianceSuite.nodes(path.evaluate(test.document)))
        #expect(test.results.contains(nodes), "found \(nodes.compactText)")
    }

    @Test(arguments: ComplianceSuite.cases.filter(\.isInvalid))
    func refusesWhatTheStandardForbids(_ test: ComplianceSuite.Case) {
        let problem = #expect(throws: JSONPathProblem.self) { try JSONPath(test.selector, dialect: .rfc9535) }
        #expect((0...test.selector.unicodeScalars.count).contains(problem?.offset ?? -1))
    }

    @Test func theDefaultDialectDiffersOnlyOnPurpose() {
        var results: Set<String> = []
        var spellings: Set<String> = []
        for test in ComplianceSuite.cases {
            let path = try? JSONPath(test.selector)
            let nodes = path.flatMap { ComplianceSuite.nodes($0.evaluate(test.document)) }
            if test.isInvalid {
                if path != nil { spellings.insert(test.name) }
            } else if !test.results.contains(nodes ?? .null) {
                results.insert(test.name)
            }
        }
        #expect(results == Set(IntendedDifferences.results.flatMap(\.names)))
        #expect(spellings == Set(IntendedDifferences.spellings.flatMap(\.names)))
    }
}
