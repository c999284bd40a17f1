/// The times of any number of answers in a fixed memory: each is counted among those that took about as long.
public struct TimeHistogram: Sendable {
    public private(set) var count = 0
    /// The shortest time in nanoseconds, and the longest; of no meaning without any.
    public private(set) var least = UInt64.max
    public private(set) var most: UInt64 = 0
    /// The numbers of times within each eighth of an octave; empty without any.
    private var parts: [UInt32] = []

    /// What takes less than 2 to the power of this, in nanoseconds, is counted as one: a microsecond.
    private static let firstOctave = 10
    /// The number of parts: 32 octaves, of which the last ends after more than an hour.
    private static let partCount = 32 * 8

    public init() {}

    public mutating func add(_ nanoseconds: UInt64) {
        if parts.isEmpty { parts = Array(repeating: 0, count: Self.partCount) }
        count += 1
        if nanoseconds < least { least = nanoseconds }
        if nanoseconds > most { most = nanoseconds }
        parts[Self.part(of: nanoseconds)] &+= 1
    }

    /// Adds all times of another one.
    public mutating func add(_ other: TimeHistogram) {
        guard other.count > 0 else { return }
        if parts.isEmpty { parts = Array(repeating: 0, count: Self.partCount) }
        count += other.count
        least = min(least, other.least)
        most = max(most, other.most)
        for part in parts.indices { parts[part] &+= other.parts[part] }
    }

    /// How many times are longer, right to a sixteenth of the limit.
    func count(over nanoseconds: UInt64) -> Int {
        parts.isEmpty ? 0 : parts[(Self.part(of: nanoseconds) + 1)...].reduce(0) { $0 + Int($1) }
    }

    private static func part(of nanoseconds: UInt64) -> Int {
        let octave = 63 - nanoseconds.leadingZeroBitCount
        guard octave >= firstOctave else { return 0 }
        let eighth = Int(truncatingIfNeeded: nanoseconds >> UInt64(octave - 3)) & 7
        return min((octave - firstOctave) * 8 + eighth, partCount - 1)
    }

    /// The beginning of a part, and its width, in nanoseconds.
    private static func bounds(of part: Int) -> (begin: Double, width: Double) {
        let width = Double(UInt64(1) << UInt64(firstOctave + part / 8 - 3))
        return (Double(8 + part % 8) * width, width)
    }

    /// The time within which a share of the answers was given, in milliseconds: right to a sixteenth, as if the times
    /// of a part were spread over it.
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

    /// The numbers of times up to each of some bounds in milliseconds, and of longer ones; what is in one part with a
    /// bound is up to it.
    func counts(upTo limits: [Double]) -> [Int] {
        var counts = Array(repeating: 0, count: limits.count + 1)
        for (part, number) in parts.enumerated() where number > 0 {
            let begin = Self.bounds(of: part).begin / 1_000_000
            counts[limits.firstIndex { begin <= $0 } ?? limits.count] += Int(number)
        }
        return counts
    }
}
