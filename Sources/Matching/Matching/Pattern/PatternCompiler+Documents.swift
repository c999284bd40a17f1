internal import SDJSON
import SDJSONPath
import SDJSONSchema
internal import SDStubModel
import SDXML

/// Matchers of documents. Errors in their operands, such as an invalid schema, are treated as in WireMock: some refuse
/// the stub, others leave a stub that never matches.
extension PatternCompiler {
    /// An operand that is JSON, or a text of JSON.
    private mutating func json(_ matcher: ValueMatcher, at place: PatternPlace) -> JSONValue? {
        guard case .string(let text) = matcher.operand else { return matcher.operand }
        do {
            return try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            let name = matcher.operator.rawValue
            refuse(.badOperand, place.member(name), "`\(name)` is not JSON: \(error)")
            return nil
        }
    }

    mutating func equalToJSON(_ matcher: ValueMatcher, at place: PatternPlace) -> ValueTest? {
        guard let expected = json(matcher, at: place) else { return nil }
        return equality(
            expected, at: place.member("equalToJson"), ignoreArrayOrder: matcher.flag("ignoreArrayOrder"),
            ignoreExtraElements: matcher.flag("ignoreExtraElements"),
            nullsEqualMissing: matcher.flag("nullsEqualMissing")
        ).map { .document(JSONEqualityTest(equality: $0)) }
    }

    private mutating func equality(
        _ expected: JSONValue, at place: PatternPlace, ignoreArrayOrder: Bool = false,
        ignoreExtraElements: Bool = false, nullsEqualMissing: Bool = false
    ) -> JSONEquality? {
        do {
            return try JSONEquality(
                expected: expected, ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements,
                nullsEqualMissing: nullsEqualMissing)
        } catch {
            refuse(.badOperand, place, "\(error)")
            return nil
        }
    }

    mutating func jsonPath(_ matcher: ValueMatcher, at place: PatternPlace, depth: Int) -> ValueTest? {
        let place = place.member("matchesJsonPath")
        guard let text = expression(matcher, at: place) else { return nil }
        let path: JSONPath
        do {
            path = try JSONPath(text)
        } catch {
            let endsOpen = text.hasSuffix(".") ? "Path must not end with a '.' or '..'" : nil
            refuse(.badOperand, place, "\(error)", wireMock: endsOpen)
            return nil
        }
        guard case .object(let object) = matcher.operand else {
            return .document(JSONPathTest(path: path, test: nil, takesWholeValue: false))
        }
        guard let test = nested(matcher.operand, at: place, depth: depth) else { return nil }
        let takesWholeValue = object["equalToJson"] != nil
        return .document(JSONPathTest(path: path, test: test, takesWholeValue: takesWholeValue))
    }

    /// The expression of a path matcher, alone or in an object beside an operator.
    private mutating func expression(_ matcher: ValueMatcher, at place: PatternPlace) -> String? {
        switch matcher.operand {
        case .string(let text): return text
        case .object(let object):
            if let text = object["expression"]?.stringValue { return text }
            fallthrough
        default:
            refuse(.badOperand, place, "expected an expression, or an object of `expression` and a matcher")
            return nil
        }
    }

    /// The test of a schema. An invalid schema is accepted and never matches.
    mutating func jsonSchema(_ matcher: ValueMatcher, at place: PatternPlace) -> ValueTest? {
        let name = matcher.text("schemaVersion") ?? JSONSchema.Draft.v202012.rawValue
        guard let draft = JSONSchema.Draft(rawValue: name) else {
            let known = JSONSchema.Draft.allCases.map(\.rawValue).joined(separator: ", ")
            refuse(.badOperand, place.member("schemaVersion"), "schemaVersion must be one of [\(known)]")
            return nil
        }
        guard let document = json(matcher, at: place) else { return nil }
        do throws(SchemaProblem) {
            let schema = try JSONSchema(document, draft: draft)
            for problem in schema.problems { remark(problem, isInvalid: false, matcher, at: place) }
            return .document(JSONSchemaTest(schema: schema))
        } catch {
            remark(error, isInvalid: true, matcher, at: place)
            return .never(reason: "\(error)")
        }
    }

