import SDPlatform

/// A server's numeric address, with the other addresses that lead to the same host.
struct TargetAddress: Sendable, Equatable {
    /// 4 or 16 bytes.
    let bytes: [UInt8]

    /// Parses an address in any form that the system accepts: IPv6 without brackets, IPv4 also in one to four numbers
    /// that are decimal, octal or hexadecimal. An IPv4 address that is written as an IPv6 one (`::ffff:10.0.0.1`) is
    /// that IPv4 address. A zone is dropped.
    init?(_ text: String) {
        let text = text.prefix { $0 != "%" }
        guard let bytes = SystemCalls.addressBytes(String(text)) ?? Self.loose(text) else { return nil }
        self.bytes = bytes.starts(with: Self.mapped) && bytes.count == 16 ? Array(bytes[12...]) : bytes
    }

    private static func loose(_ text: Substring) -> [UInt8]? {
        // The system ignores text after a space.
        text.utf8.allSatisfy { $0 > 0x20 } ? SystemCalls.looseAddressBytes(String(text)) : nil
    }

    /// As the system writes it.
    var text: String { SystemCalls.addressText(bytes) }

    /// The addresses where a connection to this one arrives: itself, an embedded IPv4 address, and this machine for the
    /// unspecified address.
    var places: [[UInt8]] {
        guard bytes.count == 16 else { return bytes == [0, 0, 0, 0] ? [bytes, [127, 0, 0, 1]] : [bytes] }
        if bytes == Self.noHost { return [bytes, Self.thisHost] }
        return [bytes] + (Self.translated(bytes).map { [$0] } ?? [])
    }

    /// Further IPv4 addresses where this one may arrive: this machine's for its own address, otherwise those of routers
    /// for 6to4, Teredo, ISATAP, and NAT64 with a network's own prefix.
    var routers: [[UInt8]] {
        guard bytes.count == 16 else { return [] }
        if bytes == Self.noHost || bytes == Self.thisHost { return [[127, 0, 0, 1]] }
        if bytes.starts(with: [0x20, 0x02]) { return [Array(bytes[2..<6])] }
        if bytes.starts(with: [0x20, 0x01, 0, 0]) { return [Array(bytes[4..<8]), bytes[12...].map { ~$0 }] }
        let isLocalNAT64 = bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1])
        let isISATAP = bytes[8] & 0xFD == 0 && bytes[9...11] == [0, 0x5E, 0xFE]
        return isLocalNAT64 || isISATAP ? [Array(bytes[12...])] : []
    }

    /// The names that rules may use for addresses: their texts, and `localhost` for those of this machine.
    static func names(of addresses: [[UInt8]]) -> [String] {
        let isLocal = addresses.contains { $0 == [127, 0, 0, 1] || $0 == thisHost }
        return addresses.map { SystemCalls.addressText($0) } + (isLocal ? ["localhost"] : [])
    }

    /// The IPv4 address in the last four bytes of an IPv6 address with a translation prefix: IPv4-mapped, NAT64 (RFC
    /// 6052), IPv4-translated (RFC 2765), IPv4-compatible.
    static func translated(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == 16, bytes != noHost, bytes != thisHost,
            prefixes.contains(where: { bytes.starts(with: $0) })
        else { return nil }
        return Array(bytes[12...])
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    private static let prefixes: [[UInt8]] = [
        mapped, [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    private static let noHost = [UInt8](repeating: 0, count: 16)
    private static let thisHost = [UInt8](repeating: 0, count: 15) + [1]
}
