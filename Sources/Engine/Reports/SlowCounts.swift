import SDStubModel

/// The slowest answers, in bounded memory. Counts are exact unless all stored answers exceed the limit; then they are
/// lower bounds.
public struct SlowCounts: Sendable {
    private var entries: [Entry] = []
    /// The fastest stored answer in nanoseconds, once the memory is full.
    private var least: UInt64 = 0

    /// The largest number of stored answers.
    static let most = 100
    /// The longest stored part of a URL and of a path.
    fileprivate static let longest = 300

    fileprivate struct Entry {
        let time: UInt64
        let answer: Report.Slow
        let path: [UInt8]?
    }

    public init() {}

    /// Adds an answer.
    /// - Parameters:
    ///   - time: from the arrival of the request to the last byte, in nanoseconds.
    ///   - answer: called if the answer is stored: returns it, and the path of its request; nil if that does not
    ///     matter.
    public mutating func add(_ time: UInt64, _ answer: () -> (Report.Slow, path: [UInt8]?)) {
        if entries.count < Self.most {
            add(Entry(time, answer()))
        } else if time > least, let place = entries.indices.min(by: { entries[$0].time < entries[$1].time }) {
            entries.remove(at: place)
            add(Entry(time, answer()))
        }
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        if entries.count == Self.most { least = entries.map(\.time).min() ?? 0 }
    }

    public mutating func add(_ other: SlowCounts, of test: Report.Test?) {
        for entry in other.entries {
            add(entry.time) {
                var answer = entry.answer
                answer.test = answer.test ?? test
                return (answer, entry.path)
            }
        }
    }

    /// The answers that took longer than a limit, slowest first.
    /// - Parameters:
    ///   - milliseconds: the limit.
    ///   - times: the times of all answers, for the count if not all are stored.
    ///   - isIgnored: whether requests for a path are excluded.
    public func findings(
        over milliseconds: Int, of times: TimeHistogram, ignoring isIgnored: ([UInt8]) -> Bool
    ) -> (answers: [Report.Slow], count: Int) {
        let limit = UInt64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000)
        let nanoseconds = limit.overflow ? .max : limit.partialValue
        let over = entries.filter { $0.time > nanoseconds }
        let counted = over.filter { !($0.path.map(isIgnored) ?? false) }
        let answers = counted.sorted { $0.time > $1.time }.map(\.answer)
        // Answers that are not stored are faster than all stored ones.
        let rest = over.count == Self.most ? max(times.count(over: nanoseconds) - over.count, 0) : 0
        return (answers, answers.count + rest)
    }
}

extension SlowCounts.Entry {
    fileprivate init(_ time: UInt64, _ made: (answer: Report.Slow, path: [UInt8]?)) {
        self.time = time
        var answer = made.answer
        if answer.url.utf8.count > SlowCounts.longest { answer.url = answer.url.prefix(SlowCounts.longest) + "…" }
        self.answer = answer
        path = made.path.map { Array($0.prefix(SlowCounts.longest)) }
    }
}
