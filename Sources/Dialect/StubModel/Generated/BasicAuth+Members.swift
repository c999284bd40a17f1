// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// The user of basic authentication. Accepted as basicAuth, and written as basicAuthCredentials, as in WireMock.
public struct BasicAuth: Sendable, Hashable {
    /// The user name as written.
    internal var givenUsername: String?
    /// The password as written.
    internal var givenPassword: String?

    init() {}
}

extension BasicAuth {
    package static var names: [String] { DialectNames.basicAuth }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .basicCredentials, in: DialectNames.basicAuth) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: givenUsername = reader.string(value)
        case 1: givenPassword = reader.string(value)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["username"] = givenUsername?.json
        object["password"] = givenPassword?.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
