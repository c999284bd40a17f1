import SDPlatform

/// Host names, addresses and e-mail addresses.
enum HostFormats {
    /// Whether the text is a host name (RFC 1123, section 2.1): labels of letters, digits and inner hyphens.
    static func isHostname(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= 253 else { return false }
        return text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-"),
                label.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") })
            else { return false }
            // Two hyphens after the second character announce an encoding, of which there is only one.
            guard Array(label.dropFirst(2).prefix(2)) == [0x2D, 0x2D] else { return true }
            return InternationalHostname.isPunycode(label)
        }
    }

    /// Whether the text is four numbers without leading zeros.
    static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
            }
    }

    /// Whether the text is an IPv6 address (RFC 4291, section 2.2) without a zone.
    static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= 45 else { return false }
        var groups = 0
        var isShortened = false
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        for (place, part) in parts.enumerated() {
            if part.isEmpty {
                let isEdge = place == 0 || place == parts.count - 1
                // At either end, an empty part belongs to the `::` beside it.
                if isEdge {
                    let neighbour = place == 0 ? parts[1] : parts[parts.count - 2]
                    guard neighbour.isEmpty else { return false }
                    continue
                }
                guard !isShortened else { return false }
                isShortened = true
            } else if place == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard isIPv4(part) else { return false }
                groups += 2
            } else {
                guard part.count <= 4, part.allSatisfy({ PercentEncoding.hexadecimalValue($0) != nil }) else {
                    return false
                }
                groups += 1
            }
        }
        return isShortened ? groups < 8 : groups == 8
    }

    /// Whether the text is an e-mail address (RFC 5321, section 4.1.2): a dotted or quoted name, `@`, a host name or an
    /// address in brackets. As in WireMock's validator, a host name of several labels ends in letters, and the name may
    /// contain letters of all scripts.
    static func isEmail(_ text: String, allowsUnicode: Bool) -> Bool {
        let bytes = Array(text.utf8)[...]
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = bytes[..<at]
        let host = bytes[(at + 1)...]
        return isLocalPart(local) && isMailHost(host, allowsUnicode)
    }

    private static func isLocalPart(_ local: ArraySlice<UInt8>) -> Bool {
        guard (1...64).contains(local.count) else { return false }
        if local.count >= 2, local.first == UInt8(ascii: "\""), local.last == UInt8(ascii: "\"") {
            var isEscaped = false
            for byte in local.dropFirst().dropLast() {
                guard byte >= 0x20, byte != 0x7F else { return false }
                if !isEscaped, byte == UInt8(ascii: "\"") { return false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            }
            return !isEscaped
        }
        return local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy {
                    $0.isLetter || $0.isDigit || $0 > 0x7F || atomSigns.contains($0)
                }
        }
    }

    private static let atomSigns = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    private static func isMailHost(_ host: ArraySlice<UInt8>, _ allowsUnicode: Bool) -> Bool {
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            let address = host.dropFirst().dropLast()
            if Array(address.prefix(5)).elementsEqual("IPv6:".utf8) { return isIPv6(address.dropFirst(5)) }
            return isIPv4(address)
        }
        if host.allSatisfy({ $0 < 0x80 }) {
            guard isHostname(host) else { return false }
            guard let dot = host.lastIndex(of: UInt8(ascii: ".")) else { return true }
            let top = host[(dot + 1)...]
            return top.count >= 2 && (top.allSatisfy(\.isLetter) || top.prefix(4).elementsEqual("xn--".utf8))
        }
        return allowsUnicode && InternationalHostname.isValid(String(decoding: host, as: UTF8.self))
    }
}
