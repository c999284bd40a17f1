import SDCReactor

/// The numeric address of a server.
package struct ServerAddress: Sendable {
    let raw: cr_address

    /// Reads `127.0.0.1`, `::1` or `fe80::1%eth0`; nil for anything else.
    package init?(_ text: String) {
        var raw = cr_address()
        guard cr_address_read(text, &raw) else { return nil }
        self.raw = raw
    }

    /// Parses each text; texts that are not addresses are skipped.
    package static func read(_ texts: [String]) -> [ServerAddress] { texts.compactMap { ServerAddress($0) } }
}
