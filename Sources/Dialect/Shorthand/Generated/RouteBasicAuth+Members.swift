// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON
package import SDStubModel

/// A user of basic authentication.
package struct RouteBasicAuth: Sendable {
    /// The user name.
    package var username: String?
    /// The password.
    package var password: String?

    init() {}
}

extension RouteBasicAuth {
    package static var names: [String] { DialectNames.routeBasicAuth }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{username: …, password: …}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["username", "password"], in: object, "{username: …, password: …}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.routeBasicAuth, otherNames: DialectNames.routeBasicAuthAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: username = reader.text(value)
        case 1: password = reader.text(value)
        default: break
        }
    }
}
