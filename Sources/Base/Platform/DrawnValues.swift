import SDCPlatform

/// Numbers that a seed decides, for all that a thread draws while it applies a change that other machines apply, too: so
/// ids are the same on all of them.
package enum DrawnValues {
    /// Runs `body`, in which `next` gives the numbers of this seed on the calling thread. Within another call, the outer one
    /// goes on with numbers of its own that `body` had no part in.
    /// - Throws: what `body` throws.
    package static func with<Result, Failure: Error>(
        seed: UInt64, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = next()
        cp_begin_draws(seed)
        defer {
            if let outer { cp_begin_draws(outer) } else { cp_end_draws() }
        }
        return try body()
    }

    /// The next number of the calling thread; nil outside of `with`.
    package static func next() -> UInt64? {
        var value: CUnsignedLongLong = 0
        return cp_draw(&value) ? value : nil
    }
}
