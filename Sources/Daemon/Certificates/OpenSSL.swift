private import SDCCrypto

/// Certificates and keys of OpenSSL, which is opened when the first one is made or read. The only place that touches its
/// memory.
enum OpenSSL {
    /// - Throws: if OpenSSL cannot be used.
    static func check() throws(CertificateProblem) {
        if let reason = cc_certificates_unavailable() { throw CertificateProblem(String(cString: reason)) }
    }

    /// Room for any certificate or key in PEM.
    fileprivate static let room = 1 << 18

    /// The text that a function of C writes; nil if it cannot.
    fileprivate static func text(
        room: Int = OpenSSL.room, _ write: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = start.withMemoryRebound(to: CChar.self, capacity: room) { write($0, room) }
        }
        // A copy has no more room than it needs.
        return bytes.isEmpty ? nil : Array(bytes[...])
    }
}

/// A private key.
///
/// `@unchecked Sendable`: it is only read after `init`, and OpenSSL's keys may be read by several threads.
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
        try made(cc_curve_key_make())
    }

    /// Makes an RSA key, which takes the longer the more bits it has.
    static func rsa(bits: Int32) throws(CertificateProblem) -> PrivateKey {
        try made(cc_rsa_key_make(bits))
    }

    private static func made(_ pointer: OpaquePointer?) throws(CertificateProblem) -> PrivateKey {
        guard let pointer else { throw CertificateProblem("OpenSSL cannot make a private key") }
        return PrivateKey(owning: pointer)
    }

    /// Reads a key in PEM; nil if it is none, or if the password does not open it.
    init?(pem: [UInt8], password: String) {
        var key: OpaquePointer?
        let reading = pem.withUnsafeBytes { bytes in
            cc_private_key_read(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, password, &key)
        }
        guard reading == CC_READ, let key else { return nil }
        pointer = key
    }

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
/// `@unchecked Sendable`: it is only read after `init`, and OpenSSL's certificates may be read by several threads.
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
    ///   - names: the host names and addresses that it is for.
    ///   - validity: when it is valid, in seconds since 1970.
    ///   - issuer: nil if it issues itself.
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

    /// Reads a certificate in PEM; nil if it is none.
    init?(pem: [UInt8]) {
        let read = pem.withUnsafeBytes { bytes in
            cc_certificate_read(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        guard let read else { return nil }
        pointer = read
    }

    func pem() throws(CertificateProblem) -> [UInt8] {
        guard let text = OpenSSL.text({ cc_certificate_write(pointer, $0, $1) }) else {
            throw CertificateProblem("OpenSSL cannot write a certificate as PEM")
        }
        return text
    }

    /// The owner's name as in RFC 2253: `CN=localhost`.
    var subject: String {
        String(decoding: OpenSSL.text(room: 4_096) { cc_certificate_subject(pointer, $0, $1) } ?? [], as: UTF8.self)
    }

    /// The SHA-256 of its DER form.
    var fingerprint: [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CC_FINGERPRINT_LENGTH))
        return cc_certificate_fingerprint(pointer, &digest) ? digest : []
    }

    /// When it is valid, in seconds since 1970; nil if it does not say.
    var validity: (from: Int64, to: Int64)? {
        var (from, to): (Int64, Int64) = (0, 0)
        return cc_certificate_validity(pointer, &from, &to) ? (from, to) : nil
    }

    func hasKey(_ key: PrivateKey) -> Bool { cc_certificate_has_key(pointer, key.pointer) }

    func isIssued(by issuer: Certificate) -> Bool { cc_certificate_is_issued_by(pointer, issuer.pointer) }
}

/// What a PKCS#12 store holds.
struct StoreContents {
    enum Failure: Error {
        case malformed, wrongPassword, wrongKeyPassword, oldCipher, other
    }

    /// The first key; nil for none.
    var key: PrivateKey?
    /// That of the key first, if there is one.
    var certificates: [Certificate]

    init(pkcs12 bytes: [UInt8], password: String) throws(Failure) {
        var store = cc_store()
        switch cc_store_read(bytes, bytes.count, password, &store) {
        case CC_READ: break
        case CC_MALFORMED: throw .malformed
        case CC_WRONG_PASSWORD: throw .wrongPassword
        case CC_WRONG_KEY_PASSWORD: throw .wrongKeyPassword
        case CC_OLD_CIPHER: throw .oldCipher
        default: throw .other
        }
        // What is in it has new owners; `cc_store_free` frees the list.
        key = store.key.map { PrivateKey(owning: $0) }
        certificates = (0..<store.count).compactMap { store.certificates[$0].map { Certificate(owning: $0) } }
        store.key = nil
        store.count = 0
        cc_store_free(&store)
    }
}
