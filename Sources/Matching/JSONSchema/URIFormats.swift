import SDPlatform

/// URIs, IRIs and URI templates by their grammars.
enum URIFormats {
    /// Whether the text is a URI reference (RFC 3986, section 4.1), or with `allowsUnicode` an IRI reference (RFC
    /// 3987).
    static func isReference(_ text: String, allowsUnicode: Bool, needsScheme: Bool) -> Bool {
        var rest = Array(text.utf8)[...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            guard isMade(rest[(mark + 1)...], of: pathSigns.union("?".utf8), allowsUnicode) else { return false }
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            guard isMade(rest[(mark + 1)...], of: pathSigns.union("?".utf8), allowsUnicode) else { return false }
            rest = rest[..<mark]
        }
        let beforeSlash = rest.prefix { $0 != UInt8(ascii: "/") }
        if let colon = beforeSlash.firstIndex(of: UInt8(ascii: ":")) {
            guard isScheme(rest[..<colon]) else { return false }
            rest = rest[(colon + 1)...]
        } else if needsScheme {
            return false
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") }
            guard isAuthority(authority, allowsUnicode) else { return false }
            rest = rest[authority.endIndex...]
        }
        return isMade(rest, of: pathSigns, allowsUnicode)
    }

    private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    private static func isAuthority(_ text: ArraySlice<UInt8>, _ allowsUnicode: Bool) -> Bool {
        var rest = text
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            guard isMade(rest[..<at], of: hostSigns.union(":".utf8), allowsUnicode) else { return false }
            rest = rest[(at + 1)...]
        }
        var port = rest[rest.endIndex...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = rest[(rest.startIndex + 1)..<end]
            guard HostFormats.isIPv6(address) || isFutureAddress(address) else { return false }
            port = rest[(end + 1)...]
        } else {
            if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
                port = rest[colon...]
                rest = rest[..<colon]
            }
            guard isMade(rest, of: hostSigns, allowsUnicode) else { return false }
        }
        return port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit)
    }

    /// Whether the text is an address such as `v1.fe` (RFC 3986, `IPvFuture`).
    private static func isFutureAddress(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first | 0x20 == UInt8(ascii: "v"),
            let dot = text.firstIndex(of: UInt8(ascii: "."))
        else { return false }
        let version = text[(text.startIndex + 1)..<dot]
        let name = text[(dot + 1)...]
        return !version.isEmpty && version.allSatisfy { PercentEncoding.hexadecimalValue($0) != nil } && !name.isEmpty
            && !name.contains(UInt8(ascii: "%")) && isMade(name, of: hostSigns.union(":".utf8), false)
    }

    private static let hostSigns = Set("-._~!$&'()*+,;=".utf8)
    private static let pathSigns = hostSigns.union(":@/".utf8)

    private static func isMade(_ text: ArraySlice<UInt8>, of signs: Set<UInt8>, _ allowsUnicode: Bool) -> Bool {
        text.indices.allSatisfy { place in
            let byte = text[place]
            if byte.isLetter || byte.isDigit || signs.contains(byte) { return true }
            if byte == UInt8(ascii: "%") { return isEscape(text, at: place) }
            return allowsUnicode && byte > 0x7F
        }
    }

    private static func isEscape(_ text: ArraySlice<UInt8>, at place: Int) -> Bool {
        place + 2 < text.endIndex && PercentEncoding.hexadecimalValue(text[place + 1]) != nil
            && PercentEncoding.hexadecimalValue(text[place + 2]) != nil
    }

    // MARK: - Templates

    /// Whether the text is a URI template (RFC 6570, section 2).
    static func isTemplate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)[...]
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == UInt8(ascii: "{") {
                guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")),
                    isExpression(bytes[(place + 1)..<end])
                else { return false }
                place = end + 1
                continue
            }
            guard byte > 0x20, byte != 0x7F, !"\"'<>\\^`|}".utf8.contains(byte) || byte == UInt8(ascii: "'") else {
                return false
            }
            if byte == UInt8(ascii: "%"), !isEscape(bytes, at: place) { return false }
            place += 1
        }
        return true
    }

    private static func isExpression(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        if let first = rest.first, "+#./;?&=,!@|".utf8.contains(first) { rest.removeFirst() }
        return rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy(isVariable)
    }

    /// Whether the text is a variable name, optionally followed by `*` or a length.
    private static func isVariable(_ text: ArraySlice<UInt8>) -> Bool {
        var name = text
        if name.last == UInt8(ascii: "*") {
            name.removeLast()
        } else if let colon = name.firstIndex(of: UInt8(ascii: ":")) {
            let length = name[(colon + 1)...]
            guard (1...4).contains(length.count), length.allSatisfy(\.isDigit), length.first != UInt8(ascii: "0") else {
                return false
            }
            name = name[..<colon]
        }
        return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.indices.allSatisfy { place in
                    let byte = part[place]
                    return byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_")
                        || byte == UInt8(ascii: "%") && isEscape(part, at: place)
                }
        }
    }
}
