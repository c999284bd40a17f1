import SDStubModel

/// Known values of secrets, for finding them elsewhere.
package struct KnownSecrets: Sendable {
    /// The shortest value that is searched for; a shorter one may be a common word.
    package static let shortest = 8
    /// The largest number of values.
    package static let most = 100_000
    /// The shortest cookie value that is learnt whatever the cookie's name.
    private static let shortestOfCookies = 12
    /// Words that precede a value and name its purpose.
    static let schemes: Set<String> = [
        "bearer", "basic", "token", "digest", "negotiate", "apikey", "hmac", "aws4-hmac-sha256", "jwt", "oauth", "dpop",
    ]

    private let names: SecretNames
    private var found: Set<[UInt8]> = []
    /// The values, in the order of learning.
    private(set) var values: [[UInt8]] = []

    package init(_ names: SecretNames) {
        self.names = names
    }

    package var isEmpty: Bool { values.isEmpty }

    /// Learns a value as written, and also unescaped and without a preceding scheme.
    /// - Parameter isLoose: whether the value was only guessed to be a secret; then it must look like one.
    package mutating func learn(_ value: some Sequence<UInt8>, isLoose: Bool = false) {
        let value = Array(value)
        learn(plain: value, isLoose)
        for escape in Escape.allCases {
            var inner = value
            for _ in 0..<2 {
                guard let layer = TextLayer(inner[...], escape) else { break }
                inner = layer.bytes
                learn(plain: inner, isLoose)
            }
        }
    }

    /// Learns the secrets of a document.
    package mutating func learn(_ places: [SecretLocation], in document: [UInt8]) {
        for place in places where place.kind != .boolean {
            let value = document[place.range]
            if let encoding = place.encoding, let layer = TextLayer(value, encoding) {
                learn(layer.bytes, isLoose: place.isLoose)
            } else {
                learn(value, isLoose: place.isLoose)
            }
        }
    }

    /// Learns the secrets of a header.
    package mutating func learn(header name: String, _ value: String) {
        switch name.lowercased() {
        case "cookie": for pair in value.split(separator: ";") { learn(cookie: pair) }
        case "set-cookie":
            for line in value.split(separator: "\n" as Character) { learn(cookie: line.prefix { $0 != ";" }) }
        default: learn(value.utf8)
        }
    }

    /// Learns the value of a cookie: if its name is that of a secret or a session, or if the value is long enough.
    private mutating func learn(cookie pair: Substring) {
        guard let sign = pair.firstIndex(of: "=") else { return }
        let value = pair[pair.index(after: sign)...]
        let name = pair[..<sign].drop { $0 == " " }
        let isNamed =
            names.contains(name) || ["sid", "sess", "session", "auth"].contains { name.lowercased().hasSuffix($0) }
        guard isNamed || value.utf8.count >= Self.shortestOfCookies else { return }
        learn(value.utf8, isLoose: !isNamed)
    }

    private mutating func learn(plain value: [UInt8], _ isLoose: Bool) {
        learn(behindScheme: value)
        guard value.count >= Self.shortest, values.count < Self.most, !Self.isPlaceholder(value),
            !names.isListed(value), !CommonValues.mayStandAnywhere(value, isLoose: isLoose)
        else { return }
        if found.insert(value).inserted { values.append(value) }
    }

    /// Learns the value after a scheme, as in `Bearer value`.
    private mutating func learn(behindScheme value: [UInt8]) {
        guard let blank = value.prefix(24).firstIndex(of: 0x20), blank > 2 else { return }
        let rest = Array(value[(blank + 1)...].drop { $0 == 0x20 })
        let scheme = String(decoding: value[..<blank], as: UTF8.self).lowercased()
        guard !rest.contains(0x20), scheme.utf8.allSatisfy(CommonValues.isLetter) || Self.schemes.contains(scheme)
        else {
            return
        }
        let isLoose = !Self.schemes.contains(scheme)
        learn(plain: rest, isLoose)
        guard scheme == "basic", let decoded = try? Base64.decode(String(decoding: rest, as: UTF8.self)) else { return }
        learn(plain: decoded, false)
        if let colon = decoded.firstIndex(of: UInt8(ascii: ":")) { learn(plain: Array(decoded[(colon + 1)...]), false) }
    }

    /// Whether a value is a mark of an earlier redaction.
    private static func isPlaceholder(_ value: [UInt8]) -> Bool {
        value.starts(with: "REDACTED".utf8) || value.starts(with: "(redacted)".utf8) || value.starts(with: "${".utf8)
    }
}
