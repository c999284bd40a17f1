package import SDJSON

/// The operand of `matchesGraphql`, an addition to WireMock's matchers: a GraphQL request in a JSON body,
/// `{"operationName": "GetUser", "query": "{ user { name } }", "variables": {"id": 1}}`. Each member is optional.
package enum GraphQLOperand {
    package static let keys = DialectNames.graphql
    private static let otherNames = DialectNames.graphqlAliases

    /// Reports the problems of an operand; returns whether there are none. The engine checks the query's syntax.
    @discardableResult
    package static func check(_ operand: JSONValue, _ reader: inout ModelReader) -> Bool {
        let known = reader.problems.count
        guard
            let object = reader.fields(operand, "an object with operationName, query or variables", isEmpty: false)
        else { return false }
        for member in object.members {
            reader.key(member, of: keys, otherNames: otherNames) { reader in
                let expected: String
                switch (member.key, member.value) {
                case ("query", .string), ("operationName", .string), ("operationName", .null), ("variables", .object):
                    return
                case ("query", _): expected = "a GraphQL document, a string in quotes"
                case ("operationName", _): expected = "a name, or null for none"
                default: expected = "an object of variables"
                }
                reader.report(
                    detail: nil, message: "wrong type", expected: expected, found: member.value.shortDescription)
            }
        }
        return reader.problems.count == known
    }
}
