// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON
package import SDStubModel

/// A named state machine shared by routes.
package struct RouteScenario: Sendable {
    /// The scenario's name.
    package var name: String?
    /// The state in which the route answers; by default any. The initial state is `Started`.
    package var from: String?
    /// The state that the route sets; by default unchanged.
    package var to: String?

    init() {}
}

extension RouteScenario {
    package static var names: [String] { DialectNames.scenario }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "an object of the scenario's name and its states, such as {name: cart, from: Started, to: full}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["name"], in: object, "an object of the scenario's name and its states, such as {name: cart, from: Started, to: full}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.scenario, otherNames: DialectNames.scenarioAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: name = Self.readText(value, &reader)
        case 1: from = Self.readText(value, &reader)
        case 2: to = Self.readText(value, &reader)
        default: break
        }
    }
}
