// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

extension ValueMatcher {
    /// The operators by their names in JSON.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
        /// Exactly this text; with `caseInsensitive`, ignoring case.
        case equalTo
        /// A text that contains this one.
        case contains
        /// A text that does not contain this one, or none.
        case doesNotContain
        /// A regular expression of Java for the whole text.
        case matches
        /// A text that a regular expression of Java does not match as a whole, or none.
        case doesNotMatch
        /// The bytes of a body, in Base64, or `{file: …}`, a file below `__files` with them.
        case binaryEqualTo
        /// JSON that equals this, given as a value or as a text; placeholders accept many values.
        case equalToJson
        /// JSON with at least one result for a path; as an object of `expression` and a matcher, a result that matches.
        case matchesJsonPath
        /// JSON that is valid by this schema.
        case matchesJsonSchema
        /// XML that equals this, ignoring space between elements, comments, and the order of attributes and of
        /// differently named elements.
        case equalToXml
        /// XML with at least one result for an XPath 1.0; as an object of `expression` and a matcher, a result that
        /// matches.
        case matchesXPath
        /// A date that the value precedes, such as `2026-01-01T00:00:00Z` or `now -3 days`.
        case before
        /// A date that the value follows.
        case after
        /// A date that the value equals, in any notation.
        case equalToDateTime
        /// A number equal to this one: 1 equals 1.0.
        case equalToNumber
        /// A number greater than this one.
        case greaterThanNumber
        /// A number of at least this one.
        case greaterThanEqualNumber
        /// A number less than this one.
        case lessThanNumber
        /// A number of at most this one.
        case lessThanEqualNumber
        /// `true`: no value. `false` or `no`: any value.
        case absent
        /// Any value, or none.
        case anything
        /// Two or more matchers, all of which must match.
        case and
        /// Two or more matchers, at least one of which must match.
        case or
        /// A matcher that must not match.
        case not
        /// A path template, such as `/users/{id}`, for the whole text.
        case matchesPathTemplate
        /// Exactly one matching value for each of these matchers.
        case hasExactly
        /// At least one matching value for each of these matchers; there may be more values.
        case includes
        /// A text that begins with this one. An addition to WireMock.
        case startsWith
        /// A text that ends with this one. An addition to WireMock.
        case endsWith
        /// A glob for the whole text, such as `img/*.png`. An addition to WireMock.
        case glob
        /// This many values: a number, or an object with `atLeast`, `atMost` or `exactly`. An addition to WireMock.
        case count
        /// A JSON Web Token with these `claims` and this `header`. An addition to WireMock.
        case matchesJwt
        /// A GraphQL request with this `operationName`, `query` or `variables`; bodies only. An addition to WireMock.
        case matchesGraphql
    }
}

extension ValueMatcher.Operator {
    /// The names of the operator's options.
    public var options: [String] {
        switch self {
        case .equalTo: ["caseInsensitive"]
        case .equalToJson: ["ignoreArrayOrder", "ignoreExtraElements", "nullsEqualMissing"]
        case .matchesJsonSchema: ["schemaVersion"]
        case .equalToXml: ["enablePlaceholders", "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex", "exemptedComparisons", "ignoreOrderOfSameNode", "namespaceAwareness"]
        case .matchesXPath: ["xPathNamespaces"]
        case .before: ["actualFormat", "truncateExpected", "truncateActual", "applyTruncationLast", "expectedOffset", "expectedOffsetUnit"]
        case .after: ["actualFormat", "truncateExpected", "truncateActual", "applyTruncationLast", "expectedOffset", "expectedOffsetUnit"]
        case .equalToDateTime: ["actualFormat", "truncateExpected", "truncateActual", "applyTruncationLast", "expectedOffset", "expectedOffsetUnit"]
        default: []
        }
    }

    /// Whether the operator decides at a position of matchers.
    package func isAllowed(at position: ValueMatcher.Position) -> Bool {
        switch self {
        case .binaryEqualTo: position == .body
        case .hasExactly: position == .multiValue
        case .includes: position == .multiValue
        case .count: position == .multiValue
        case .matchesGraphql: position == .body || position == .withinBody
        default: true
        }
    }

    /// Whether a missing value may pass, whatever the operand.
    package var mayPassAbsence: Bool {
        switch self {
        case .doesNotContain, .doesNotMatch, .binaryEqualTo, .anything, .and, .or, .not, .hasExactly, .includes, .count: true
        default: false
        }
    }

    /// Whether the operand, in a condition of a path, is spelt as clients send paths.
    package var isSpeltAsPath: Bool {
        switch self {
        case .equalTo, .contains, .doesNotContain, .startsWith, .endsWith, .glob: true
        default: false
        }
    }

    /// Whether the operand itself passes.
    package var passesItsOperand: Bool {
        switch self {
        case .equalTo, .contains, .equalToXml, .equalToNumber, .greaterThanEqualNumber, .lessThanEqualNumber, .startsWith, .endsWith: true
        default: false
        }
    }

    /// Whether one value alone passes, however it is written.
    package var passesOneValue: Bool {
        switch self {
        case .equalTo, .equalToJson, .equalToXml, .equalToDateTime, .equalToNumber: true
        default: false
        }
    }

    /// Whether the operand is a number.
    package var takesNumber: Bool {
        switch self {
        case .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber, .lessThanEqualNumber: true
        default: false
        }
    }

    /// The options whose value is a flag.
    static let flagOptions: Set<String> = ["caseInsensitive", "ignoreArrayOrder", "ignoreExtraElements", "nullsEqualMissing", "enablePlaceholders", "ignoreOrderOfSameNode", "applyTruncationLast"]

    /// The options whose value is a text.
    static let textOptions: Set<String> = ["placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex", "actualFormat"]
}
