/// Whether the text is four decimal numbers up to 255. Leading zeros are invalid, because some libraries read them as
/// octal.
public func isIPv4(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
        && parts.allSatisfy { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part).map { String($0) == part } == true
        }
}

/// Whether the text is an IPv6 address (RFC 4291, section 2.2), with or without a zone (RFC 4007, section 11).
public func isIPv6(_ text: some StringProtocol) -> Bool {
    let zoned = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = zoned.first, zoned.count == 1 || !(zoned.last ?? "").isEmpty else { return false }
    if address == "::" { return true }
    var groups = address.split(separator: ":", omittingEmptySubsequences: false)
    guard groups.count > 2 else { return false }
    // A gap at either end, as in `::1`, leaves two empty groups; one of them represents the gap.
    if groups[0].isEmpty, groups[1].isEmpty { groups.removeFirst() }
    if groups.count > 2, groups[groups.count - 1].isEmpty, groups[groups.count - 2].isEmpty { groups.removeLast() }
    var width = 0
    var gaps = 0
    for (position, group) in groups.enumerated() {
        if group.isEmpty {
            gaps += 1
        } else if position == groups.count - 1, group.contains("."), isIPv4(group) {
            width += 2
        } else if group.utf8.count <= 4, group.utf8.allSatisfy(isHexDigit) {
            width += 1
        } else {
            return false
        }
    }
    // An empty group that is not a gap can only be at an end: `:1`, `1:`.
    let endsWithColon = address.hasSuffix(":") && !address.hasSuffix("::")
    let startsWithColon = address.hasPrefix(":") && !address.hasPrefix("::")
    return !endsWithColon && !startsWithColon && (gaps == 0 ? width == 8 : gaps == 1 && width <= 7)
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
}
