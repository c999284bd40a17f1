import SDJSON
import SDStubModel
import SDTemplating
import Synchronization

/// The helpers that sign: JSON Web Tokens as in WireMock Cloud, and HMACs.
extension TemplateSystem {
    /// The secret of tokens signed with HS256 if neither the template nor the settings state one.
    static let usualSecret = "stunt-double-signs-with-this-secret"

    /// `{{jwt sub='ann' maxAge='12 days' admin=true}}`: a signed token. Unknown options are claims.
    /// - Throws: `RenderError` if the token cannot be signed, or an option is invalid.
    func token(_ call: ServerCall) throws(RenderError) -> TemplateValue {
        let algorithm = call.text("alg") ?? "HS256"
        guard algorithm == "HS256" || algorithm == "RS256" else {
            return call.error("jwt: alg is \(algorithm), and may be HS256 or RS256")
        }
        do throws(CryptoProblem) {
            let key = algorithm == "RS256" ? try rsaKey(call) : nil
            var header: JSONObject = ["alg": .string(algorithm), "typ": "JWT"]
            if let id = call.text("kid") {
                header["kid"] = .string(id)
            } else if let key {
                header["kid"] = .string(try keyID(key))
            }
            if let thumbprint = call.text("x5t") { header["x5t"] = .string(thumbprint) }
            let claims = try Self.claims(call, now: Int(wallTime / 1_000_000_000))
            let content =
                Self.encoded(JSONValue.object(header).compactBytes) + "."
                + Self.encoded(claims.compactBytes)
            let signature: [UInt8]
            if let key {
                signature = try key.sign(.sha256, Array(content.utf8))
            } else {
                let secret = call.text("secret") ?? setting("hs256Secret") ?? Self.usualSecret
                signature = try Crypto.hmac(.sha256, key: Array(secret.utf8), Array(content.utf8))
            }
            return .text(content + "." + Self.encoded(signature))
        } catch {
            throw RenderError("jwt: \(error.message)")
        }
    }

    /// `{{jwks}}`: the public key of tokens signed with RS256, as a JSON Web Key Set.
    /// - Throws: `RenderError` if there is no such key.
    func keySet(_ call: ServerCall) throws(RenderError) -> TemplateValue {
        do throws(CryptoProblem) {
            let key = try rsaKey(call)
            let (modulus, exponent) = key.numbers
            let document: JSONValue = [
                "keys": [
                    [
                        "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(try keyID(key)),
                        "n": .string(Self.encoded(modulus)), "e": .string(Self.encoded(exponent)),
                    ]
                ]
            ]
            return .text(document.prettyText)
        } catch {
            throw RenderError("jwks: \(error.message)")
        }
    }

    /// `{{hmac request.body key='secret' algorithm='SHA256' encoding='hex'}}`.
    /// - Throws: `RenderError` if the code cannot be computed, or the budget is spent.
    func authenticationCode(_ call: ServerCall) throws(RenderError) -> TemplateValue {
        guard !call.parameters.isEmpty, let key = call.text("key") else {
            return call.error("hmac needs a text and a key: hmac request.body key='secret'")
        }
        let name = call.text("algorithm") ?? "SHA256"
        guard let digest = Crypto.Digest(named: name) else {
            return call.error("hmac: algorithm is \(name), and may be SHA1, SHA256, SHA384 or SHA512")
        }
        let text = Array(call.parameter(0).text.utf8)
        try call.spend(64 + text.count / 16)
        let code: [UInt8]
        do throws(CryptoProblem) {
            code = try Crypto.hmac(digest, key: Array(key.utf8), text)
        } catch {
            throw RenderError("hmac: \(error.message)")
        }
        switch call.text("encoding") ?? "hex" {
        case "hex": return .text(Self.hexadecimal(code))
        case "base64": return .text(Base64.encode(code))
        case "base64url": return .text(Self.encoded(code))
        case let other: return call.error("hmac: encoding is \(other), and may be hex, base64 or base64url")
        }
    }

    // MARK: - Claims

    private static let options = ["alg", "secret", "key", "kid", "x5t", "maxAge"]

    /// The claims of a token, with defaults for `iat` and `exp`. Dates are seconds since 1970.
    /// - Throws: `CryptoProblem` if `maxAge` is not a duration.
    private static func claims(_ call: ServerCall, now: Int) throws(CryptoProblem) -> JSONValue {
        var claims = JSONObject()
        for name in call.optionNames where !options.contains(name) {
            if let value = call.option(name) { claims[name] = call.claim(value) }
        }
        if claims["iat"] == nil { claims["iat"] = .number(JSONNumber(now)) }
        if claims["exp"] == nil {
            var age = 100 * 365 * 86_400
            if let text = call.text("maxAge") {
                guard let seconds = seconds(text) else {
                    throw CryptoProblem(message: "maxAge is no duration such as '12 days': \(text)")
                }
                age = seconds
            }
            claims["exp"] = .number(JSONNumber(now + age))
        }
        return .object(claims)
    }

    /// A duration such as `12 days`, in seconds; nil for an invalid one.
    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        let units = [
            "second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 7 * 86_400, "month": 30 * 86_400,
            "year": 365 * 86_400,
        ]
        guard parts.count == 2, let number = Int(parts[0]), abs(number) < 1_000_000 else { return nil }
        let unit = parts[1].lowercased()
        return units[unit.hasSuffix("s") ? String(unit.dropLast()) : unit].map { $0 * number }
    }

    // MARK: - Keys

    /// The key of the template, or of the settings, or the daemon's own, which is made on first use.
    /// - Throws: `CryptoProblem` if the key cannot be parsed or made.
    private func rsaKey(_ call: ServerCall) throws(CryptoProblem) -> RSAKey {
        // Using the key takes about a millisecond, uninterruptibly.
        guard call.tryReserve(nanoseconds: 500_000) else { throw CryptoProblem(message: "there is no time for RSA") }
        if let text = call.text("key") ?? setting("rs256PrivateKey") { return try RSAKey(pem: text) }
        if let known = session.signingKey.key.withLock({ $0 }) { return known }
        // Not on a loop, whose time does not suffice.
        guard call.tryReserve(nanoseconds: 100_000_000) else {
            throw CryptoProblem(message: "there is no time to make a key")
        }
        // It takes from 50 ms to half a second, at random.
        let made = try call.uncounted { () throws(CryptoProblem) in try RSAKey(bits: 2_048) }
        return session.signingKey.key.withLock { key in
            let known = key ?? made
            key = known
            return known
        }
    }

    /// The id of a key: from the settings, or derived from the key.
    /// - Throws: `CryptoProblem` if the key cannot be hashed.
    private func keyID(_ key: RSAKey) throws(CryptoProblem) -> String {
        if let id = setting("rs256PublicKeyId") { return id }
        return Self.hexadecimal(
            Array(try Crypto.hmac(.sha256, key: Array("kid".utf8), key.numbers.modulus).prefix(8)))
    }

    /// A value under `jwt` in the extended settings, where WireMock Cloud has them.
    private func setting(_ name: String) -> String? {
        session.tokenSetting(name)
    }

    // MARK: - Texts

    private static func encoded(_ bytes: [UInt8]) -> String {
        let text = Base64.encode(bytes).utf8.filter { $0 != UInt8(ascii: "=") }
        return String(
            decoding: text.map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            }, as: UTF8.self)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
