import Foundation
import SDJSON
import SDMatching
import SDTestSupport
import Testing

/// Answers equal those of WireMock 3.13.2, recorded by `Tools/oracle/record_json_equality.py`.
@Suite struct GoldenJSONEqualityTests {
    /// Deviations on purpose; `docs/json-matching.md` lists them.
    private enum Difference: String {
        /// WireMock does not have the placeholder.
        case missingOrNull
        /// WireMock reads the first value of a body and ignores the rest.
        case textBehindTheDocument
        /// WireMock's parser keeps a byte order mark, and so refuses the body.
        case byteOrderMark
        /// If elements can be paired in several ways, WireMock keeps the first: it can miss that all could be paired,
        /// or leave another pair over.
        case choiceOfPair
    }

    @Test func agreesWithWireMockOnEveryRecordedPair() throws {
        let cases = try #require(
            try JSONValue(parsing: PackageFiles.data("Tests/Oracle/json_equality.json")).arrayValue)
        var pairs = 0
        var differences: [Difference: Int] = [:]
        for recorded in cases {
            let text = try #require(recorded[0]?.stringValue)
            let options = try #require(recorded[1]?.stringValue)
            let matcher = try JSONEquality(
                expected: JSONValue(parsing: text, dialect: .lenient), ignoreArrayOrder: options.contains("o"),
                ignoreExtraElements: options.contains("e"))
            for answer in try #require(recorded[2]?.arrayValue) {
                let body = try #require(answer[0]?.stringValue)
                let matches = answer[1] == .bool(true)
                let distance = try #require(answer[2]?.numberValue).doubleValue
                let actual = try? JSONValue(parsing: body, dialect: .lenient)
                let ours = actual.map { matcher.matches($0) } ?? false
                let ourDistance = actual.map { matcher.distance($0) } ?? 1
                pairs += 1
                if ours == matches, abs(ourDistance - distance) < 0.000_01 { continue }
                if let difference = Self.difference(text, options, body, isMiss: matches && !ours) {
                    differences[difference, default: 0] += 1
                } else {
                    let there = "\(matches) \(distance)"
                    Issue.record("\(text) [\(options)] on \(body): \(ours) \(ourDistance), there \(there)")
                }
            }
        }
        #expect(pairs >= 9_000)
        #expect(differences == [.choiceOfPair: 11, .missingOrNull: 8, .textBehindTheDocument: 3, .byteOrderMark: 1])
    }

    private static func difference(
        _ expected: String, _ options: String, _ body: String, isMiss: Bool
    ) -> Difference? {
        if expected.contains("${json-unit.missing-or-null}") { return .missingOrNull }
        if body.hasPrefix("\u{FEFF}") { return .byteOrderMark }
        if ["{\"a\":1}}", "{\"a\":1} x", "{\"a\":1}\0"].contains(body) { return .textBehindTheDocument }
        let isAmbiguous = options == "oe" || options == "o" && expected.contains("json-unit")
        return isAmbiguous && !isMiss ? .choiceOfPair : nil
    }
}
