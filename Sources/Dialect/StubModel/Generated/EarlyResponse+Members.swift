// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// An informational response, sent before the response itself (RFC 9110, section 15.2). An addition to WireMock's
/// responses.
public struct EarlyResponse: Sendable, Hashable {
    /// The status, from 100 to 199 but not 101.
    public var status: Int = 103
    /// The header fields, such as Link.
    public var headers: [ResponseHeader] = []

    init() {}

    /// Makes one of these.
    public init(status: Int = 103, headers: [ResponseHeader] = []) {
        self.status = status
        self.headers = headers
    }
}

extension EarlyResponse {
    package static var names: [String] { DialectNames.earlyResponse }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.earlyResponse, otherNames: DialectNames.earlyResponseAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: status = Self.readStatus(value, &reader) ?? 103
        case 1: headers = reader.responseHeaders(value)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["status"] = status.json
        object["headers"] = headers.json
        return object
    }
}
