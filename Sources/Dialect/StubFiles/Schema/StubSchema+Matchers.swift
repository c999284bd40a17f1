extension StubSchema {
    /// Matchers of values and bodies.
    static let matchers = #"""
        pathOperand: A path, and a matcher of what it finds.
          expression: string
          ! expression
          *
          + {"$ref": "#/$defs/innerBodyMatcher"}
        fileOperand: A file below __files.
          file: string
          ! file
        matcher: A condition: an operator and its options.
          equalTo: string -- The whole text. Option: caseInsensitive.
          contains: string -- A text within it.
          doesNotContain: string -- No such text within it; a missing value passes.
          matches: string -- A regular expression of Java for the whole text.
          doesNotMatch: string -- Not the regular expression for the whole text; a missing value passes.
          binaryEqualTo: string | #fileOperand -- The bytes of a body, in Base64, or a file with them.
          equalToJson: any -- JSON, as a value or as a text. Options: ignoreArrayOrder, ignoreExtraElements.
          matchesJsonPath: `.` | #pathOperand -- A JSONPath that finds something, or an object of expression and a matcher of what it finds.
          matchesJsonSchema: any -- A JSON Schema that the document fulfils. Option: schemaVersion.
          equalToXml: string -- An XML document, up to blanks, comments and the order of attributes.
          matchesXPath: string | #pathOperand -- An XPath 1.0 that finds something, or an object of expression and a matcher of what it finds.
          before: string -- A time that the value is before, such as 2026-01-01T00:00:00Z or now -3 days.
          after: string -- A time that the value is after.
          equalToDateTime: string -- A time that the value is.
          equalToNumber: number | string -- The value as a number: 1 is 1.0.
          greaterThanNumber: number | string
          greaterThanEqualNumber: number | string
          lessThanNumber: number | string
          lessThanEqualNumber: number | string
          absent: any -- true: no value. false: any value.
          anything: any -- Any value, and none.
          and: [#innerBodyMatcher] -- Matchers that all pass.
          or: [#innerBodyMatcher] -- Matchers, one of which passes at least.
          not: #innerBodyMatcher -- A matcher that does not pass.
          matchesPathTemplate: string -- A template such as /contacts/{id} for the whole text.
          hasExactly: [#valueMatcher] -- As many matchers as values, each of which one value passes.
          includes: [#valueMatcher] -- Matchers, each of which one value passes; there may be more values.
          startsWith: string -- The start of the text. An addition to WireMock.
          endsWith: string -- The end of the text. An addition to WireMock.
          glob: string -- A glob for the whole text, such as img/*.png. An addition to WireMock.
          count: 0.. | #count -- The number of values. An addition to WireMock.
          matchesJwt: #jwt -- The claims and the header of a JSON Web Token. An addition to WireMock.
          matchesGraphql: #graphql -- A GraphQL request. An addition to WireMock.
          caseInsensitive: any -- true: without regard to letter case.
          ignoreArrayOrder: any -- true: the order of arrays does not matter.
          ignoreExtraElements: any -- true: there may be more members and elements.
          nullsEqualMissing: any -- true: a member that is null is as one that is missing.
          schemaVersion: @schemaVersions
          enablePlaceholders: any
          placeholderOpeningDelimiterRegex: any
          placeholderClosingDelimiterRegex: any
          exemptedComparisons: any
          ignoreOrderOfSameNode: any
          namespaceAwareness: @awarenesses
          xPathNamespaces: any -- Prefixes and URIs.
          actualFormat: any -- The format of dates of the request.
          truncateExpected: @truncations | any
          truncateActual: @truncations | any
          applyTruncationLast: any
          expectedOffset: any
          expectedOffsetUnit: @units | any
          *
        count: A number of values.
          exactly: 0..
          atLeast: 0..
          atMost: 0..
          / exactly: atLeast atMost
          + {"minProperties": 1}
        jwt: The claims and header fields of a token, each a value or a matcher.
          claims: object
          header: object
          + {"minProperties": 1}
        graphql: A GraphQL request.
          operationName: string | null
          query: string -- A GraphQL document.
          variables: object
          + {"minProperties": 1}
        """#
}
