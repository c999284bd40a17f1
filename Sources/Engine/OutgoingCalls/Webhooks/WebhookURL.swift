import SDBasics

/// Checks and splits the URLs of webhooks, as strictly as WireMock.
enum WebhookURL {
    /// - Throws: why the URL cannot be called, in WireMock's words.
    static func check(_ url: String) throws(WebhookProblem) {
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
            colon < slash
        else { throw WebhookProblem("no protocol: \(url.withoutUser)") }
        guard bytes[..<colon].allSatisfy({ $0.isAlphanumeric || "+-.".utf8.contains($0) }) else {
            let place = bytes.firstIndex { !$0.isAlphanumeric && !"+-.".utf8.contains($0) } ?? 0
            throw WebhookProblem("Illegal character in scheme name at index \(place): \(url.withoutUser)")
        }
        let start = colon + 3
        guard bytes.count > start, bytes[(colon + 1)..<start].elementsEqual("//".utf8) else {
            throw WebhookProblem("Expected authority at index \(min(start, bytes.count)): \(url.withoutUser)")
        }
        var part = "authority"
        var place = start
        // Positions count UTF-16 units, as in Java.
        var characters = String(decoding: bytes[..<start], as: UTF8.self).utf16.count
        while place < bytes.count {
            let byte = bytes[place]
            switch (byte, part) {
            case (UInt8(ascii: "/"), "authority"): part = "path"
            case (UInt8(ascii: "?"), "authority"), (UInt8(ascii: "?"), "path"): part = "query"
            case (UInt8(ascii: "#"), "path"), (UInt8(ascii: "#"), "query"): part = "fragment"
            case (UInt8(ascii: "%"), _):
                let digits = bytes[(place + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else {
                    throw WebhookProblem("Malformed escape pair at index \(characters): \(url.withoutUser)")
                }
            default:
                let isBracket = part == "authority" && "[]".utf8.contains(byte)
                guard
                    byte >= 0x80 || byte.isAlphanumeric || isBracket || "_-!.~'()*,;:$&+=@/?".utf8.contains(byte)
                        || part == "query" && "[]".utf8.contains(byte)
                else { throw WebhookProblem("Illegal character in \(part) at index \(characters): \(url.withoutUser)") }
            }
            // Counts first bytes of characters; a character beyond the BMP counts twice.
            if byte & 0xC0 != 0x80 { characters += byte >= 0xF0 ? 2 : 1 }
            place += 1
        }
        if authority(url).hasPrefix("["), !authority(url).utf8.contains(UInt8(ascii: "]")) {
            let place = start + authority(url).utf8.count
            throw WebhookProblem("Expected closing bracket for IPv6 address at index \(place): \(url.withoutUser)")
        }
        if let port = authority(url).split(separator: ":").last.map({ String($0) }),
            authority(url).utf8.contains(UInt8(ascii: ":")),
            !authority(url).hasSuffix("]"), !port.allSatisfy({ $0.isNumber })
        {
            // If the URL has user information, the text may be a part of the password.
            let isSafe = !url.utf8.contains(UInt8(ascii: "@"))
            throw WebhookProblem(isSafe ? "Error at index 0 in: \"\(port)\"" : "Error in the port: \(url.withoutUser)")
        }
    }

    /// Host and port as written.
    static func authority(_ url: String) -> String {
        guard let mark = url.firstRange(ofText: "://") else { return "" }
        return String(url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// Scheme, host and port.
    static func origin(_ url: String) -> String {
        url.prefix { $0 != ":" }.lowercased() + "://" + authority(url).lowercased()
    }

    /// Path, query and fragment.
    static func target(_ url: String) -> String {
        let rest = url.dropFirst(origin(url).count)
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// The URL to call: without its fragment, and with bytes escaped that a request line cannot contain. Any scheme but
    /// `https` is called as `http`, as by WireMock.
    static func sent(_ url: String) -> String {
        let scheme = url.prefix { $0 != ":" }.lowercased() == "https" ? "https" : "http"
        return "\(scheme)://\(authority(url))\(target(url).prefix { $0 != "#" })"
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }

    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}
