/// The response times of any number of answers in fixed memory, as a histogram.
public struct TimeHistogram: Sendable {
    public private(set) var count = 0
    /// The shortest and the longest time in nanoseconds; meaningless without any time.
    public private(set) var least = UInt64.max
    public private(set) var most: UInt64 = 0
    /// The number of times within each eighth of an octave; empty without any time.
    private var parts: [UInt32] = []

    /// Times below 2 to the power of this, in nanoseconds, share one bucket: a microsecond.
    private static let firstOctave = 10
    /// The number of buckets: 32 octaves, of which the last ends after more than an hour.
    private static let partCount = 32 * 8

    public init() {}

    public mutating func add(_ nanoseconds: UInt64) {
        if parts.isEmpty { parts = Array(repeating: 0, count: Self.partCount) }
        count += 1
        if nanoseconds < least { least = nanoseconds }
        if nanoseconds > most { most = nanoseconds }
        parts[Self.part(of: nanoseconds)] &+= 1
    }

    /// Adds all times of another histogram.
    public mutating func add(_ other: TimeHistogram) {
        guard other.count > 0 else { return }
        if parts.isEmpty { parts = Array(repeating: 0, count: Self.partCount) }
        count += other.count
        least = min(least, other.least)
        most = max(most, other.most)
        for part in parts.indices { parts[part] &+= other.parts[part] }
    }

    /// The number of longer times, exact to a sixteenth of the limit.
    func count(over nanoseconds: UInt64) -> Int {
        parts.isEmpty ? 0 : parts[(Self.part(of: nanoseconds) + 1)...].reduce(0) { $0 + Int($1) }
    }

    private static func part(of nanoseconds: UInt64) -> Int {
        let octave = 63 - nanoseconds.leadingZeroBitCount
        guard octave >= firstOctave else { return 0 }
        let eighth = Int(truncatingIfNeeded: nanoseconds >> UInt64(octave - 3)) & 7
        return min((octave - firstOctave) * 8 + eighth, partCount - 1)
    }

    /// The start of a bucket, and its width, in nanoseconds.
    private static func bounds(of part: Int) -> (begin: Double, width: Double) {
        let width = Double(UInt64(1) << UInt64(firstOctave + part / 8 - 3))
        return (Double(8 + part % 8) * width, width)
    }

    /// The quantile of a share of the answers, in milliseconds: exact to a sixteenth, interpolated within a bucket.
    func within(_ share: Double) -> Double {
        let rank = max((share * Double(count)).rounded(.up), 1)
        var before = 0.0
        for (part, number) in parts.enumerated() where number > 0 {
            if before + Double(number) >= rank {
                let (begin, width) = Self.bounds(of: part)
                let time = begin + (rank - before - 0.5) / Double(number) * width
                return min(max(time, Double(least)), Double(most)) / 1_000_000
            }
            before += Double(number)
        }
        return Double(most) / 1_000_000
    }

    /// The number of times up to each bound in milliseconds, and of longer ones. A bucket that contains a bound counts
    /// as below it.
    func counts(upTo limits: [Double]) -> [Int] {
        var counts = Array(repeating: 0, count: limits.count + 1)
        for (part, number) in parts.enumerated() where number > 0 {
            let begin = Self.bounds(of: part).begin / 1_000_000
            counts[limits.firstIndex { begin <= $0 } ?? limits.count] += Int(number)
        }
        return counts
    }
}
