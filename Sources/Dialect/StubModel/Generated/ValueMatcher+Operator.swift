// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

extension ValueMatcher {
    /// The operators by their names in JSON.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
        /// The whole text. Option: caseInsensitive.
        case equalTo
        /// A text within it.
        case contains
        /// No such text within it; a missing value passes.
        case doesNotContain
        /// A regular expression of Java for the whole text.
        case matches
        /// Not the regular expression for the whole text; a missing value passes.
        case doesNotMatch
        /// The bytes of a body, in Base64, or a file with them.
        case binaryEqualTo
        /// JSON, as a value or as a text. Options: ignoreArrayOrder, ignoreExtraElements.
        case equalToJson
        /// A JSONPath that finds something, or an object of expression and a matcher of what it finds.
        case matchesJsonPath
        /// A JSON Schema that the document fulfils. Option: schemaVersion.
        case matchesJsonSchema
        /// An XML document, up to blanks, comments and the order of attributes.
        case equalToXml
        /// An XPath 1.0 that finds something, or an object of expression and a matcher of what it finds.
        case matchesXPath
        /// A time that the value is before, such as 2026-01-01T00:00:00Z or now -3 days.
        case before
        /// A time that the value is after.
        case after
        /// A time that the value is.
        case equalToDateTime
        /// The value as a number: 1 is 1.0.
        case equalToNumber
        case greaterThanNumber
        case greaterThanEqualNumber
        case lessThanNumber
        case lessThanEqualNumber
        /// true: no value. false: any value.
        case absent
        /// Any value, and none.
        case anything
        /// Matchers that all pass.
        case and
        /// Matchers, one of which passes at least.
        case or
        /// A matcher that does not pass.
        case not
        /// A template such as /contacts/{id} for the whole text.
        case matchesPathTemplate
        /// As many matchers as values, each of which one value passes.
        case hasExactly
        /// Matchers, each of which one value passes; there may be more values.
        case includes
        /// The start of the text. An addition to WireMock.
        case startsWith
        /// The end of the text. An addition to WireMock.
        case endsWith
        /// A glob for the whole text, such as img/*.png. An addition to WireMock.
        case glob
        /// The number of values. An addition to WireMock.
        case count
        /// The claims and the header of a JSON Web Token. An addition to WireMock.
        case matchesJwt
        /// A GraphQL request. An addition to WireMock.
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

    /// Whether the operand is a number.
    package var takesNumber: Bool {
        switch self {
        case .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber, .lessThanEqualNumber: true
        default: false
        }
    }
}
