/// Servers named by an option: hosts with or without a port, or `*` for all.
package struct ServerNames: Sendable, ExpressibleByArrayLiteral {
    private var places: Set<String> = []
    private var isAll = false

    package init() {}

    /// - Parameter names: `host`, `host:port` or `*`; other texts match no server.
    package init(_ names: [String]) {
        for name in names {
            if name == "*" { isAll = true } else if let place = Self.place(name) { places.insert(place) }
        }
    }

    package init(arrayLiteral names: String...) {
        self.init(names)
    }

    /// Whether no server is named.
    package var isEmpty: Bool { places.isEmpty && !isAll }

    /// Whether a text names one server.
    package static func isName(_ text: String) -> Bool { place(text) != nil }

    /// The name in a server's URL; nil for an invalid one.
    package static func name(in url: String) -> String? {
        guard let target = try? UpstreamTarget(url) else { return nil }
        return target.authority
    }

    func contains(_ target: UpstreamTarget) -> Bool {
        isAll || !places.isEmpty && (places.contains(target.host.text) || places.contains(target.place))
    }

    private static func place(_ name: String) -> String? {
        let isBare = name.utf8.count { $0 == 0x3A } > 1 && !name.hasPrefix("[")
        guard let (host, port) = UpstreamTarget.hostAndPort(Array((isBare ? "[\(name)]" : name).utf8)[...]) else {
            return nil
        }
        return port.map(host.place) ?? host.text
    }
}
