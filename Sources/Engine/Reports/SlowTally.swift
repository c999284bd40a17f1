import SDStubModel

/// The slowest answers, in a bounded memory. Any number that is asked for is right as long as not all that are kept are
/// slower than the limit; then it is at least theirs.
public struct SlowTally: Sendable {
    private var entries: [Entry] = []
    /// No answer that is kept was faster, in nanoseconds, once there is no room.
    private var least: UInt64 = 0

    /// The most answers that are kept.
    static let most = 100
    /// The longest part of a URL, and of a path, that is kept.
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
    ///   - answer: asked for one that is kept: it, and the path of its request, nil where that does not matter.
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

    public mutating func add(_ other: SlowTally, of test: Report.Test?) {
        for entry in other.entries {
            add(entry.time) {
                var answer = entry.answer
                answer.test = answer.test ?? test
                return (answer, entry.path)
            }
        }
    }

    /// The answers that took longer than a limit, the slowest first.
    /// - Parameters:
    ///   - milliseconds: the limit.
    ///   - times: those of all answers, which tell how many there are where not all are kept.
    ///   - isIgnored: whether requests for a path do not count.
    public func findings(
        over milliseconds: Int, of times: TimeHistogram, ignoring isIgnored: ([UInt8]) -> Bool
    ) -> (answers: [Report.Slow], count: Int) {
        let limit = UInt64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000)
        let nanoseconds = limit.overflow ? .max : limit.partialValue
        let over = entries.filter { $0.time > nanoseconds }
        let counted = over.filter { !($0.path.map(isIgnored) ?? false) }
        let answers = counted.sorted { $0.time > $1.time }.map(\.answer)
        // Those that are not kept are faster than all that are.
        let rest = over.count == Self.most ? max(times.count(over: nanoseconds) - over.count, 0) : 0
        return (answers, answers.count + rest)
    }
}

extension SlowTally.Entry {
    fileprivate init(_ time: UInt64, _ made: (answer: Report.Slow, path: [UInt8]?)) {
        self.time = time
        var answer = made.answer
        if answer.url.utf8.count > SlowTally.longest { answer.url = answer.url.prefix(SlowTally.longest) + "…" }
        self.answer = answer
        path = made.path.map { Array($0.prefix(SlowTally.longest)) }
    }
}