    private mutating func remark(
        _ problem: SchemaProblem, isInvalid: Bool, _ matcher: ValueMatcher, at place: PatternPlace
    ) {
        let pointer = place.member(matcher.operator.rawValue).pointer
        schemaRemarks.append(
            SchemaRemark(
                schema: JSONPointer(text: pointer) ?? .root, isText: matcher.operand.stringValue != nil,
                isInvalid: isInvalid, problem: problem))
    }

    mutating func equalToXML(_ matcher: ValueMatcher, at place: PatternPlace) -> ValueTest? {
        guard let text = text(matcher, at: place) else { return nil }
        var options = XMLEquality.Options()
        options.enablePlaceholders = matcher.flag("enablePlaceholders")
        options.placeholderOpeningDelimiterRegex = matcher.text("placeholderOpeningDelimiterRegex")
        options.placeholderClosingDelimiterRegex = matcher.text("placeholderClosingDelimiterRegex")
        options.ignoreOrderOfSameNode = matcher.flag("ignoreOrderOfSameNode")
        if let names = matcher.json["exemptedComparisons"]?.arrayValue {
            options.exemptedComparisons = Set(
                names.compactMap { $0.stringValue.flatMap(XMLComparison.init(rawValue:)) })
        }
        if let awareness = matcher.text("namespaceAwareness").flatMap(XMLEquality.NamespaceAwareness.init) {
            options.namespaceAwareness = awareness
        }
        do {
            return .document(XMLEqualityTest(equality: try XMLEquality(expected: text, options: options)))
        } catch {
            refuse(.badOperand, place.member("equalToXml"), "\(error)", wireMock: "\(error)")
            return nil
        }
    }

    /// The test of an XPath expression. An invalid expression is accepted and never matches.
    mutating func xPath(_ matcher: ValueMatcher, at place: PatternPlace, depth: Int) -> ValueTest? {
        let place = place.member("matchesXPath")
        guard let text = expression(matcher, at: place) else { return nil }
        let namespaces = matcher.xPathNamespaces?.members.compactMap { member in
            member.value.stringValue.map { (prefix: member.key, uri: $0) }
        }
        if let reason = XMLDocument.unavailable {
            refuse(.badOperand, place, reason)
            return nil
        }
        let path = XPath(text, namespaces: namespaces)
        guard case .object = matcher.operand else {
            return .document(XPathTest(path: path, test: nil))
        }
        guard let test = nested(matcher.operand, at: place, depth: depth) else { return nil }
        return .document(XPathTest(path: path, test: test))
    }

    mutating func graphQL(_ operand: JSONValue, at place: PatternPlace) -> GraphQLMatcher? {
        do {
            return try GraphQLMatcher(operand)
        } catch {
            refuse(.badOperand, place, "\(error)")
            return nil
        }
    }

    mutating func jwt(_ matcher: ValueMatcher, at place: PatternPlace, depth: Int) -> ValueTest? {
        let place = place.member("matchesJwt")
        guard case .object(let object) = matcher.operand else {
            refuse(.badOperand, place, "`matchesJwt` operand must be an object of `claims` and `header`")
            return nil
        }
        return .document(
            JWTTest(
                claims: jwtFields(object["claims"], at: place.member("claims"), depth: depth),
                header: jwtFields(object["header"], at: place.member("header"), depth: depth)))
    }

    /// The tests of fields. An operand that is an object and begins with an operator is a matcher; any other is
    /// compared for equality.
    private mutating func jwtFields(_ fields: JSONValue?, at place: PatternPlace, depth: Int) -> [JWTTest.Field] {
        guard case .object(let object) = fields else { return [] }
        var tests: [JWTTest.Field] = []
        for member in object.members {
            let place = place.member(member.key)
            let isMatcher = member.value.objectValue?.members.contains {
                ValueMatcher.Operator(rawValue: $0.key) != nil
            }
            if isMatcher == true {
                if let test = nested(member.value, at: place, depth: depth) {
                    tests.append(.init(name: member.key, test: .test(test)))
                }
            } else if let equality = equality(member.value, at: place) {
                tests.append(.init(name: member.key, test: .equal(equality)))
            }
        }
        return tests
    }
}
