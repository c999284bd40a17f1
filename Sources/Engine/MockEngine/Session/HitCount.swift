/// What a stub has answered, and when first and last: nanoseconds since 1970, 0 where it answered nothing.
struct HitCount: Sendable {
    var matches = 0
    var first: UInt64 = 0
    var last: UInt64 = 0

    mutating func add(at time: UInt64) {
        matches += 1
        if first == 0 { first = time }
        last = time
    }

    /// In milliseconds since 1970; nil where it answered nothing.
    var times: (first: Int64, last: Int64)? {
        first == 0 ? nil : (Int64(first / 1_000_000), Int64(last / 1_000_000))
    }
}
