import SDPlatform

/// Keeps clients from flooding the log: a limited number of lines per kind and second is written, further ones are
/// counted.
struct LineBudget {
    static let linesPerSecond = 20

    private var second: Int64 = .min
    private var written = 0
    private(set) var withheld = 0

    enum Verdict: Equatable {
        /// Write the line; this many were suppressed before it.
        case write(withheldBefore: Int)
        /// Write that lines are being suppressed.
        case logSuppression
        case withhold
    }

    /// Decides about the next line.
    /// - Parameter now: milliseconds of a monotonic clock.
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
        return withheld == 1 ? .logSuppression : .withhold
    }
}
