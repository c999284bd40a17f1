/// The iteration order of Java's `HashMap` with string keys: by bucket.
package enum JavaHash {
    /// The number of buckets of a map copied from one with `copied` keys that has grown to `count` keys.
    package static func bucketCount(copying copied: Int, holding count: Int) -> Int {
        var buckets = 1
        while buckets < copied * 4 / 3 + 1 { buckets *= 2 }
        while count > buckets * 3 / 4 { buckets *= 2 }
        return buckets
    }

    /// The bucket of a key.
    /// - Parameter buckets: the number of buckets, a power of two.
    package static func bucket(of key: String, among buckets: Int) -> Int {
        let hash = key.utf16.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
        return Int(hash ^ hash >> 16) & (buckets - 1)
    }

    /// Members in the iteration order of a map filled one by one; within a bucket the order stays.
    package static func sorted<Value>(_ members: [(key: String, value: Value)]) -> [(key: String, value: Value)] {
        let buckets = max(16, bucketCount(copying: 0, holding: members.count))
        return members.enumerated().sorted { left, right in
            let (one, other) = (
                bucket(of: left.element.key, among: buckets), bucket(of: right.element.key, among: buckets)
            )
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }
}
