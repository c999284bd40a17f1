public import SDStubModel

/// What sessions were asked that were begun by calls to another one, as a runner of tests begins one for each test of a run.
/// They have verdicts of their own.
public struct BegunSessions: Sendable, Equatable {
    /// The number of sessions.
    public var count = 0
    public var served = 0
    public var unmatched = 0
    public var failed = 0
    /// How often they used stubs that they inherit.
    public private(set) var uses: [StubMapping.ID: Int] = [:]

    public init() {}

    /// One of them.
    public init(served: UInt64, unmatched: UInt64, failed: UInt64, uses: [StubMapping.ID: Int]) {
        count = 1
        self.served = Int(clamping: served)
        self.unmatched = Int(clamping: unmatched)
        self.failed = Int(clamping: failed)
        self.uses = uses
    }

    public static func += (all: inout Self, other: Self) {
        all.count += other.count
        all.served += other.served
        all.unmatched += other.unmatched
        all.failed += other.failed
        all.uses.merge(other.uses, uniquingKeysWith: +)
    }
}
