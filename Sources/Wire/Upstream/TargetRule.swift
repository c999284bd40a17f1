import SDPlatform

/// A rule about servers that may or may not be called.
enum TargetRule: Sendable {
    /// Ranges from the first to the last address, by their bytes.
    case addresses([(first: [UInt8], last: [UInt8])])
    case name(NamePattern)

    /// Parses a rule: an address in any form, a range (`10.0.0.1-10.0.0.9`), a network (`10.0.0.0/8`), or a name, in
    /// which `*` stands for one character or more.
    /// - Returns: nil for a text that no server can match.
    init?(_ text: String) {
        let one = Self.address(text).map { (first: $0, last: $0) }
        if let range = one ?? Self.range(text) ?? Self.network(text) {
            guard !range.last.lexicographicallyPrecedes(range.first) else { return nil }
            self = .addresses([range] + Self.translated(range))
        } else if let pattern = NamePattern(text) {
            self = .name(pattern)
        } else {
            return nil
        }
    }

    private static func address(_ text: String) -> [UInt8]? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        return TargetAddress(isBracketed ? String(text.dropFirst().dropLast()) : text)?.bytes
    }

    private static func range(_ text: String) -> (first: [UInt8], last: [UInt8])? {
        let ends = text.split(separator: Character("-"), maxSplits: 1)
        guard ends.count == 2, let first = address(String(ends[0])), let last = address(String(ends[1])),
            first.count == last.count
        else { return nil }
        return (first, last)
    }

    private static func network(_ text: String) -> (first: [UInt8], last: [UInt8])? {
        let parts = text.split(separator: Character("/"), maxSplits: 1)
        guard parts.count == 2, let written = SystemCalls.addressBytes(String(parts[0])), let bits = Int(parts[1]),
            (0...written.count * 8).contains(bits)
        else { return nil }
        let mask = written.indices.map { UInt8(truncatingIfNeeded: 0xFF00 >> min(max(bits - $0 * 8, 0), 8)) }
        return (zip(written, mask).map { $0 & $1 }, zip(written, mask).map { $0 | ~$1 })
    }

    /// The IPv4 addresses that a range of IPv6 addresses translates to, if all of it does.
    private static func translated(_ range: (first: [UInt8], last: [UInt8])) -> [(first: [UInt8], last: [UInt8])] {
        guard range.first.prefix(12) == range.last.prefix(12), let first = TargetAddress.translated(range.first),
            let last = TargetAddress.translated(range.last)
        else { return [] }
        return [(first, last)]
    }

    var isName: Bool { if case .name = self { true } else { false } }

    func includes(anyOf addresses: [[UInt8]]) -> Bool {
        guard case .addresses(let ranges) = self else { return false }
        return addresses.contains { address in
            ranges.contains { first, last in
                address.count == first.count && !address.lexicographicallyPrecedes(first)
                    && !last.lexicographicallyPrecedes(address)
            }
        }
    }

    func includes(anyOf names: [TargetName]) -> Bool {
        guard case .name(let pattern) = self else { return false }
        return names.contains { pattern.matches($0) }
    }
}
