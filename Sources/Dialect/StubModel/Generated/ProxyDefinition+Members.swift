// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// The server to forward requests to, and options. WireMock has the same as fields of a response.
public struct ProxyDefinition: Sendable, Hashable {
    /// The URL to which path and query are appended.
    public var to: String = ""
    /// A prefix to remove from the path.
    public var removePrefix: String?
    /// Headers to add to the request.
    public var headers: [ResponseHeader] = []
    /// The names of headers to remove from the request.
    public var removeHeaders: [String] = []
    /// true: host names in answers are rewritten to this server's.
    public var rewriteHost: Bool?
    /// true: uses HTTP/2, as gRPC requires.
    public var http2: Bool?

    init() {}
}

extension ProxyDefinition {
    package static var names: [String] { DialectNames.proxy }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, allowsTemplate: Bool, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.proxy, otherNames: DialectNames.proxyAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, allowsTemplate: allowsTemplate, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, allowsTemplate: Bool, _ reader: inout ModelReader) {
        switch index {
        case 0: to = reader.string(value).flatMap { Self.url($0, allowsTemplate, &reader) } ?? to
        case 1: removePrefix = reader.string(value)
        case 2: headers = reader.responseHeaders(value)
        case 3: removeHeaders = Self.readNames(value, &reader)
        case 4: rewriteHost = reader.bool(value)
        case 5: http2 = reader.bool(value)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["to"] = to.json
        object["removePrefix"] = removePrefix?.json
        object["headers"] = headers.json
        object["removeHeaders"] = removeHeaders.json
        object["rewriteHost"] = rewriteHost?.json
        object["http2"] = http2?.json
        return object
    }
}
