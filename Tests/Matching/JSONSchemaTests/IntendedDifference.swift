import SDJSON
import SDJSONSchema

/// An answer that deviates from WireMock on purpose.
struct IntendedDifference {
    let reason: String
    let covers: @Sendable (WireMockDifferentialTests.Question) -> Bool

    static let all: [IntendedDifference] = [
        IntendedDifference(reason: "a duration leaves out no unit between two others (RFC 3339 appendix A)") {
            $0.format == "duration" && $0.body.contains("P1Y1D")
        },
        IntendedDifference(
            reason: "an offset may be up to 23:59, a fraction as long as it likes (RFC 3339 section 5.6)"
        ) {
            $0.format == "date-time" && ($0.body.contains("+18:30") || $0.body.contains(".1234567890Z"))
        },
        IntendedDifference(reason: "a leap second may end any day: which days have had one changes with the years") {
            $0.format == "date-time" && $0.body.contains("2020-12-31T23:59:60Z")
        },
        IntendedDifference(reason: "a fraction has a digit (RFC 3339 section 5.6)") {
            $0.format == "time" && $0.body.contains("10:00:00.Z")
        },
        IntendedDifference(reason: "1 and 1.0 are one number, in `uniqueItems` and within lists and objects too") {
            $0.keyword == "uniqueItems" && $0.body.contains("1.0")
                || $0.keyword == "const" && $0.body.contains("[1.0]")
        },
        IntendedDifference(reason: "the suite requires the long names of Unicode's properties") {
            $0.keyword == "pattern" && $0.schema.compactText.contains(#"\\p{Letter}"#)
        },
    ]
}

extension WireMockDifferentialTests.Question {
    /// The schema of the property `a`.
    private var inner: JSONObject? { schema["properties"]?["a"]?.objectValue }

    /// The format required of the property `a`.
    var format: String? { inner?["format"]?.stringValue }

    /// The only keyword for the property `a`.
    var keyword: String? { inner?.count == 1 ? inner?.keys.first : nil }
}
