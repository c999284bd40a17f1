internal import SDPlatform

/// Certificates and keys in files of users.
public enum KeyStore {
    /// The forms that a key store may have.
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

    /// Reads a certificate with its chain and key.
    /// - Parameters:
    ///   - path: the file, for messages.
    ///   - form: nil for what the bytes look like. For JKS, PKCS#12 is read too, as Java does.
    ///   - password: opens the store; in PEM, the key.
    ///   - keyPassword: opens the key if that has a password of its own.
    /// - Throws: what was expected and found; for JKS, with the `keytool` line that converts it.
    public static func read(
        _ bytes: [UInt8], path: String, form: Form?, password: String, keyPassword: String?
    ) throws(CertificateProblem) -> IssuedCertificate {
        let (key, certificates): (PrivateKey, [Certificate])
        switch try check(bytes, path, form) {
        case .pem: (key, certificates) = try readPEM(bytes, path, passwords: [keyPassword ?? password, password])
        default: (key, certificates) = try readStore(bytes, path, password, keyPassword)
        }
        guard let own = certificates.first(where: { $0.hasKey(key) }) else {
            let subjects = certificates.prefix(3).map { "\"\($0.subject)\"" }.joined(separator: ", ")
            throw CertificateProblem(
                certificates.isEmpty
                    ? "\(path) has a private key, and no certificate: expected both"
                    : "\(path): the private key belongs to none of its certificates (\(subjects))")
        }
        return IssuedCertificate(
            chain: try pem(chain(of: own, among: certificates)), key: try key.pem(), warnings: oddities(of: own, path))
    }

    /// Reads the certificates of authorities that clients' certificates are issued by, as PEM.
    public static func readTrust(
        _ bytes: [UInt8], path: String, form: Form?, password: String
    ) throws(CertificateProblem) -> [UInt8] {
        let certificates =
            switch try check(bytes, path, form) {
            case .pem: try readCertificates(PEMBlock.all(in: bytes), path)
            default: try contents(bytes, path, password).certificates
            }
        guard !certificates.isEmpty else {
            throw CertificateProblem("\(path) has no certificate: expected those of the authorities that are trusted")
        }
        return try pem(certificates)
    }

    // MARK: - Forms

