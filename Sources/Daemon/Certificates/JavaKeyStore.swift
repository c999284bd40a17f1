/// Reads Java's key stores, JKS and JCEKS: a sequence of entries, then a digest of them with the password. The formats
/// are those of `sun.security.provider.JavaKeyStore` and `com.sun.crypto.provider.JceKeyStore`.
struct JavaKeyStore {
    private static let digestLength = 20

    private struct LockedKey {
        let alias: String
        let bytes: ArraySlice<UInt8>
    }

    private var keys: [LockedKey] = []
    private var certificates: [Certificate] = []
    private var authorities: [Certificate] = []

    /// Whether the bytes start like a JKS or JCEKS store.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xfe, 0xed, 0xfe, 0xed]) || bytes.starts(with: [0xce, 0xce, 0xce, 0xce])
    }

    /// - Parameter bytes: the bytes between the magic number and the digest.
    private init(_ bytes: ArraySlice<UInt8>) throws(StoreContents.Failure) {
        var reader = ByteReader(bytes)
        let version = try reader.number(4)
        guard version == 1 || version == 2 else { throw .malformed("of the unknown version \(version)") }
        for number in 0..<(try reader.number(4)) {
            switch try reader.number(4) {
            case 1: try readKey(&reader, isTyped: version == 2)
            case 2:
                _ = try readName(&reader)
                if let certificate = try readCertificate(&reader, isTyped: version == 2) {
                    certificates.append(certificate)
                    authorities.append(certificate)
                }
            case 3:
                // A secret key, which TLS does not use.
                _ = try readName(&reader)
                try JavaObject.skip(&reader)
            default: throw .malformed("whose entry number \(number + 1) is of an unknown kind")
            }
        }
        guard reader.isAtEnd else { throw .malformed("which has data after its last entry") }
    }

    private func readName(_ reader: inout ByteReader) throws(StoreContents.Failure) -> String {
        let name = try reader.text()
        // The creation time.
        _ = try reader.take(8)
        return name
    }

    private mutating func readKey(_ reader: inout ByteReader, isTyped: Bool) throws(StoreContents.Failure) {
        keys.append(LockedKey(alias: try readName(&reader), bytes: try reader.counted(4)))
        for number in 0..<(try reader.number(4)) {
            guard let certificate = try readCertificate(&reader, isTyped: isTyped) else { continue }
            certificates.append(certificate)
            // Java also trusts the certificate of a key, but not its chain.
            if number == 0 { authorities.append(certificate) }
        }
    }

    /// - Returns: nil if it is not an X.509 certificate.
    private func readCertificate(
        _ reader: inout ByteReader, isTyped: Bool
    ) throws(StoreContents.Failure) -> Certificate? {
        let isKnown = isTyped ? try reader.text() == "X.509" : true
        let bytes = try reader.counted(4)
        guard isKnown else { return nil }
        guard let certificate = Certificate(der: Array(bytes)) else {
            throw .malformed("whose certificate number \(certificates.count + 1) cannot be read")
        }
        return certificate
    }

    // MARK: - Opening

    /// Reads a store.
    /// - Parameter keyPasswords: the passwords to try for its keys.
    static func contents(
        of bytes: [UInt8], password: String, keyPasswords: [String]
    ) throws(StoreContents.Failure) -> StoreContents {
        guard bytes.count >= 4 + digestLength else { throw .malformed("which is truncated") }
        let body = bytes.dropLast(digestLength)
        let store = try JavaKeyStore(body.dropFirst(4))
        // The text is part of Sun's format.
        let salted = JavaKeyLock.encoded(password) + Array("Mighty Aphrodite".utf8) + body
        guard OpenSSL.digest("SHA1", salted).elementsEqual(bytes.suffix(digestLength)) else { throw .wrongPassword }
        var contents = StoreContents(certificates: store.certificates, authorities: store.authorities)
        var locks: [(alias: String, lock: JavaKeyLock)] = []
        for key in store.keys { locks.append((key.alias, try JavaKeyLock(key.bytes))) }
        guard locks.reduce(0, { $0 + $1.lock.rounds }) <= JavaKeyLock.maxRounds else {
            throw .malformed("whose keys ask for more rounds than \(JavaKeyLock.maxRounds)")
        }
        var keys: [(name: String, key: PrivateKey)] = []
        for (alias, lock) in locks {
            if let key = lock.open(keyPasswords) {
                keys.append((alias, key))
            } else {
                contents.lockedKeys.append(alias)
            }
        }
        contents.keys = StoreContents.inJavasOrder(keys)
        return contents
    }
}
