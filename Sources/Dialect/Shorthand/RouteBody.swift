import SDBasics
import SDJSON
import SDStubModel

/// The shorthand's conditions on a body or a part: `body`, `json`, `jsonPath`, `jsonSchema`, `xml`, `xPath` and
/// `graphql`. Each becomes one or more body patterns.
enum RouteBody {
    static let keys = ["body", "json", "jsonPath", "jsonSchema", "xml", "xPath", "graphql"]

    /// A body pattern, and a function that makes its origin from its pointer in the request pattern.
    typealias Located = (matcher: ValueMatcher, source: (JSONPointer) -> StubOrigin.Source)

    static func read(_ member: JSONObject.Member, _ reader: inout ModelReader) -> [Located] {
        let value = member.value
        switch member.key {
        case "json":
            warnOfConditions(in: value, &reader)
            return [located(ValueMatcher(.equalToJson, operand: jsonOperand(value)), reader, keepsRest: false)]
        case "jsonPath": return readPaths(value, .matchesJsonPath, &reader)
        case "xPath": return readPaths(value, .matchesXPath, &reader)
        case "jsonSchema": return operand(value, .matchesJsonSchema, &reader)
        case "xml": return operand(value, .equalToXml, &reader)
        case "graphql":
            let request = value.stringValue.map { JSONValue.object(["query": .string($0)]) } ?? value
            guard GraphQLOperand.check(request, &reader) else { return [] }
            return [located(ValueMatcher(.matchesGraphql, operand: request), reader, keepsRest: false)]
        default: return readBody(value, &reader)
        }
    }

    private static func located(_ matcher: ValueMatcher, _ reader: ModelReader, keepsRest: Bool) -> Located {
        let place = reader.place
        return (matcher, { StubOrigin.Source(pointer: $0, place: place, keepsRest: keepsRest) })
    }

    // MARK: Bodies

    private static func readBody(_ value: JSONValue, _ reader: inout ModelReader) -> [Located] {
        guard case .array(let elements) = value else {
            return readMatcher(value, &reader).map { [located($0, reader, keepsRest: true)] } ?? []
        }
        return elements.enumerated().compactMap { index, element in
            reader.within(String(index)) { reader in
                readMatcher(element, &reader).map { located($0, reader, keepsRest: true) }
            }
        }
    }

    /// Reads a string, which must be equal; an object with an operator, which is a matcher; or any other object, which
    /// is the expected JSON.
    private static func readMatcher(_ value: JSONValue, _ reader: inout ModelReader) -> ValueMatcher? {
        guard case .object(let object) = value else { return RouteMatcher.read(value, .body, &reader) }
        if ValueMatcher.deciding(object, .body) != nil { return ValueMatcher.read(value, .body, &reader) }
        let names = ValueMatcher.Operator.allCases.filter(ValueMatcher.Position.body.allows).map(\.rawValue)
        // A single string under another tool's name for an operator is a matcher, too.
        let isOther = object.count == 1 && object.members[0].value.stringValue != nil
        func meant(_ key: String) -> String? {
            isOther ? meantName(by: key, among: names) : nearestName(to: key, among: names)
        }
        guard let key = object.keys.first(where: { meant($0) != nil }) else {
            warnOfCondition(object, &reader)
            return ValueMatcher(.equalToJson, operand: value)
        }
        reader.reportName(
            key, message: "unknown matcher \(quoted(key))",
            expected: "a matcher; a JSON body with such a key goes under \"json\"",
            suggestion: meant(key))
        return nil
    }

    /// Conditions of routes and of other tools, with their equivalents in a body comparison.
    private static let conditions: [String: String] = [
        "json": "json", "jsonEquals": "json", "equalsJson": "json", "matchesJson": "json", "deepEquals": "json",
        "jsonPath": "jsonPath", "jsonpath": "jsonPath", "jsonSchema": "jsonSchema", "schema": "jsonSchema",
        "xml": "xml", "xPath": "xPath", "xpath": "xPath", "graphql": "graphql",
    ]
    /// Options that may accompany one.
    private static let options = Set(
        ValueMatcher.Operator.allCases.flatMap(\.options) + DialectNames.graphql + ["namespaces"])

