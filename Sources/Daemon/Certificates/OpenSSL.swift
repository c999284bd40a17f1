private import SDCCrypto

/// OpenSSL's certificates and keys. The library is loaded on first use. The only code that touches its memory.
enum OpenSSL {
    /// - Throws: if OpenSSL is unavailable.
    static func check() throws(CertificateProblem) {
        if let reason = cc_certificates_unavailable() { throw CertificateProblem(String(cString: reason)) }
    }

    /// A digest such as `SHA1`; empty if OpenSSL no longer supports it.
    static func digest(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CC_DIGEST_ROOM))
        let length = cc_digest(name, bytes, bytes.count, &digest)
        return Array(digest.prefix(length))
    }

    /// Decrypts by Java's PBEWithMD5AndTripleDES; nil if the password is wrong.
    /// - Parameter salt: eight bytes.
    static func openJavaTripleDES(
        _ bytes: [UInt8], password: [UInt8], salt: [UInt8], rounds: UInt32
    ) -> [UInt8]? {
        guard salt.count == Int(CC_JAVA_SALT_LENGTH) else { return nil }
        let opened = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = cc_java_triple_des_open(
                password, password.count, salt, rounds, bytes, bytes.count, buffer.baseAddress)
        }
        return opened.isEmpty ? nil : opened
    }

    /// Enough for any certificate or key in PEM.
    fileprivate static let room = 1 << 18

    /// The text written by a C function; nil on failure.
    fileprivate static func text(
        room: Int = OpenSSL.room, _ write: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = start.withMemoryRebound(to: CChar.self, capacity: room) { write($0, room) }
        }
        // Copied, to release the spare capacity.
        return bytes.isEmpty ? nil : Array(bytes[...])
    }
}

/// A private key.
///
/// `@unchecked Sendable`: immutable after `init`, and OpenSSL allows concurrent reads of keys.
final class PrivateKey: @unchecked Sendable {
    fileprivate let pointer: OpaquePointer

    fileprivate init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        cc_private_key_free(pointer)
    }

    /// Makes a key on the curve P-256.
    static func onCurve() throws(CertificateProblem) -> PrivateKey {
        try OpenSSL.check()
        return try made(cc_curve_key_make())
    }

    /// Makes an RSA key; more bits take longer.
    static func rsa(bits: Int32) throws(CertificateProblem) -> PrivateKey {
        try OpenSSL.check()
        return try made(cc_rsa_key_make(bits))
    }

    private static func made(_ pointer: OpaquePointer?) throws(CertificateProblem) -> PrivateKey {
        guard let pointer else { throw CertificateProblem("OpenSSL cannot make a private key") }
        return PrivateKey(owning: pointer)
    }

    /// Reads a PEM key; nil if it is malformed, or the password is wrong.
    init?(pem: [UInt8], password: String) {
        var key: OpaquePointer?
        let reading = pem.withUnsafeBytes { bytes in
            cc_private_key_read(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, password, &key)
        }
        guard reading == CC_READ, let key else { return nil }
        pointer = key
    }

    /// The number of hash rounds for each password tried for a PEM key; above `JavaKeyLock.maxRounds` the exact number
    /// does not matter.
    static func rounds(pem: [UInt8]) -> Int {
        pem.withUnsafeBytes { Int(cc_private_key_rounds($0.bindMemory(to: CChar.self).baseAddress, $0.count)) }
    }

    /// Reads an unencrypted PKCS#8 key in DER; nil if it is malformed.
    init?(der: [UInt8]) {
        guard let key = cc_private_key_read_der(der, der.count) else { return nil }
        pointer = key
    }

    /// Whether it is a DSA key, which no current TLS client accepts.
    var isDSA: Bool { cc_key_is(pointer, "DSA") }

    /// The key in PEM, not encrypted.
    func pem() throws(CertificateProblem) -> [UInt8] {
        guard let text = OpenSSL.text({ cc_private_key_write(pointer, $0, $1) }) else {
            throw CertificateProblem("OpenSSL cannot write a private key of this kind as PEM")
        }
        return text
    }
}

/// A certificate.
///
/// `@unchecked Sendable`: immutable after `init`, and OpenSSL allows concurrent reads of certificates.
final class Certificate: @unchecked Sendable {
    enum Role {
        case server, authority, intermediate
    }

    private let pointer: OpaquePointer

