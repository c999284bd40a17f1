import SDJSON
import SDStubModel

/// `scenario` in the route shorthand: `{ name: cart, from: Started, to: full }`, the states in which the route answers
/// and to which it leads. `name` alone leaves both open.
enum RouteScenario {
    static let keys = DialectNames.scenario

    /// Names from other formats.
    private static let otherNames = DialectNames.scenarioAliases

    static func read(_ value: JSONValue, into stub: inout StubMapping, _ reader: inout ModelReader) {
        guard case .object(let object) = value else {
            reader.report(
                detail: nil, message: "wrong type",
                expected:
                    "an object of the scenario's name and its states, such as {name: cart, from: Started, to: full}",
                found: value.shortDescription)
            return
        }
        for member in object.members {
            reader.key(member, of: keys, otherNames: otherNames) { reader in
                guard let text = reader.text(member.value) else { return }
                if RouteTemplate.hasExpression(text) {
                    reader.warn(
                        "this is no template: it is the same for all requests",
                        expected: "a text; for steps of each value, sequence: {per: path.id, responses: […]}")
                }
                switch member.key {
                case "name": stub.scenarioName = text
                case "from": stub.requiredScenarioState = text
                default: stub.newScenarioState = text
                }
            }
        }
        if object["name"] == nil {
            reader.report(
                detail: nil, message: "a scenario without a name", expected: "\"name\", which its routes share")
        } else if object["from"] == nil, object["to"] == nil {
            reader.warn("this route neither depends on the scenario's state nor changes it")
        }
    }

    /// Whether the route, or the element of its list, answers only in some states.
    static func mayStop(_ value: JSONValue) -> Bool {
        value["scenario"]?["from"] != nil
    }
}
