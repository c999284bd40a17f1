import SDBasics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A point in time: whole seconds since 1970-01-01T00:00:00Z, rounded down, plus nanoseconds (0 to 999,999,999).
public struct Moment: Sendable, Hashable, Comparable {
    public let seconds: Int
    public let nanoseconds: Int

    /// Makes a moment. Excess nanoseconds are carried into the seconds; on overflow the value is clamped.
    public init(seconds: Int, nanoseconds: Int = 0) {
        let (carry, rest) = nanoseconds.flooredDivision(by: 1_000_000_000)
        let (sum, overflow) = seconds.addingReportingOverflow(carry)
        self.seconds = overflow ? (carry > 0 ? .max : .min) : sum
        self.nanoseconds = rest
    }

    /// Makes a moment from milliseconds since 1970, as in the format `epoch`.
    public init(epochMilliseconds: Int) {
        let (seconds, rest) = epochMilliseconds.flooredDivision(by: 1000)
        self.init(seconds: seconds, nanoseconds: rest * 1_000_000)
    }

    /// The system clock's time.
    public static var now: Moment {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Moment(seconds: 0) }
        return Moment(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }

    /// Milliseconds since 1970, rounded down; on overflow the value is clamped.
    public var epochMilliseconds: Int {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, carried) = product.addingReportingOverflow(nanoseconds / 1_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : carried ? .max : sum
    }

    public static func < (left: Moment, right: Moment) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
