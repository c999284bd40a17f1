internal import SDPlatform

/// Certificates and keys in users' files.
public enum KeyStore {
    /// The formats of key stores.
    public enum Form: String, Sendable, CaseIterable {
        case pem, pkcs12, jks

        var text: String {
            switch self {
            case .pem: "PEM"
            case .pkcs12: "PKCS#12"
            case .jks: "JKS"
            }
        }
    }

    /// Reads a key store's certificates with their chains and keys; at least one.
    /// - Throws: what was expected and found.
    public static func readAll(_ bytes: [UInt8], _ file: StoreFile) throws(CertificateProblem) -> [StoredCertificate] {
        let contents = try contents(bytes, file)
        guard !contents.keys.isEmpty else { throw file.problem(missingKey(contents, bytes)) }
        return try stored(contents, file)
    }

    /// Reads the certificate, chain and key of the first key.
    /// - Throws: what was expected and found.
    public static func read(_ bytes: [UInt8], _ file: StoreFile) throws(CertificateProblem) -> IssuedCertificate {
        try readAll(bytes, file)[0].issued
    }

    /// Reads a trust store: its trusted authorities, and its keys, which serve as client certificates.
    /// - Throws: what was expected and found.
    public static func readTrust(_ bytes: [UInt8], _ file: StoreFile) throws(CertificateProblem) -> TrustStore {
        let contents = try contents(bytes, file)
        guard !contents.authorities.isEmpty else {
            throw file.problem("has no certificate: expected those of the authorities that are trusted")
        }
        return TrustStore(
            authorities: try pem(contents.authorities), own: try stored(contents, file).map(\.issued))
    }

    private static func contents(_ bytes: [UInt8], _ file: StoreFile) throws(CertificateProblem) -> StoreContents {
        let form = try check(bytes, file)
        if form == .pem { return try readPEM(bytes, file) }
        let contents: StoreContents
        do throws(StoreContents.Failure) {
            contents =
                form == .jks
                ? try JavaKeyStore.contents(of: bytes, password: file.usedPassword, keyPasswords: file.keyPasswords)
                : try StoreContents(pkcs12: bytes, password: file.usedPassword, keyPasswords: file.keyPasswords)
        } catch {
            throw file.problem(error, form)
        }
        if let locked = contents.lockedKeys.first { throw file.lockedKey(locked) }
        return contents
    }

    // MARK: - Forms

    /// The format of the bytes.
    /// - Throws: if it is unknown, or differs from the named one.
    private static func check(_ bytes: [UInt8], _ file: StoreFile) throws(CertificateProblem) -> Form {
        try OpenSSL.check()
        let known = "PEM, PKCS#12 or JKS"
        guard !bytes.isEmpty else { throw file.problem("is empty: expected a certificate in \(known)") }
        guard let found = form(of: bytes) else {
            throw file.problem(": expected \(file.form?.text ?? known), found something else")
        }
        // Java accepts each of its formats for the other.
        if let named = file.form, named != found, named == .pem || found == .pem {
            throw file.problem(": expected \(named.text), found \(found.text)")
        }
        return found
    }

    /// The detected format; nil if unknown.
    static func form(of bytes: [UInt8]) -> Form? {
        if JavaKeyStore.isOne(bytes) { return .jks }
        if isPKCS12(bytes) { return .pkcs12 }
        return PEMBlock.all(in: bytes).isEmpty ? nil : .pem
    }

    /// Whether it is a DER or BER sequence that starts with version 3.
    private static func isPKCS12(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1, bytes[0] == 0x30 else { return false }
        // Skip the length: its bytes may have any value.
        let bytesOfLength = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
        return bytes.dropFirst(2 + bytesOfLength).starts(with: [2, 1, 3])
    }

    // MARK: - PEM

    /// Far more than any key needs: OpenSSL takes quadratic time to reject a larger one.
    private static let largestKey = 256 << 10

