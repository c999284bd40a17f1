public import SDBasics

/// The sessions that were begun by calls to another one, as a runner of tests begins one for each test of a run. What they
/// saw counts in the report of the session that they were begun through.
public struct BegunSessions: Sendable {
    /// The number of sessions.
    public var count = 0
    public var served = 0
    public var unmatched = 0
    public var failed = 0
    /// The sessions, in the order in which they began; the first of them only, and those before others that have
    /// something to tell.
    public var sessions: [Session] = []

    /// The number of those that are in no list: their requests count all the same.
    public var leftOut: Int { count - sessions.count }

    /// One of them.
    public struct Session: Sendable {
        public var test: Report.Test
        public var hasEnded: Bool
        public var served: Int
        public var unmatched: Int
        /// The reasons that it meets, of those that fail the verdict.
        public var reasons: [FailReason]
    }

    public init() {}
}

extension Report {
    /// Adds what a session saw that was begun through this one, with those begun through that.
    /// - Parameter part: its report, by the same question.
    public mutating func add(_ part: Report, of test: Test, hasEnded: Bool) {
        begun.count += 1
        begun.served += part.served
        begun.unmatched += part.unmatchedCount
        begun.failed += part.failedCount
        begun.sessions.append(
            BegunSessions.Session(
                test: test, hasEnded: hasEnded, served: part.served, unmatched: part.unmatchedCount,
                reasons: part.reasons))
        addCounts(of: part)
        Self.append(part.unmatched, to: &unmatched, of: test, \.test)
        Self.append(part.failed, to: &failed, of: test, \.test)
        Self.append(part.used, to: &used, of: test, \.test)
        Self.append(part.unmet, to: &unmet, of: test, \.test)
        Self.append(part.faults, to: &faults, of: test, \.test)
        Self.append(part.aborted, to: &aborted, of: test, \.test)
        Self.append(part.open, to: &open, of: test, \.test)
        Self.append(part.slow, to: &slow, of: test, \.test)
        Self.append(part.webhooks, to: &webhooks, of: test, \.test)
        unused += part.unused.prefix(max(Self.mostOfAll - unused.count, 0))
        let room = max(Self.mostAsked - asked.count, 0)
        askedLeft += part.asked.dropFirst(room).sum(of: \.count)
        Self.append(Array(part.asked.prefix(room)), to: &asked, of: test, \.test, most: Self.mostAsked)
    }

    /// The largest number of kinds of answered requests.
    public static let mostAsked = 5_000

    /// Adds the numbers of what another report has.
    public mutating func addCounts(of part: Report) {
        isBegunAnew = isBegunAnew || part.isBegunAnew
        served += part.served
        passedThrough += part.passedThrough
        ignored += part.ignored
        evicted += part.evicted
        unmatchedCount += part.unmatchedCount
        failedCount += part.failedCount
        usedCount += part.usedCount
        unusedCount += part.unusedCount
        unmetCount += part.unmetCount
        faultCount += part.faultCount
        abortedCount += part.abortedCount
        openCount += part.openCount
        slowCount += part.slowCount
        webhookCount += part.webhookCount
        pendingWebhooks += part.pendingWebhooks
        askedLeft += part.askedLeft
    }

    private static func append<Entry>(
        _ entries: [Entry], to list: inout [Entry], of test: Test, _ member: WritableKeyPath<Entry, Test?>,
        most: Int = mostOfAll
    ) {
        for var entry in entries.prefix(max(most - list.count, 0)) {
            entry[keyPath: member] = test
            list.append(entry)
        }
    }
}

extension ArraySlice {
    package func sum(of count: (Element) -> Int) -> Int { reduce(0) { $0 + count($1) } }
}
