/// What sessions were asked that were begun by calls to another one, as a runner of tests begins one for each test of a run.
/// They have verdicts of their own.
public struct BegunSessions: Sendable, Equatable {
    /// The number of sessions.
    public var count = 0
    public var served = 0
    public var unmatched = 0
    public var failed = 0

    public init() {}

    /// Adds one of them, with what it was asked.
    public mutating func add(served: UInt64, unmatched: UInt64, failed: UInt64) {
        count += 1
        self.served += Int(clamping: served)
        self.unmatched += Int(clamping: unmatched)
        self.failed += Int(clamping: failed)
    }
}