    private static func readPEM(_ bytes: [UInt8], _ file: StoreFile) throws(CertificateProblem) -> StoreContents {
        let blocks = PEMBlock.all(in: bytes)
        var contents = StoreContents()
        var allRounds = 0
        for block in blocks where block.isPrivateKey {
            guard block.bytes.count <= largestKey else { throw file.problem(": its private key cannot be read") }
            var key: PrivateKey?
            let rounds = PrivateKey.rounds(pem: block.bytes)
            for password in file.keyPasswords where key == nil {
                allRounds += rounds
                guard allRounds <= JavaKeyLock.maxRounds else {
                    throw file.problem(": its passwords are hashed more than \(JavaKeyLock.maxRounds) times")
                }
                key = PrivateKey(pem: block.bytes, password: password)
            }
            guard let key else {
                throw block.isEncrypted
                    ? file.lockedKey(nil, isStore: false) : file.problem(": its private key cannot be read")
            }
            contents.keys.append(key)
        }
        for (number, block) in blocks.filter(\.isCertificate).enumerated() {
            guard let certificate = Certificate(pem: block.bytes) else {
                throw file.problem(": its certificate number \(number + 1) cannot be read")
            }
            contents.certificates.append(certificate)
        }
        contents.authorities = contents.certificates
        return contents
    }

    private static func missingKey(_ contents: StoreContents, _ bytes: [UInt8]) -> String {
        guard form(of: bytes) == .pem else {
            let count = contents.certificates.count
            if count == 0 { return "has neither a private key nor a certificate: expected a key store" }
            return
                "has no private key, only \(count) certificate\(count == 1 ? "" : "s"): expected a key store, found a "
                + "trust store"
        }
        return "has no private key: expected the certificate and its key in one file, found "
            + list(PEMBlock.all(in: bytes))
    }

    /// The blocks of a file, for messages: `2 × CERTIFICATE, 1 × DH PARAMETERS`.
    private static func list(_ blocks: [PEMBlock]) -> String {
        var counts: [(label: String, count: Int)] = []
        for block in blocks {
            if let index = counts.firstIndex(where: { $0.label == block.label }) {
                counts[index].count += 1
            } else {
                counts.append((block.label, 1))
            }
        }
        return counts.map { "\($0.count) × \($0.label)" }.joined(separator: ", ")
    }

    // MARK: - Chains

    /// The certificate of each key.
    private static func stored(
        _ contents: StoreContents, _ file: StoreFile
    ) throws(CertificateProblem) -> [StoredCertificate] {
        var all: [StoredCertificate] = []
        for key in contents.keys { all.append(try stored(key, contents.certificates, file)) }
        return all
    }

    private static func stored(
        _ key: PrivateKey, _ certificates: [Certificate], _ file: StoreFile
    ) throws(CertificateProblem) -> StoredCertificate {
        guard !certificates.isEmpty else {
            throw file.problem("has a private key, and no certificate: expected both")
        }
        guard let own = certificates.first(where: { $0.hasKey(key) }) else {
            let subjects = certificates.prefix(3).map { "\"\($0.subject)\"" }.joined(separator: ", ")
            throw file.problem(": the private key belongs to none of its certificates (\(subjects))")
        }
        let chain = chain(of: own, among: certificates)
        var warnings = chain.compactMap { oddity(of: $0, file) }
        if key.isDSA {
            warnings.append(
                "\(file.path): the key of its certificate \"\(own.subject)\" is of DSA, which clients refuse in TLS")
        }
        let issued = IssuedCertificate(chain: try pem(chain), key: try key.pem(), warnings: warnings)
        return StoredCertificate(issued: issued, certificate: own)
    }

    /// The certificate and its issuers, as far as they are in the store. Other certificates are left out.
    private static func chain(of own: Certificate, among certificates: [Certificate]) -> [Certificate] {
        var rest = certificates.filter { $0 !== own }
        var chain = [own]
        while let last = chain.last, !last.isIssued(by: last),
            let next = rest.firstIndex(where: { last.isIssued(by: $0) })
        {
            chain.append(rest.remove(at: next))
        }
        return chain
    }

    private static func pem(_ certificates: [Certificate]) throws(CertificateProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        for certificate in certificates { bytes += try certificate.pem() }
        return bytes
    }

    private static func oddity(of certificate: Certificate, _ file: StoreFile) -> String? {
        guard let (from, to) = certificate.validity else { return nil }
        let now = SystemCalls.wallClockMilliseconds()
        let (start, end) = (Timestamp(milliseconds: from * 1000), Timestamp(milliseconds: to * 1000))
        let subject = "\(file.path): its certificate \"\(certificate.subject)\""
        if end.milliseconds < now { return "\(subject) was valid until \(end.wholeSeconds)" }
        return start.milliseconds > now ? "\(subject) is valid from \(start.wholeSeconds) on" : nil
    }
}
