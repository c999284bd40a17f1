import SDPlatform

/// The names of secrets: of headers, parameters, form fields, JSON members, and XML elements and attributes.
/// `docs/secrets.md` lists them.
///
/// Only the letters and digits of a name count: `access_token`, `accessToken`, `ACCESS-TOKEN`, `access.token`,
/// `access%5Ftoken` and `access\u005ftoken` are equal. A number at the end is ignored.
package struct SecretNames: Sendable, Hashable {
    private let names: Set<String>

    /// Exact names of secrets.
    package static let usual: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "token", "accesstoken", "refreshtoken", "idtoken",
        "authtoken", "bearertoken", "sessiontoken", "securitytoken", "csrftoken", "xsrftoken", "xcsrftoken",
        "xxsrftoken", "xauthtoken", "apitoken", "xapitoken", "secret", "secrets", "clientsecret", "password", "passwd",
        "pwd", "passphrase", "passcode", "passwords", "passwordconfirmation", "passwordconfirm", "passwordrepeat",
        "apikey", "xapikey", "apikeys", "accesstokens", "refreshtokens", "appkey", "authkey", "subscriptionkey",
        "ocpapimsubscriptionkey", "functionskey", "xfunctionskey", "privatekey", "secretkey", "accesskey",
        "accesskeyid", "secretaccesskey", "sharedkey", "accountkey", "masterkey", "encryptionkey", "signingkey",
        "sessionkey", "sessionid", "jsessionid", "phpsessid", "jwt", "credential", "credentials", "signature", "sig",
        "clientassertion", "samlresponse", "codeverifier", "otp", "totp",
    ]
    /// Suffixes of secret names.
    package static let endings = [
        "password", "passwd", "passphrase", "secret", "apikey", "accesstoken", "refreshtoken", "privatekey",
        "secretkey", "accesskey",
    ]
    /// Last words of secret names, as in `X-Vault-Token` and `githubToken`.
    package static let lastWords: Set<String> = ["token", "jwt", "credential", "credentials", "signature"]
    /// The words before `token` that make it a page cursor or an idempotency key, rather than a secret.
    package static let harmlessTokens: Set<String> = [
        "next", "previous", "prev", "page", "paging", "pagination", "continuation", "cursor", "sync", "resume", "skip",
        "start", "change", "idempotency", "request", "cancellation", "max", "min", "per", "eos", "bos", "pad", "unk",
    ]

    /// - Parameter more: further names, in any spelling.
    package init(_ more: some Sequence<String> = [String]()) {
        names = Self.usual.union(more.map { Self.words(Array($0.utf8)).joined() }.filter { !$0.isEmpty })
    }

    /// These names and further ones.
    package func adding(_ more: [String]) -> SecretNames {
        SecretNames(names: names.union(SecretNames(more).names))
    }

    private init(names: Set<String>) {
        self.names = names
    }

    package func contains(_ name: some StringProtocol) -> Bool { contains(utf8: Array(name.utf8)[...]) }

    /// Whether a name is a secret's, or contains one in a form's syntax, such as `login[password]`, `token[0]` or
    /// `login.password`.
    func contains(utf8 name: ArraySlice<UInt8>) -> Bool {
        let plain = Self.unescaped(name)
        if isSecret(plain) { return true }
        guard plain.contains(where: { ".[]/?&;#=".utf8.contains($0) }) else { return false }
        // The part before a dot also belongs to the name: `next.page.token` is `next_page_token`.
        if let dot = plain.lastIndex(where: { "./?&;#=".utf8.contains($0) }) {
            let last = plain[(dot + 1)...]
            if plain[dot] != UInt8(ascii: ".") || !Self.lastWords.contains(Self.words(last).joined()), isSecret(last) {
                return true
            }
        }
        let parts = plain.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        return parts.count > 1 || plain.contains(UInt8(ascii: "[")) ? parts.contains { isSecret($0) } : false
    }

    /// Whether a text is itself one of the names, in any spelling: a value such as `password`, which is not a secret.
    func isListed(_ text: some Collection<UInt8>) -> Bool { names.contains(Self.words(text).joined()) }

    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let words = Self.words(name)
        guard let last = words.last else { return false }
        var bare = words.joined()
        if names.contains(bare) { return true }
        while let digit = bare.utf8.last, (0x30...0x39).contains(digit) { bare.removeLast() }
        if names.contains(bare) || Self.endings.contains(where: bare.hasSuffix) { return true }
        guard Self.lastWords.contains(last) else { return false }
        return last != "token" || words.count < 2 || !Self.harmlessTokens.contains(words[words.count - 2])
    }

    /// The words of a name in lower case: `xApiKey`, `X-API-Key` and `x_api_key` are `x`, `api` and `key`.
    private static func words(_ name: some Collection<UInt8>) -> [String] {
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
        func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
        func isPart(_ byte: UInt8) -> Bool {
            isCapital(byte) || isSmall(byte) || (0x30...0x39).contains(byte) || byte >= 0x80
        }
        var before: UInt8 = 0
        for byte in name {
            if isCapital(byte), isPart(before), !isCapital(before), !word.isEmpty {
                words.append(word)
                word = []
            } else if isSmall(byte), isCapital(before), word.count > 1 {
                // The last of several capitals starts a word: `IDToken`.
                let first = word.removeLast()
                words.append(word)
                word = [first]
            }
            if isPart(byte) {
                word.append(isCapital(byte) ? byte | 0x20 : byte)
            } else if !word.isEmpty {
                words.append(word)
                word = []
            }
            before = byte
        }
        if !word.isEmpty { words.append(word) }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A name without the escapes of URLs, JSON and XML, at any depth.
    private static func unescaped(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = name
        for _ in 0..<3 {
            guard name.contains(where: { "%\\&".utf8.contains($0) }) else { break }
            let before = name
            for escape in Escape.ofNames { if let layer = TextLayer(name, escape) { name = layer.bytes[...] } }
            if name == before { break }
        }
        // An invalid byte is not part of a name.
        if name.contains(where: { $0 >= 0x80 }), String(validating: name, as: UTF8.self) == nil {
            name = Array(name.filter { $0 < 0x80 })[...]
        }
        return name
    }
}