    fileprivate init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        cc_certificate_free(pointer)
    }

    /// Makes a certificate.
    /// - Parameters:
    ///   - commonName: at most 64 characters; nil for none.
    ///   - names: its host names and addresses.
    ///   - validity: the period of validity, in seconds since 1970.
    ///   - issuer: nil for a self-signed one.
    init(
        _ role: Role, commonName: String?, names: [String] = [], validity: Range<Int64>, key: PrivateKey,
        issuer: (certificate: Certificate, key: PrivateKey)? = nil
    ) throws(CertificateProblem) {
        let lines = names.joined(separator: "\n")
        let made = lines.withCString { lines in
            func make(_ commonName: UnsafePointer<CChar>?) -> OpaquePointer? {
                var plan = cc_certificate_plan()
                plan.common_name = commonName
                plan.names = names.isEmpty ? nil : lines
                plan.not_before = validity.lowerBound
                plan.not_after = validity.upperBound
                plan.role =
                    switch role {
                    case .server: CC_SERVER
                    case .authority: CC_AUTHORITY
                    case .intermediate: CC_INTERMEDIATE
                    }
                plan.key = key.pointer
                plan.issuer = issuer?.certificate.pointer
                plan.issuer_key = issuer?.key.pointer
                return cc_certificate_make(&plan)
            }
            return commonName.map { $0.withCString(make) } ?? make(nil)
        }
        guard let made else {
            throw CertificateProblem("OpenSSL cannot make a certificate for \(names.first ?? commonName ?? "nobody")")
        }
        pointer = made
    }

    /// Reads a PEM certificate; nil if it is malformed.
    init?(pem: [UInt8]) {
        let read = pem.withUnsafeBytes { bytes in
            cc_certificate_read(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        guard let read else { return nil }
        pointer = read
    }

    /// Reads a DER certificate; nil if it is malformed.
    init?(der: [UInt8]) {
        guard let read = cc_certificate_read_der(der, der.count) else { return nil }
        pointer = read
    }

    func pem() throws(CertificateProblem) -> [UInt8] {
        guard let text = OpenSSL.text({ cc_certificate_write(pointer, $0, $1) }) else {
            throw CertificateProblem("OpenSSL cannot write a certificate as PEM")
        }
        return text
    }

    /// The subject as in RFC 2253, such as `CN=localhost`.
    var subject: String {
        String(decoding: OpenSSL.text(room: 4_096) { cc_certificate_subject(pointer, $0, $1) } ?? [], as: UTF8.self)
    }

    /// The SHA-256 of its DER form.
    var fingerprint: [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CC_FINGERPRINT_LENGTH))
        return cc_certificate_fingerprint(pointer, &digest) ? digest : []
    }

    /// The period of validity, in seconds since 1970; nil if unknown.
    var validity: (from: Int64, to: Int64)? {
        var (from, to): (Int64, Int64) = (0, 0)
        return cc_certificate_validity(pointer, &from, &to) ? (from, to) : nil
    }

    func hasKey(_ key: PrivateKey) -> Bool { cc_certificate_has_key(pointer, key.pointer) }

    /// Whether it is valid for a host, by its alternative names or else its common name.
    func isFor(_ host: String) -> Bool { cc_certificate_is_for(pointer, host, host.utf8.count) }

    func isIssued(by issuer: Certificate) -> Bool { cc_certificate_is_issued_by(pointer, issuer.pointer) }
}

extension StoreContents {
    /// Reads a PKCS#12 store.
    /// - Parameter keyPasswords: further passwords to try for keys.
    init(pkcs12 bytes: [UInt8], password: String, keyPasswords: [String]) throws(Failure) {
        var store = cc_store()
        let others = keyPasswords.map { Array($0.utf8CString) }
        switch Self.withPointers(others, { cc_store_read(bytes, bytes.count, password, $0, &store) }) {
        case CC_READ: break
        case CC_MALFORMED: throw .malformed("that only begins like one")
        case CC_WRONG_PASSWORD: throw .wrongPassword
        case CC_OLD_CIPHER: throw .oldCipher
        case CC_COSTLY: throw .malformed("whose passwords are hashed more than \(JavaKeyLock.maxRounds) times")
        default: throw .other
        }
        // The wrappers now own the keys and certificates; `cc_store_free` frees the rest.
        let named = (0..<store.key_count).compactMap { index in
            store.keys[index].map { key in
                // Java numbers keys without names.
                let name = store.key_names[index].map { String(cString: $0) } ?? "\(index + 1)"
                return (name: name.lowercased(), key: PrivateKey(owning: key))
            }
        }
        keys = Self.inJavasOrder(named)
        certificates = (0..<store.certificate_count).compactMap { index in
            store.certificates[index].map { Certificate(owning: $0) }
        }
        authorities = certificates
        lockedKeys = Array(repeating: nil, count: store.locked_key_count)
        for index in 0..<store.key_count { store.keys[index] = nil }
        store.certificate_count = 0
        cc_store_free(&store)
    }

    /// Calls `body` with a NULL-terminated list of C strings.
    private static func withPointers<Result>(
        _ texts: [[CChar]], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        func next(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Result {
            guard index < texts.count else {
                return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
            }
            return texts[index].withUnsafeBufferPointer { next(index + 1, pointers + [$0.baseAddress]) }
        }
        return next(0, [])
    }
}
