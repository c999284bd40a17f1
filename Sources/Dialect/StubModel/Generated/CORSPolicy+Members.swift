// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// The CORS policy of a stub, a file or a folder. An addition to WireMock's mappings.
public struct CORSPolicy: Sendable, Hashable {
    /// Whether pages may read the answers; false revokes the policy of a file, a folder or an option.
    public var isAllowed: Bool = true
    /// The allowed origins, such as https://app.example or http://localhost:*; * for any.
    public var origins: [String]?
    /// true: pages may send cookies and credentials. Browsers then treat * literally.
    public var credentials: Bool = false
    /// The response headers that pages may read; by default all.
    public var exposed: [String]?
    /// The location of the key.
    package var place: Place = Place()

    /// Makes one without any member.
    public init() {}
}

extension CORSPolicy {
    package static var names: [String] { DialectNames.corsPolicy }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.corsPolicy) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: origins = Self.readOrigins(value, &reader)
        case 1: credentials = reader.bool(value) ?? false
        case 2: exposed = Self.readNames(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["origins"] = origins?.json
        object["credentials"] = credentials.json
        object["expose"] = exposed?.json
        return object
    }
}
