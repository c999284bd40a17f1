import SDBasics

/// The user information in the URL of another server: `user:password@` before the host.
package enum URLUser {
    /// The `Authorization` value (scheme `Basic`, RFC 7617) for the URL's user, as curl sends it; nil without a user.
    /// Escapes are decoded.
    /// - Parameter url: an absolute URL.
    package static func authorization(of url: String) -> String? {
        guard url.utf8.contains(0x40), let mark = url.firstRange(ofText: "://") else { return nil }
        let authority = Array(url[mark.upperBound...].utf8.prefix { ![0x2F, 0x3F, 0x23].contains($0) })
        guard let at = authority.lastIndex(of: 0x40) else { return nil }
        let user = authority[..<at]
        guard user.contains(where: { $0 != 0x3A }) else { return nil }
        let name = user.prefix { $0 != 0x3A }
        let pair = decoded(name) + [0x3A] + decoded(user[name.endIndex...].dropFirst())
        return "Basic " + Base64.encode(pair)
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            let isEscape = byte == 0x25 && digits.utf8.count == 2 && digits.allSatisfy(\.isHexDigit)
            if isEscape, let code = UInt8(digits, radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