    /// Warns about expected JSON that looks like a condition: `body: {json: {…}}`.
    private static func warnOfCondition(_ object: JSONObject, _ reader: inout ModelReader) {
        guard let key = object.keys.first(where: { conditions[$0] != nil }), let word = conditions[key],
            object.keys.allSatisfy({ $0 == key || options.contains($0) })
        else { return }
        reader.warn(
            "this requires a JSON body with a member \(quoted(key))",
            expected: "the condition in place of \"body\", as \(quoted(word)); such a body under \"json\"",
            suggestion: word, name: key)
    }

    /// Warns about a condition inside expected JSON, where it is an ordinary member: `json: {matchesJsonPath: …}`.
    private static func warnOfConditions(in value: JSONValue, _ reader: inout ModelReader) {
        guard case .object(let object) = value, let key = object.keys.first,
            let `operator` = ValueMatcher.deciding(object, .body), object.keys.count < 3
        else { return }
        let isUnmistakable = `operator`.rawValue.count > 8 || object.count == 1 && object[key]?.stringValue != nil
        guard isUnmistakable else { return }
        reader.warn(
            "this requires a JSON body with a member \(quoted(`operator`.rawValue))",
            expected: "the condition under \"body\" in place of \"json\"", suggestion: "body",
            name: `operator`.rawValue)
    }

    /// The operand of `equalToJson`: WireMock parses a string operand as JSON.
    private static func jsonOperand(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string, .null: .string(value.compactText)
        default: value
        }
    }

    // MARK: Documents

    private static func operand(
        _ value: JSONValue, _ operator: ValueMatcher.Operator, _ reader: inout ModelReader
    ) -> [Located] {
        let known = reader.problems.count
        ValueMatcher.checkOperand(value, `operator`, &reader)
        guard reader.problems.count == known else { return [] }
        return [located(ValueMatcher(`operator`, operand: value), reader, keepsRest: false)]
    }

    /// Reads a path that must have a result, a list of such paths, or an object with paths and expected results.
    private static func readPaths(
        _ value: JSONValue, _ operator: ValueMatcher.Operator, _ reader: inout ModelReader
    ) -> [Located] {
        switch value {
        case .string(let path) where !path.isEmpty:
            return [located(ValueMatcher(`operator`, path), reader, keepsRest: false)]
        case .array(let elements):
            return elements.enumerated().flatMap { index, element in
                reader.within(String(index)) { readPaths(element, `operator`, &$0) }
            }
        case .object(let object):
            return object.members.compactMap { member in
                reader.within(member.key) { reader in
                    readFound(member.value, `operator`, &reader).map { found in
                        var operand: JSONObject = ["expression": .string(member.key)]
                        for option in found.json.members { operand[option.key] = option.value }
                        return located(ValueMatcher(`operator`, operand: .object(operand)), reader, keepsRest: false)
                    }
                }
            }
        default:
            reader.report(
                detail: nil, message: "no path",
                expected: "a path, a list of paths, or an object of paths and what they find",
                found: value.shortDescription)
            return []
        }
    }

    /// Reads the expected result of a path: a string, number or boolean that must be equal, a matcher, or (JSONPath)
    /// JSON.
    private static func readFound(
        _ value: JSONValue, _ operator: ValueMatcher.Operator, _ reader: inout ModelReader
    ) -> ValueMatcher? {
        guard `operator` == .matchesJsonPath else { return RouteMatcher.read(value, .withinBody, &reader) }
        switch value {
        case .array: return ValueMatcher(.equalToJson, operand: value)
        case .object: return readMatcher(value, &reader)
        // A JSON boolean has one spelling.
        case .bool(let flag): return ValueMatcher(.equalTo, flag ? "true" : "false")
        case .null, .number, .string: return RouteMatcher.read(value, .withinBody, &reader)
        }
    }
}
