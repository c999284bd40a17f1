/// Hashes prefixes of one path, shortest first, at the cost of the longest. The values are valid within one process.
public struct PathHash {
    @usableFromInline var state: UInt64 = 0
    @usableFromInline var done = 0

    @inlinable
    public init() {}

    /// The hash of a whole path.
    @inlinable
    public static func value(of path: Span<UInt8>) -> UInt64 {
        var hash = PathHash()
        return hash.value(of: path, count: path.count)
    }

    /// The hash of a prefix.
    /// - Parameter count: the length of the prefix; not less than in the previous call.
    @inlinable
    public mutating func value(of path: Span<UInt8>, count: Int) -> UInt64 {
        let bytes = path.bytes
        while done &+ 8 <= count {
            state = Self.mix(state ^ bytes.unsafeLoadUnaligned(fromByteOffset: done, as: UInt64.self))
            done &+= 8
        }
        var rest: UInt64 = 0
        if count >= 8 {
            // Some of these bytes are hashed already.
            rest = bytes.unsafeLoadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else {
            for index in 0..<count { rest = rest << 8 | UInt64(path[index]) }
        }
        return Self.mix(Self.mix(state ^ rest) ^ UInt64(truncatingIfNeeded: count))
    }

    @usableFromInline
    static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
