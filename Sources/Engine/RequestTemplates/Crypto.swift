private import SDCCrypto

/// Signatures by OpenSSL, which is loaded when the first one is made. The only code that accesses its memory.
public enum Crypto {
    /// A digest by its name in OpenSSL.
    public enum Digest: String, Sendable, CaseIterable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha384 = "SHA384"
        case sha512 = "SHA512"

        /// The digest of a name in any letter case, with or without a hyphen: `SHA-256`, `sha256`.
        public init?(named name: String) {
            self.init(rawValue: name.uppercased().filter { $0 != "-" })
        }
    }

    /// The HMAC of a text.
    /// - Throws: if OpenSSL is not available.
    public static func hmac(_ digest: Digest, key: [UInt8], _ text: [UInt8]) throws(CryptoProblem) -> [UInt8] {
        try check()
        var code = [UInt8](repeating: 0, count: Int(CC_DIGEST_ROOM))
        let count = cc_hmac(digest.rawValue, key, key.count, text, text.count, &code)
        guard count > 0 else { throw CryptoProblem(message: "OpenSSL does not know the digest \(digest.rawValue)") }
        return Array(code.prefix(count))
    }

    /// - Throws: if OpenSSL cannot be used.
    fileprivate static func check() throws(CryptoProblem) {
        if let reason = cc_unavailable() { throw CryptoProblem(message: String(cString: reason)) }
    }
}

/// The reason why signing failed.
public struct CryptoProblem: Error, Sendable, Equatable {
    public let message: String

    public init(message: String) {
        self.message = message
    }
}

/// A private RSA key, which any number of threads may use to sign.
///
/// `@unchecked Sendable`: the key is only read after `init`, and OpenSSL's keys may be read by several threads.
public final class RSAKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Parses a key in PEM.
    /// - Throws: if it is invalid, and if OpenSSL cannot be used.
    public init(pem: String) throws(CryptoProblem) {
        try Crypto.check()
        guard let key = cc_key_read(pem, pem.utf8.count) else {
            throw CryptoProblem(message: "not a private RSA key in PEM")
        }
        self.key = key
    }

    /// Generates a key, which takes some tenths of a second.
    /// - Throws: if OpenSSL fails.
    public init(bits: Int32) throws(CryptoProblem) {
        try Crypto.check()
        guard let key = cc_key_make(bits) else { throw CryptoProblem(message: "OpenSSL cannot make an RSA key") }
        self.key = key
    }

    deinit {
        cc_key_free(key)
    }

    /// The signature of a text by RSASSA-PKCS1-v1_5.
    /// - Throws: if OpenSSL fails.
    public func sign(_ digest: Crypto.Digest, _ text: [UInt8]) throws(CryptoProblem) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 2_048)
        let count = cc_sign(key, digest.rawValue, text, text.count, &signature, signature.count)
        guard count > 0 else { throw CryptoProblem(message: "OpenSSL cannot sign with this key") }
        return Array(signature.prefix(count))
    }

    /// The modulus and the exponent, most significant byte first.
    public var numbers: (modulus: [UInt8], exponent: [UInt8]) { (number("n"), number("e")) }

    private func number(_ name: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 2_048)
        let count = cc_key_number(key, name, &bytes, bytes.count)
        return Array(bytes.prefix(count))
    }
}
