/// The fields that belong to one connection, and not to the message that passes on it: those of RFC 9110, 7.6.1, and all that
/// `Connection` names. Whoever sends the message on leaves them out, and says his own where he needs some.
package struct ConnectionFields: Sendable {
    private static let always: Set<String> = [
        "connection", "http2-settings", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private var named: Set<String> = []

    /// - Parameter connection: the values of `Connection`.
    package init(_ connection: [String] = []) {
        for value in connection {
            for name in value.split(separator: ",") {
                named.insert(name.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased())
            }
        }
    }

    package init(of fields: [(name: String, value: String)]) {
        self.init(fields.lazy.filter { RequestHead.isNamed($0.name, "connection") }.map(\.value))
    }

    /// - Parameter name: in lower case.
    package func contains(_ name: String) -> Bool { Self.always.contains(name) || named.contains(name) }

    /// What may stand behind a body, where a field would otherwise change how the message is read.
    package static func trailers(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        fields.filter { field in
            let name = field.name.lowercased()
            return !always.contains(name) && name != "content-length" && name != "host"
        }
    }
}
