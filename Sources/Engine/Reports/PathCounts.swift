/// The number of requests for each path, in bounded memory.
public struct PathCounts: Sendable {
    private var counts: [[UInt8]: Int] = [:]

    /// The largest number of paths.
    private static let most = 1_000
    /// The longest stored part of a path, in bytes.
    private static let longest = 300

    public init() {}

    public mutating func add(_ path: some Sequence<UInt8>, _ count: Int = 1) {
        let path = Array(path.prefix(Self.longest))
        guard counts.count < Self.most || counts[path] != nil else { return }
        counts[path, default: 0] += count
    }

    public mutating func add(_ other: PathCounts) {
        for (path, count) in other.counts { add(path, count) }
    }

    /// The number of requests for the matching paths.
    public func sum(where isMeant: ([UInt8]) -> Bool) -> Int {
        counts.reduce(0) { $0 + (isMeant($1.key) ? $1.value : 0) }
    }
}
