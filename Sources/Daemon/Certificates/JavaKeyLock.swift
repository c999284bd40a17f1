/// The encryption of a private key in Java's key stores.
struct JavaKeyLock {
    private enum Kind {
        /// XOR with a stream of digests: in JKS, and in old JCEKS stores.
        case keyStream
        /// PBEWithMD5AndTripleDES: in JCEKS.
        case tripleDES(salt: [UInt8], rounds: UInt32)
    }

    /// Java's own limit.
    static let maxRounds = 5_000_000
    private static let digestLength = 20

    /// 1.3.6.1.4.1.42.2.17.1.1 and 1.3.6.1.4.1.42.2.19.1.
    private static let keyStream: [UInt8] = [0x2b, 0x06, 0x01, 0x04, 0x01, 0x2a, 0x02, 0x11, 0x01, 0x01]
    private static let tripleDES: [UInt8] = [0x2b, 0x06, 0x01, 0x04, 0x01, 0x2a, 0x02, 0x13, 0x01]

    private let kind: Kind
    private let locked: [UInt8]

    /// - Parameter bytes: PKCS#8's EncryptedPrivateKeyInfo in DER.
    /// - Throws: if it is malformed, or encrypted in another way.
    init(_ bytes: ArraySlice<UInt8>) throws(StoreContents.Failure) {
        var file = ByteReader(bytes)
        var whole = try file.value(0x30)
        var algorithm = try whole.value(0x30)
        let name = try algorithm.value(0x06).rest
        locked = Array(try whole.value(0x04).rest)
        if name.elementsEqual(Self.tripleDES) {
            kind = try Self.tripleDES(&algorithm)
        } else if name.elementsEqual(Self.keyStream) {
            kind = .keyStream
        } else {
            throw .malformed("whose key has an unknown encryption")
        }
    }

    private static func tripleDES(_ algorithm: inout ByteReader) throws(StoreContents.Failure) -> Kind {
        var parameters = try algorithm.value(0x30)
        let salt = Array(try parameters.value(0x04).rest)
        var rounds = try parameters.value(0x02)
        let count = rounds.rest.count <= 4 ? try rounds.number(rounds.rest.count) : Int.max
        guard salt.count == 8, (1...maxRounds).contains(count) else {
            throw .malformed("whose key is encrypted with a salt or a number of rounds that Java does not write")
        }
        return .tripleDES(salt: salt, rounds: UInt32(count))
    }

    /// The number of digests computed for each half of the salt, which determines the time.
    var rounds: Int {
        if case .tripleDES(_, let rounds) = kind { Int(rounds) } else { 0 }
    }

    /// - Returns: nil if none of the passwords is right.
    func open(_ passwords: [String]) -> PrivateKey? {
        for password in passwords { if let key = open(password) { return key } }
        return nil
    }

    private func open(_ password: String) -> PrivateKey? {
        let opened =
            switch kind {
            case .keyStream: openKeyStream(Self.encoded(password))
            // Java accepts ASCII passwords only here.
            case .tripleDES(let salt, let rounds):
                OpenSSL.openJavaTripleDES(locked, password: Array(password.utf8), salt: salt, rounds: rounds)
            }
        return opened.flatMap { PrivateKey(der: $0) }
    }

    /// A password as UTF-16 bytes, as Java has it.
    static func encoded(_ password: String) -> [UInt8] {
        password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    /// Decrypts a key by XOR with a chain of digests: of the password and the salt, then of the password and each
    /// previous digest. A final digest of password and key verifies the result.
    private func openKeyStream(_ password: [UInt8]) -> [UInt8]? {
        let length = Self.digestLength
        guard locked.count > 2 * length else { return nil }
        var digest = Array(locked.prefix(length))
        var key = Array(locked.dropFirst(length).dropLast(length))
        for start in stride(from: 0, to: key.count, by: length) {
            digest = OpenSSL.digest("SHA1", password + digest)
            guard digest.count == length else { return nil }
            for index in start..<min(start + length, key.count) { key[index] ^= digest[index - start] }
        }
        return OpenSSL.digest("SHA1", password + key).elementsEqual(locked.suffix(length)) ? key : nil
    }
}
