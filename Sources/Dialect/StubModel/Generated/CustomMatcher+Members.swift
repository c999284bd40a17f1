// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// A matcher provided by an extension of the server. A stub with an unknown name never matches.
public struct CustomMatcher: Sendable, Hashable {
    /// The name of the matcher; without one nothing matches.
    public var name: String?
    /// The parameters of the matcher.
    public var parameters: JSONObject?

    init() {}

    /// Makes one of these.
    public init(name: String?, parameters: JSONObject? = nil) {
        self.name = name
        self.parameters = parameters
    }
}

extension CustomMatcher {
    package static var names: [String] { DialectNames.customMatcher }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .customMatcher, in: DialectNames.customMatcher) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: name = reader.string(value)
        case 1: parameters = Self.readParameters(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["name"] = name?.json
        object["parameters"] = parameters?.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
