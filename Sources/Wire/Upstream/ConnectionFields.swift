/// Hop-by-hop fields: those of RFC 9110, 7.6.1, and all that `Connection` names. A proxy removes them, and adds its own
/// where needed.
package struct ConnectionFields: Sendable {
    /// The names in `Connection` beyond the usual ones, in lower case.
    private var named: [[UInt8]] = []

    package init() {}

    package init(of fields: [(name: String, value: String)]) {
        for (name, value) in fields where FieldName.is(name, "connection") { add(Array(value.utf8)[...]) }
    }

    /// Adds the names in a value of `Connection`.
    package mutating func add(_ value: ArraySlice<UInt8>) {
        for part in value.split(separator: 0x2C) {
            let name = part.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
            if name.isEmpty || FieldName.is(name, "close") || Self.isAlways(name) { continue }
            named.append(name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
        }
    }

    package func contains(_ name: ArraySlice<UInt8>) -> Bool { Self.isAlways(name) || !named.isEmpty && isNamed(name) }

    package func contains(_ name: String) -> Bool {
        Self.isAlways(name) || !named.isEmpty && isNamed(Array(name.utf8)[...])
    }

    private func isNamed(_ name: ArraySlice<UInt8>) -> Bool {
        named.contains { other in
            other.count == name.count && zip(name, other).allSatisfy { ($0 &- 0x41 < 26 ? $0 | 0x20 : $0) == $1 }
        }
    }

    private static func isAlways(_ name: ArraySlice<UInt8>) -> Bool { isAlways(name.count) { FieldName.is(name, $0) } }

    private static func isAlways(_ name: String) -> Bool { isAlways(name.utf8.count) { FieldName.is(name, $0) } }

    /// - Parameter count: the length of the name, which decides most comparisons.
    private static func isAlways(_ count: Int, _ isNamed: (StaticString) -> Bool) -> Bool {
        switch count {
        case 2: isNamed("te")
        case 7: isNamed("trailer") || isNamed("upgrade")
        case 10: isNamed("connection") || isNamed("keep-alive")
        case 14: isNamed("http2-settings")
        case 16: isNamed("proxy-connection")
        case 17: isNamed("transfer-encoding")
        case 18: isNamed("proxy-authenticate")
        case 19: isNamed("proxy-authorization")
        case 25: isNamed("proxy-authentication-info")
        default: false
        }
    }

    /// The fields allowed as trailers; others would change how the message is read.
    package static func trailers(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        fields.filter { field in
            !isAlways(field.name) && !FieldName.is(field.name, "content-length") && !FieldName.is(field.name, "host")
        }
    }
}
