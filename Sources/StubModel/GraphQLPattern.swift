public import JSON

/// The operand of `matchesGraphql`: a GraphQL request in a JSON body. An addition to WireMock's matchers.
public struct GraphQLPattern: Sendable, Hashable {
    public var operationName: ValueMatcher?
    /// A GraphQL document. The request's is compared by structure: blanks, commas, comments and the order of fields do not
    /// matter.
    public var query: String?
    /// Sees the JSON text of the request's `variables`; absent if there are none.
    public var variables: ValueMatcher?

    /// Reads `{"operationName": "GetUser", "query": "{ user { name } }", "variables": {"id": 1}}`; nil for anything
    /// else, which is a problem of the matcher that was reported when it was read.
    public init?(_ operand: JSONValue) {
        var reader = ModelReader()
        guard let pattern = Self.read(operand, &reader), reader.problems.isEmpty else { return nil }
        self = pattern
    }

    private init() {}

    static func read(_ operand: JSONValue, _ reader: inout ModelReader) -> GraphQLPattern? {
        guard case .object(let object) = operand else {
            reader.report(
                detail: nil, message: "wrong type", expected: "an object with operationName, query or variables",
                found: operand.shortDescription)
            return nil
        }
        var pattern = GraphQLPattern()
        let otherNames = ["operation": "operationName", "name": "operationName", "mutation": "query"]
        for member in object.members {
            reader.key(member, of: ["operationName", "query", "variables"], otherNames: otherNames) { reader in
                switch member.key {
                case "operationName":
                    pattern.operationName =
                        member.value.stringValue.map { ValueMatcher(.equalTo, $0) }
                        ?? ValueMatcher.read(member.value, .single, &reader)
                case "variables": pattern.variables = readVariables(member.value, &reader)
                default:
                    pattern.query = member.value.stringValue
                    if pattern.query != nil { return }
                    reader.report(
                        detail: nil, message: "not a query", expected: "a GraphQL document, a string in quotes",
                        found: member.value.shortDescription)
                }
            }
        }
        return pattern
    }

    /// The operators that make an object a matcher. Others, such as `after`, are common names of variables.
    private static let operators: Set<ValueMatcher.Operator> = [
        .equalToJson, .matchesJsonPath, .matchesJsonSchema, .absent, .anything,
    ]

    private static func readVariables(_ value: JSONValue, _ reader: inout ModelReader) -> ValueMatcher? {
        guard case .object(let object) = value else {
            reader.report(
                detail: nil, message: "wrong type", expected: "an object of variables, or a matcher of JSON",
                found: value.shortDescription)
            return nil
        }
        if let `operator` = ValueMatcher.deciding(object, .single), operators.contains(`operator`) {
            return ValueMatcher.read(value, .single, &reader)
        }
        return ValueMatcher(.equalToJson, operand: value)
    }
}
