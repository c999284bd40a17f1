public import SDBasics

/// The child sessions of a session, as a test runner creates one for each test of a run. Their requests count in the
/// parent's report.
public struct ChildSessions: Sendable {
    /// The number of sessions.
    public var count = 0
    public var served = 0
    public var unmatched = 0
    public var failed = 0
    /// The first sessions, in order of creation; those with problems precede others.
    public var sessions: [Session] = []

    /// The number of sessions not in the list; their requests still count.
    public var leftOut: Int { count - sessions.count }

    /// A child session.
    public struct Session: Sendable {
        public var test: Report.Test
        public var hasEnded: Bool
        public var served: Int
        public var unmatched: Int
        /// The reasons to fail that apply to it.
        public var reasons: [FailReason]
    }

    public init() {}
}

extension Report {
    /// Adds the report of a child session, including its own children.
    /// - Parameter part: its report, with the same scope.
    public mutating func add(_ part: Report, of test: Test, hasEnded: Bool) {
        childSessions.count += 1
        childSessions.served += part.served
        childSessions.unmatched += part.unmatchedCount
        childSessions.failed += part.failedCount
        childSessions.sessions.append(
            ChildSessions.Session(
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
        unused += part.unused.prefix(max(Self.maxOfAll - unused.count, 0))
        let room = max(Self.maxAsked - asked.count, 0)
        askedLeft += part.asked.dropFirst(room).sum(of: \.count)
        Self.append(Array(part.asked.prefix(room)), to: &asked, of: test, \.test, most: Self.maxAsked)
    }

    /// The largest number of kinds of answered requests.
    public static let maxAsked = 5_000

    /// Adds the counts of another report.
    public mutating func addCounts(of part: Report) {
        wasReset = wasReset || part.wasReset
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
        most: Int = maxOfAll
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
