import SDJSON
import SDJSONSchema
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Verdicts equal those of WireMock, recorded by `Tools/oracle/record_jsonschema.py`.
@Suite struct WireMockDifferentialTests {
    struct Question: CustomStringConvertible {
        var draft: JSONSchema.Draft
        var schema: JSONValue
        var body: String
        /// The verdict; nil if WireMock itself failed.
        var matches: Bool?
        var distance: Double?

        var description: String { "\(draft.rawValue) \(schema.compactText) on \(body)" }
    }

    static let questions: [Question] = {
        let rows = (try? JSONValue(parsing: PackageFiles.data("Tests/Oracle/jsonschema.json"))) ?? []
        return (rows.arrayValue ?? []).flatMap { row in
            (row[2]?.arrayValue ?? []).compactMap { pair in
                guard let schema = row[1], let body = pair[0]?.stringValue else { return nil }
                let draft = row[0]?.stringValue.flatMap(JSONSchema.Draft.init(rawValue:)) ?? .v202012
                let matches: Bool? = pair[1]?.isNull == true ? nil : pair[1]?.intValue == 1
                return Question(
                    draft: draft, schema: schema, body: body, matches: matches,
                    distance: pair[1]?[1]?.doubleValue)
            }
        }
    }()

    @Test func thereAreEnoughQuestions() {
        #expect(Self.questions.count >= 2_000)
        // WireMock overflows its stack if a schema refers to itself without end.
        #expect(Self.questions.count { $0.matches == nil } <= 10)
    }

    @Test func answersAsWireMockExceptForIntendedDifferences() {
        var unmet = Set(IntendedDifference.all.map(\.reason))
        for question in Self.questions {
            guard let expected = question.matches else { continue }
            let answer = Self.answer(to: question)
            if answer == expected { continue }
            let meant = IntendedDifference.all.first { $0.covers(question) }
            if let meant { unmet.remove(meant.reason) }
            #expect(meant != nil, "\(question): WireMock says \(expected), we say \(answer)")
        }
        #expect(unmet.isEmpty, "no longer different: \(unmet)")
    }

    /// If both find violations, their numbers mostly agree. They only rank near misses.
    @Test func distancesAreMostlyWireMocks() {
        var same = 0
        var different: [String] = []
        for question in Self.questions {
            guard let expected = question.distance, !Self.answer(to: question),
                let schema = try? JSONSchema(question.schema, draft: question.draft)
            else { continue }
            let parsed = try? JSONValue(parsing: question.body, dialect: .lenient)
            let distance = schema.distance(ofBody: question.body, parsed: parsed)
            if abs(distance - expected) < 0.001 {
                same += 1
            } else {
                different.append("\(question): WireMock \(expected), we \(distance)")
            }
        }
        print("distances: \(same) as WireMock, \(different.count) otherwise")
        for line in different { print("  \(line)") }
        #expect(different.count * 100 < same)
    }

    private static func answer(to question: Question) -> Bool {
        // A schema that does not compile matches nothing, as in WireMock.
        guard let schema = try? JSONSchema(question.schema, draft: question.draft) else { return false }
        return schema.validate(
            body: question.body, parsed: try? JSONValue(parsing: question.body, dialect: .lenient))
    }
}
