import SDBasics
import SDHTTPTransport
import SDPlatform

/// A server's host in the normal form in which it is checked, resolved and connected to.
struct TargetHost: Sendable, Equatable {
    /// The name in lower case and ASCII, without a trailing dot; or the address in the system's form.
    let text: String
    /// Nil for a name.
    let address: TargetAddress?
    /// The addresses of an address itself, and of this machine's names (RFC 6761), which need no lookup; nil for other
    /// names.
    let known: [String]?
    /// The same, ready for connecting.
    let knownAddresses: [ServerAddress]

    static func == (left: TargetHost, right: TargetHost) -> Bool { left.text == right.text }

    /// The host and port as in a URL.
    func place(_ port: Int) -> String { text.utf8.contains(0x3A) ? "[\(text)]:\(port)" : "\(text):\(port)" }

    /// Parses a host from a URL: a name in ASCII or Unicode, an IPv4 address in any form, an IPv6 address in brackets.
    /// - Returns: nil for anything else: a zone, escapes, an empty label, a number that is not an address.
    init?(_ written: ArraySlice<UInt8>) {
        if written.first == 0x5B {
            guard written.last == 0x5D else { return nil }
            let inner = String(decoding: written.dropFirst().dropLast(), as: UTF8.self)
            guard SystemCalls.addressBytes(inner)?.count == 16, let address = TargetAddress(inner) else { return nil }
            self.init(address)
            return
        }
        guard written.count <= 1_016, let name = DomainName.ascii(String(decoding: written, as: UTF8.self)),
            name.utf8.count <= 253,
            name.utf8.allSatisfy({ Self.isNameByte($0) || $0 == 0x2E })
        else { return nil }
        if let address = TargetAddress(name) {
            self.init(address)
            return
        }
        // A host that ends in a number must be an address, as in the URL Standard.
        guard !DomainName.endsInNumber(name) else { return nil }
        self.init(text: name, address: nil)
    }

    private init(_ address: TargetAddress) {
        self.init(text: address.text, address: address)
    }

    private init(text: String, address: TargetAddress?) {
        self.text = text
        self.address = address
        let isLocalhost = text == "localhost" || text.hasSuffix(".localhost")
        known = address != nil ? [text] : isLocalhost ? ["127.0.0.1", "::1"] : nil
        knownAddresses = known.map(ServerAddress.read) ?? []
    }

    /// The characters of host names; underscores are used inside companies.
    static func isNameByte(_ byte: UInt8) -> Bool {
        byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x5F
    }
}

/// Host names in ASCII and in Unicode.
enum DomainName {
    /// A name in lower case with ASCII labels, without a trailing dot; nil for an empty label, or for letters that
    /// cannot be registered, such as full-width ones.
    static func ascii(_ name: String) -> String? {
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            // The common case.
            let lower = name.lowercased()
            let plain = lower.hasSuffix(".") && lower.utf8.count > 1 ? lower.dropLast() : lower[...]
            return plain.split(separator: ".", omittingEmptySubsequences: false).contains("") ? nil : String(plain)
        }
        return mapped(name) { label in
            guard !label.allSatisfy(\.isASCII) else { return String(String.UnicodeScalarView(label)) }
            return "xn--" + String(decoding: Punycode.encoded(label), as: UTF8.self)
        }
    }

    /// A name in lower case with decoded labels, without a trailing dot; nil as for `ascii`.
    static func readable(_ name: String) -> String? {
        mapped(name) { label in
            let text = String(String.UnicodeScalarView(label))
            guard text.hasPrefix("xn--"), !text.contains("*"), let decoded = Punycode.decoded(Array(text.utf8)[4...])
            else { return text }
            return String(String.UnicodeScalarView(decoded))
        }
    }

    /// Whether the last label of a name in lower case is a number, decimal or hexadecimal.
    static func endsInNumber(_ name: String) -> Bool {
        guard let last = name.utf8.split(separator: 0x2E).last else { return false }
        guard last.starts(with: "0x".utf8) else { return last.allSatisfy { $0 &- 0x30 < 10 } }
        return last.dropFirst(2).allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    private static func mapped(_ name: String, _ label: ([Unicode.Scalar]) -> String) -> String? {
        var labels = name.unicodeScalars.split(omittingEmptySubsequences: false) { dots.contains($0) }
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        var result: [String] = []
        for one in labels {
            let lower = one.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
            let isASCII = lower.allSatisfy(\.isASCII)
            guard !lower.isEmpty, isASCII || lower.count <= 63 && lower.allSatisfy(isRegistered) else { return nil }
            result.append(label(lower))
        }
        return result.joined(separator: ".")
    }

    /// The dots of names: ASCII's, and its equivalents (RFC 3490, section 3.1).
    private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

    /// Whether a letter is used unchanged in names; two more are since IDNA 2008.
    private static func isRegistered(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII || scalar == "\u{DF}" || scalar == "\u{3C2}" || !scalar.properties.changesWhenNFKCCaseFolded
    }
}
