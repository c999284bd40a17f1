import SDCPlatform

/// Seeded numbers for random values of a thread while it applies a change that other machines apply, too: ids are then
/// the same on all of them.
package enum SeededValues {
    /// Runs `body`, in which `next` returns the numbers of this seed on the calling thread. A nested call does not
    /// affect the numbers of the outer one.
    /// - Throws: what `body` throws.
    package static func with<Result, Failure: Error>(
        seed: UInt64, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = next()
        cp_begin_seeded_random(seed)
        defer {
            if let outer { cp_begin_seeded_random(outer) } else { cp_end_seeded_random() }
        }
        return try body()
    }

    /// The next number of the calling thread; nil outside of `with`.
    package static func next() -> UInt64? {
        var value: CUnsignedLongLong = 0
        return cp_seeded_random(&value) ? value : nil
    }
}
