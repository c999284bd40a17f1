import SDJSON
import SDStubModel
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Request patterns drawn by `Tools/oracle/record_matchers.py` and accepted by WireMock.
@Suite struct RecordedPatternTests {
    struct Recording: Sendable {
        var pattern: JSONValue
        var requests: [JSONValue]
    }

    static let all: [Recording] = {
        guard let data = try? PackageFiles.data("Tests/Oracle/matchers.json"),
            let cases = try? JSONValue(parsing: data)["cases"]?.arrayValue
        else { return [] }
        return cases.map { Recording(pattern: $0["pattern"] ?? .null, requests: $0["requests"]?.arrayValue ?? []) }
    }()

    @Test func theRecordingHoldsThousandsOfPairsOfBothVerdicts() {
        let verdicts = Self.all.flatMap(\.requests).compactMap { $0["matches"]?.boolValue }
        #expect(verdicts.count >= 2_000)
        let matching = verdicts.count { $0 }
        #expect(matching > verdicts.count / 3 && matching < verdicts.count * 2 / 3)
    }

    @Test func everyPatternThatWireMockAcceptedIsReadAndWrittenBackUnchanged() throws {
        for recording in Self.all {
            var given = try #require(recording.pattern.objectValue)
            let pattern = try RequestPattern(json: recording.pattern)
            given["basicAuthCredentials"] = given["basicAuth"]
            given["basicAuth"] = nil
            if given["method"] == nil { given["method"] = "ANY" }
            #expect(pattern.json == .object(given))
            #expect(try RequestPattern(json: pattern.json) == pattern)
        }
    }

    @Test func everyMatcherAndFieldOfWireMockIsInTheRecording() {
        var names: Set<String> = []
        func gather(_ value: JSONValue) {
            for member in value.objectValue?.members ?? [] {
                names.insert(member.key)
                gather(member.value)
            }
            value.arrayValue?.forEach(gather)
        }
        for recording in Self.all { gather(recording.pattern) }
        // The number matchers are from WireMock 4.
        let operators = ValueMatcher.Operator.allCases.filter { !$0.takesNumber }.map(\.rawValue)
        let additions = DialectNames.matcherAdditions.union(DialectNames.requestAdditions)
        // What is drawn has a path, which leaves no place for a whole URL; basicAuth is read under both names.
        let others: Set = ["url", "urlPattern", "basicAuthCredentials", "customMatcher"]
        let missing = Set(operators + DialectNames.request).subtracting(names).subtracting(others)
        #expect(missing == additions, "record them with Tools/oracle, or mark the rows with (ours)")
    }
}
