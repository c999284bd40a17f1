/// What a store holds.
struct StoreContents {
    enum Failure: Error, Equatable {
        /// What is wrong with it, to stand behind the form that was expected.
        case malformed(String)
        case wrongPassword
        /// It is encrypted in a way that OpenSSL reads with its legacy provider only.
        case oldCipher
        case other
    }

    /// Of several, the first is taken where nothing else decides.
    var keys: [PrivateKey] = []
    var certificates: [Certificate] = []
    /// Those of `certificates` that a trust store says are trusted.
    var authorities: [Certificate] = []
    /// The keys that none of the passwords opens, by their names where the store has any.
    var lockedKeys: [String?] = []
}

extension StoreContents {
    /// Keys in the order in which Java finds them, and so WireMock: its key managers keep them in a `HashMap` by name.
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
