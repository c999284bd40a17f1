import SDStubModel

/// The answers that broke off, by kind of request, in a bounded memory.
public struct AbortedTally: Sendable {
    private var entries: [Key: Entry] = [:]
    /// The number of those for whose kinds there was no room.
    private var rest = 0

    /// The most kinds.
    private static let most = 200
    /// The longest part of a URL, and of a path, that is kept.
    private static let longest = 300

    private struct Key: Hashable {
        let method: String
        let url: String
        let stub: StubReference?
        let reason: String
        let test: Report.Test?
    }

    private struct Entry {
        /// The place in the order of the first.
        let number: Int
        var answer: Report.Aborted
        let path: [UInt8]
    }

    public init() {}

    /// Adds answers as often as it says.
    public mutating func add(_ answer: Report.Aborted, path: [UInt8]) {
        var answer = answer
        if answer.url.utf8.count > Self.longest { answer.url = answer.url.prefix(Self.longest) + "…" }
        let key = Key(
            method: answer.method, url: answer.url, stub: answer.stub, reason: answer.reason, test: answer.test)
        if entries[key] != nil {
            entries[key]?.answer.count += answer.count
        } else if entries.count < Self.most {
            entries[key] = Entry(number: entries.count, answer: answer, path: Array(path.prefix(Self.longest)))
        } else {
            rest += answer.count
        }
    }

    public mutating func add(_ other: AbortedTally, of test: Report.Test?) {
        for entry in other.inOrder {
            var answer = entry.answer
            answer.test = answer.test ?? test
            add(answer, path: entry.path)
        }
        rest += other.rest
    }

    private var inOrder: [Entry] { entries.values.sorted { $0.number < $1.number } }

    /// The answers by kind, in the order of the first of each, and how many there are.
    /// - Parameter isIgnored: whether requests for a path do not count.
    public func findings(ignoring isIgnored: ([UInt8]) -> Bool) -> (answers: [Report.Aborted], count: Int) {
        let answers = inOrder.filter { !isIgnored($0.path) }.map(\.answer)
        return (answers, answers.sum(of: \.count) + rest)
    }
}
