/// The number of requests that a stub has answered, and the times of the first and the last one in nanoseconds since
/// 1970; 0 if there was none.
public struct HitCount: Sendable {
    public package(set) var matches = 0
    package var first: UInt64 = 0
    package var last: UInt64 = 0
    /// The number of `matches` at the last reset of the report.
    package var reported = 0

    package init(matches: Int = 0, first: UInt64 = 0, last: UInt64 = 0, reported: Int = 0) {
        self.matches = matches
        self.first = first
        self.last = last
        self.reported = reported
    }

    /// The number of requests since the last reset of the report.
    package var toReport: Int { matches - reported }

    package mutating func beginReport() {
        reported = matches
    }

    package mutating func add(at time: UInt64) {
        matches += 1
        if first == 0 { first = time }
        last = time
    }

    /// Counts a request that another replica answered; later requests may be counted already.
    package mutating func add(elsewhereAt time: UInt64) {
        matches += 1
        first = first == 0 ? time : min(first, time)
        last = max(last, time)
    }

    /// The times in milliseconds since 1970; nil if it has not answered.
    public var times: (first: Int64, last: Int64)? {
        first == 0 ? nil : (Int64(first / 1_000_000), Int64(last / 1_000_000))
    }
}
