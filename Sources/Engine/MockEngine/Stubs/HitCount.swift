/// The number of requests that a stub has answered, and the times of the first and the last one in nanoseconds since
/// 1970; 0 if there was none.
public struct HitCount: Sendable {
    public internal(set) var matches = 0
    var first: UInt64 = 0
    var last: UInt64 = 0

    mutating func add(at time: UInt64) {
        matches += 1
        if first == 0 { first = time }
        last = time
    }

    /// The times in milliseconds since 1970; nil if it has answered nothing.
    public var times: (first: Int64, last: Int64)? {
        first == 0 ? nil : (Int64(first / 1_000_000), Int64(last / 1_000_000))
    }
}
