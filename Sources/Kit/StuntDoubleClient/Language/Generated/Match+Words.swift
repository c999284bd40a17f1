// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file
import SDStubModel

extension Stub.Match {
    /// A text that contains this one.
    public static func contains(_ text: String) -> Stub.Match { Stub.Match(.contains, text) }

    /// A text that does not contain this one, or none.
    public static func doesNotContain(_ text: String) -> Stub.Match { Stub.Match(.doesNotContain, text) }

    /// A regular expression of Java for the whole text.
    public static func matching(_ text: String) -> Stub.Match { Stub.Match(.matches, text) }

    /// A text that a regular expression of Java does not match as a whole, or none.
    public static func notMatching(_ text: String) -> Stub.Match { Stub.Match(.doesNotMatch, text) }

    /// A number equal to this one: 1 equals 1.0.
    public static func number(_ number: Double) -> Stub.Match { Stub.Match(.equalToNumber, number) }

    /// A number greater than this one.
    public static func greaterThan(_ number: Double) -> Stub.Match { Stub.Match(.greaterThanNumber, number) }

    /// A number of at least this one.
    public static func atLeast(_ number: Double) -> Stub.Match { Stub.Match(.greaterThanEqualNumber, number) }

    /// A number less than this one.
    public static func lessThan(_ number: Double) -> Stub.Match { Stub.Match(.lessThanNumber, number) }

    /// A number of at most this one.
    public static func atMost(_ number: Double) -> Stub.Match { Stub.Match(.lessThanEqualNumber, number) }

    /// A path template, such as `/users/{id}`, for the whole text.
    public static func pathTemplate(_ text: String) -> Stub.Match { Stub.Match(.matchesPathTemplate, text) }

    /// A text that begins with this one.
    public static func startsWith(_ text: String) -> Stub.Match { Stub.Match(.startsWith, text) }

    /// A text that ends with this one.
    public static func endsWith(_ text: String) -> Stub.Match { Stub.Match(.endsWith, text) }

    /// A glob for the whole text, such as `img/*.png`.
    public static func glob(_ text: String) -> Stub.Match { Stub.Match(.glob, text) }

    /// The words that are no names of operators, by these.
    static let words: [String: String] = [
        "equalTo": "equal",
        "matches": "matching",
        "doesNotMatch": "notMatching",
        "binaryEqualTo": "data",
        "equalToJson": "json",
        "matchesJsonPath": "jsonPath",
        "matchesJsonSchema": "schema",
        "equalToXml": "xml",
        "matchesXPath": "xPath",
        "equalToDateTime": "date",
        "equalToNumber": "number",
        "greaterThanNumber": "greaterThan",
        "greaterThanEqualNumber": "atLeast",
        "lessThanNumber": "lessThan",
        "lessThanEqualNumber": "atMost",
        "matchesPathTemplate": "pathTemplate",
        "matchesJwt": "jwt",
        "matchesGraphql": "graphQL",
    ]
}
