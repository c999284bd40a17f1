import Platform

/// Keeps what clients do from filling the log: of one kind of line so many are written in a second, the others are counted.
struct LineBudget {
    static let linesPerSecond = 20

    private var second: Int64 = .min
    private var written = 0
    private(set) var withheld = 0

    enum Verdict: Equatable {
        /// Write it; so many were withheld before it.
        case write(withheldBefore: Int)
        /// Write that no more are written for now.
        case tellOfWithholding
        case withhold
    }

    /// - Parameter now: milliseconds that only go forward.
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
