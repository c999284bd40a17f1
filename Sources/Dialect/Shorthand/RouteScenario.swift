import SDJSON
import SDStubModel

/// `scenario` in the route shorthand: `{ name: cart, from: Started, to: full }`, the state in which the route answers
/// and the state that it sets. `from` and `to` are optional.
extension RouteScenario {
    static func readText(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let text = reader.text(value) else { return nil }
        if RouteTemplate.hasExpression(text) {
            reader.warn(
                "this is no template: it is the same for all requests",
                expected: "a text; for steps of each value, sequence: {per: path.id, responses: […]}")
        }
        return text
    }

    func apply(to stub: inout StubMapping, _ reader: inout ModelReader) {
        stub.scenarioName = name
        stub.requiredScenarioState = from
        stub.newScenarioState = to
        if from == nil, to == nil {
            reader.warn("this route neither depends on the scenario's state nor changes it")
        }
    }

    /// Whether the route, or the list element, answers only in some states.
    static func mayStop(_ value: JSONValue) -> Bool {
        value["scenario"]?["from"] != nil
    }
}
