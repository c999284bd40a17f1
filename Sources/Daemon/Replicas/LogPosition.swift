/// A place in a stream of the shared server: the milliseconds and a number within them.
struct LogPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    var milliseconds: UInt64 = 0
    var number: UInt64 = 0

    static let start = LogPosition()

    init() {}

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = UInt64(parts[0]), let number = UInt64(parts[1]) else { return nil }
        guard milliseconds <= Self.latest, number <= Self.latest else { return nil }
        (self.milliseconds, self.number) = (milliseconds, number)
    }

    /// Later than any server's time: the year 2248.
    private static let latest: UInt64 = 1 << 43

    var description: String { "\(milliseconds)-\(number)" }

    /// The place as one number, in the same order.
    var asNumber: UInt64 { milliseconds << 20 | min(number, 1 << 20 - 1) }

    /// The next possible place.
    var next: LogPosition {
        var next = self
        next.number += 1
        return next
    }

    static func < (one: LogPosition, other: LogPosition) -> Bool {
        (one.milliseconds, one.number) < (other.milliseconds, other.number)
    }
}
