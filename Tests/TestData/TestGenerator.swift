import Foundation

/// Random numbers that a seed repeats (SplitMix64). A test that uses it reports the seed when it fails.
public struct TestGenerator: RandomNumberGenerator, Sendable {
    public let seed: UInt64
    private var state: UInt64

    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Makes a generator with a `newSeed`.
    public init() {
        self.init(seed: Self.newSeed)
    }

    /// A seed for a test that draws: `STUNTDOUBLE_TEST_SEED`, which repeats a failed run, and with which CI judges all
    /// changes by the same cases; without it another one each time.
    public static var newSeed: UInt64 { given ?? .random(in: 0...0xffff_ffff) }

    private static let given = ProcessInfo.processInfo.environment["STUNTDOUBLE_TEST_SEED"].flatMap { UInt64($0) }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
