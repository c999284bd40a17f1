import Foundation
import SDJSON
import SDJavaTime
import SDStubModel
import SDTestSupport
import Testing

/// Answers equal those of WireMock 3.13.2, recorded by `Tools/oracle/record_datetime.py`.
@Suite struct RecordedAnswersTests {
    private static let recorded: JSONValue? = {
        let file = PackageFiles.url("Tests/Oracle/datetime.json")
        return (try? Data(contentsOf: file)).flatMap { try? JSONValue(parsing: Array($0)) }
    }()

    /// Any day between the years 1000 and 9000 gives the same recorded answers.
    private static let now = Moment(seconds: 1_800_000_000)

    @Test func agreesWithWireMockOnEveryRecordedPair() throws {
        let zone = try Zone(name: #require(Self.recorded?["zone"]?.stringValue))
        var pairs = 0
        var differences: [Difference: Int] = [:]
        for row in try #require(Self.recorded?["cases"]?.arrayValue) {
            let expected = try #require(row["expected"]?.stringValue)
            let options = DateTimeMatcher.Options(recorded: row["options"])
            let matchers: [DateTimeMatcher]
            do throws(DateTimeProblem) {
                matchers = [
                    try DateTimeMatcher(.before, expected: expected, options: options, systemZone: zone),
                    try DateTimeMatcher(.after, expected: expected, options: options, systemZone: zone),
                    try DateTimeMatcher(.equal, expected: expected, options: options, systemZone: zone),
                ]
            } catch {
                pairs += 1
                if row["refused"]?.stringValue != error.detail, let difference = Self.refusal(options) {
                    differences[difference, default: 0] += 1
                } else {
                    #expect(row["refused"]?.stringValue == error.detail, "\(expected) \(options)")
                }
                continue
            }
            #expect(row["refused"] == nil, "accepts \(expected) \(options)")
            #expect(row["printed"]?["before"]?.stringValue == matchers[0].expectedText)
            #expect(row["printed"]?["truncateActual"]?.stringValue == matchers[0].truncateActual?.rawValue)
            #expect(row["printed"]?["truncateExpected"]?.stringValue == matchers[0].truncateExpected?.rawValue)
            for (actual, answer) in row["answers"]?.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
                let wanted = try #require(answer.stringValue).filter { $0 != "!" }
                let marks = zip("bae", matchers).filter { $1.matches(actual, now: Self.now) }.map(\.0)
                pairs += 1
                if String(marks) != wanted, let difference = Self.difference(options, actual) {
                    differences[difference, default: 0] += 1
                } else {
                    #expect(String(marks) == wanted, "\(expected) \(options) on \(actual)")
                }
            }
        }
        #expect(pairs >= 6_000)
        #expect(differences == [.dayPeriod: 5, .weekYearWidth: 1, .overflow: 6, .digits: 3, .britishSummer: 1])
    }

    /// Deviations on purpose; `docs/dates.md` lists them.
    private enum Difference {
        /// Day periods such as "at night" are not supported.
        case dayPeriod
        /// Java finds out only at the first request that a week-based year has too many letters.
        case weekYearWidth
        /// WireMock multiplies seconds by 1000 and ignores overflow; here such a number is not a date.
        case overflow
        /// Java's numbers accept the digits of every script.
        case digits
        /// Java takes BST for a zone in the Pacific; here it is British Summer Time.
        case britishSummer
    }

    private static func refusal(_ options: DateTimeMatcher.Options) -> Difference? {
        switch options.actualFormat {
        case let format? where format.contains("B"): .dayPeriod
        case let format? where format.hasPrefix("YYYYY"): .weekYearWidth
        default: nil
        }
    }

    private static func difference(_ options: DateTimeMatcher.Options, _ actual: String) -> Difference? {
        if actual.hasSuffix("BST") { return .britishSummer }
        guard options.actualFormat == "unix" else { return nil }
        return actual.utf8.contains { $0 >= 0x80 } ? .digits : actual.utf8.count > 16 ? .overflow : nil
    }
}

extension DateTimeMatcher.Options {
    fileprivate init(recorded options: JSONValue?) {
        self.init(
            actualFormat: options?["actualFormat"]?.stringValue,
            truncateExpected: options?["truncateExpected"]?.stringValue,
            truncateActual: options?["truncateActual"]?.stringValue,
            applyTruncationLast: options?["applyTruncationLast"]?.boolValue ?? false,
            expectedOffset: options?["expectedOffset"]?.intValue,
            expectedOffsetUnit: options?["expectedOffsetUnit"]?.stringValue)
    }
}
