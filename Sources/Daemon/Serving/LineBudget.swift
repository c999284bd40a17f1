import SDPlatform

/// Keeps clients from filling the log: a limited number of lines of each kind is written in a second, the others are
/// counted.
struct LineBudget {
    static let linesPerSecond = 20

    private var second: Int64 = .min
    private var written = 0
    private(set) var withheld = 0

    enum Verdict: Equatable {
        /// Write the line; this many were withheld before it.
        case write(withheldBefore: Int)
        /// Write that no more lines are written for now.
        case tellOfWithholding
        case withhold
    }

    /// Decides about the next line.
    /// - Parameter now: the time in milliseconds of a monotonic clock.
    mutating func next(now: Int64 = SystemCalls.monotonicMilliseconds()) -> Verdict {
        if now / 1_000 != second {
            second = now / 1_000
            written = 0
        }
        written += 1
        if written <= Self.linesPerSecond {
            defer { withheld = 0 }
            return .write(withheldBefore: withheld)
        }
        withheld += 1
        return withheld == 1 ? .tellOfWithholding : .withhold
    }
}