    /// The form of the bytes: PEM or PKCS#12.
    /// - Throws: for any other, and if it is not the one that was named.
    private static func check(_ bytes: [UInt8], _ path: String, _ named: Form?) throws(CertificateProblem) -> Form {
        try OpenSSL.check()
        guard !bytes.isEmpty else {
            throw CertificateProblem("\(path) is empty: expected a certificate in PEM or PKCS#12")
        }
        let found = form(of: bytes)
        guard let found, found != .jks else {
            guard found == .jks else {
                throw CertificateProblem(
                    "\(path): expected \(named?.text ?? "PEM or PKCS#12"), found neither PEM nor PKCS#12")
            }
            throw CertificateProblem(
                "\(path) is a key store in Java's own format, JKS: convert it with\n    \(keytool(path))")
        }
        if let named, named != .jks, named != found {
            throw CertificateProblem("\(path): expected \(named.text), found \(found.text)")
        }
        return found
    }

    /// What the bytes look like; nil if they are none of the forms.
    static func form(of bytes: [UInt8]) -> Form? {
        if bytes.starts(with: [0xfe, 0xed, 0xfe, 0xed]) || bytes.starts(with: [0xce, 0xce, 0xce, 0xce]) {
            return .jks
        }
        // A sequence in DER whose first member is the version, 3.
        if bytes.first == 0x30, let version = bytes.prefix(16).firstIndex(of: 0x02), bytes.count > version + 2,
            bytes[version + 1] == 1, bytes[version + 2] == 3, (2...10).contains(version)
        {
            return .pkcs12
        }
        return PEMBlock.all(in: bytes).isEmpty ? nil : .pem
    }

    /// The line that converts a store of Java's.
    static func keytool(_ path: String) -> String {
        var stem = path[...]
        for suffix in [".jks", ".jceks", ".keystore", ".truststore"] where stem.hasSuffix(suffix) {
            stem = stem.dropLast(suffix.count)
            break
        }
        return "keytool -importkeystore -srckeystore \(ShellWord(path)) -destkeystore \(ShellWord(stem + ".p12")) "
            + "-deststoretype PKCS12"
    }

    // MARK: - PEM

    private static func readPEM(
        _ bytes: [UInt8], _ path: String, passwords: [String]
    ) throws(CertificateProblem) -> (PrivateKey, [Certificate]) {
        let blocks = PEMBlock.all(in: bytes)
        guard let block = blocks.first(where: \.isPrivateKey) else {
            throw CertificateProblem(
                "\(path) has no private key: expected the certificate and its key in one file, found \(list(blocks))")
        }
        for password in passwords {
            guard let key = PrivateKey(pem: block.bytes, password: password) else { continue }
            return (key, try readCertificates(blocks, path))
        }
        throw CertificateProblem(
            block.isEncrypted
                ? "\(path): the password does not open its private key" : "\(path): its private key cannot be read")
    }

    private static func readCertificates(
        _ blocks: [PEMBlock], _ path: String
    ) throws(CertificateProblem) -> [Certificate] {
        var certificates: [Certificate] = []
        for (number, block) in blocks.filter(\.isCertificate).enumerated() {
            guard let certificate = Certificate(pem: block.bytes) else {
                throw CertificateProblem("\(path): its certificate number \(number + 1) cannot be read")
            }
            certificates.append(certificate)
        }
        return certificates
    }

    /// What is in a file, for messages: `2 × CERTIFICATE, 1 × DH PARAMETERS`.
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

    private static func pem(_ certificates: [Certificate]) throws(CertificateProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        for certificate in certificates { bytes += try certificate.pem() }
        return bytes
    }

    // MARK: - PKCS#12

    private static func readStore(
        _ bytes: [UInt8], _ path: String, _ password: String, _ keyPassword: String?
    ) throws(CertificateProblem) -> (PrivateKey, [Certificate]) {
        let contents = try contents(bytes, path, password)
        guard let key = contents.key else {
            let count = contents.certificates.count
            throw CertificateProblem(
                "\(path) has no private key, only \(count) certificate\(count == 1 ? "" : "s"): expected a key store, "
                    + "found a trust store")
        }
        return (key, contents.certificates)
    }

    private static func contents(
        _ bytes: [UInt8], _ path: String, _ password: String
    ) throws(CertificateProblem) -> StoreContents {
        do throws(StoreContents.Failure) {
            return try StoreContents(pkcs12: bytes, password: password)
        } catch {
            switch error {
            case .malformed: throw CertificateProblem("\(path): expected PKCS#12, which it only begins like")
            case .wrongPassword: throw CertificateProblem("\(path): the password does not open it")
            case .wrongKeyPassword:
                throw CertificateProblem(
                    "\(path): the password opens it, but not the key within: PKCS#12 has one password for both; set it with\n"
                        + "    keytool -importkeystore -srckeystore \(ShellWord(path)) -destkeystore new.p12 -deststoretype PKCS12"
                )
            case .oldCipher:
                throw CertificateProblem(
                    "\(path) is encrypted as stores once were (RC2 or DES), and OpenSSL's legacy provider, which reads that, is "
                        + "not installed: write it anew where it is, with\n    openssl pkcs12 -legacy -in \(ShellWord(path)) "
                        + "-out store.pem -nodes")
            case .other: throw CertificateProblem("\(path): OpenSSL cannot read this PKCS#12 store")
            }
        }
    }

    // MARK: - Chains

    /// A certificate, its issuer, the issuer's, as far as they are there; then the others, which may be of use to clients.
    private static func chain(of own: Certificate, among certificates: [Certificate]) -> [Certificate] {
        var rest = certificates.filter { $0 !== own }
        var chain = [own]
        while let last = chain.last, let next = rest.firstIndex(where: { last.isIssued(by: $0) }) {
            chain.append(rest.remove(at: next))
        }
        return chain + rest
    }

    private static func oddities(of certificate: Certificate, _ path: String) -> [String] {
        guard let (from, to) = certificate.validity else { return [] }
        let now = SystemCalls.wallClockMilliseconds()
        let (start, end) = (Timestamp(milliseconds: from * 1000), Timestamp(milliseconds: to * 1000))
        if end.milliseconds < now {
            return ["\(path): its certificate \"\(certificate.subject)\" was valid until \(end.wholeSeconds)"]
        }
        if start.milliseconds > now {
            return ["\(path): its certificate \"\(certificate.subject)\" is valid from \(start.wholeSeconds) on"]
        }
        return []
    }
}

/// A word of a command line as a shell reads it, quoted if need be.
struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ text: some StringProtocol) {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || Array("/._-+:,@%".utf8).contains(byte)
            }
        description =
            isPlain
            ? String(text)
            : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
