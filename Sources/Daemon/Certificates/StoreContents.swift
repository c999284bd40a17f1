/// The content of a store.
struct StoreContents {
    enum Failure: Error, Equatable {
        /// The problem, as the end of a sentence after the expected format.
        case malformed(String)
        case wrongPassword
        /// Encrypted with a cipher that OpenSSL supports only in its legacy provider.
        case oldCipher
        case other
    }

    /// The first one is used unless something else decides.
    var keys: [PrivateKey] = []
    var certificates: [Certificate] = []
    /// The certificates that a trust store marks as trusted.
    var authorities: [Certificate] = []
    /// The keys that no password opens, by name; nil for a key without a name.
    var lockedKeys: [String?] = []
}

extension StoreContents {
    /// The keys in the order of Java's key managers, and so of WireMock: that of a `HashMap` by name.
    static func inJavasOrder(_ keys: [(name: String, key: PrivateKey)]) -> [PrivateKey] {
        var buckets = 16
        while keys.count * 4 > buckets * 3 { buckets *= 2 }
        let placed = keys.enumerated().map { index, named in
            let hash = named.name.utf16.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
            return (bucket: Int(hash ^ hash >> 16) & (buckets - 1), index: index, key: named.key)
        }
        return placed.sorted { ($0.bucket, $0.index) < ($1.bucket, $1.index) }.map(\.key)
    }
}
