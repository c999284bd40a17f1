import SDJournal
import SDReports
import SDStubModel

/// An ended session, as of its end.
public struct PastSession: Sendable {
    public let id: SessionID
    /// The label with secrets redacted; nil if none was given.
    public let name: String?
    public let inherits: Bool
    /// The times at which the session began and ended, in nanoseconds since 1970.
    public let createdAt: UInt64
    public let endedAt: UInt64
    public let served: Int
    public let unmatched: Int
    public let failed: Int
    /// The verdict of its report, with the default reasons to fail.
    public let verdict: String
    /// The ids of its parent sessions.
    private let origins: [String]
    private let record: SessionRecord

    init(_ live: LiveSession, _ record: SessionRecord, endedAt: UInt64) {
        var record = record
        record.stats.dropTimes()
        self.record = record
        verdict = record.report(ReportQuestion()).verdict
        id = live.id
        name = live.redactedName
        inherits = live.inherits
        createdAt = live.createdAt
        self.endedAt = endedAt
        let counts = live.session.counts
        (served, unmatched, failed) = (Int(counts.served), Int(counts.unmatched), Int(counts.failed))
        origins = live.session.originLabels
    }

    /// The session's report; its journal is no longer available.
    public func report(_ question: ReportQuestion = ReportQuestion()) -> SessionReport {
        SessionReport(report: record.report(question), unmatched: [], failed: [], unused: [], began: nil)
    }

    /// Whether a call to the given session may name this one.
    func isVisible(to caller: Session) -> Bool { caller.options.label.map(origins.contains) ?? true }
}

/// The sessions that ended last.
struct PastSessions: Sendable {
    private static let most = 200
    private(set) var all: [PastSession] = []

    mutating func add(_ session: PastSession) {
        if all.count == Self.most { all.removeFirst() }
        all.append(session)
    }
}

extension Session {
    /// The ids of the parent sessions, without the default session.
    fileprivate var originLabels: [String] {
        var labels: [String] = []
        var next = origin
        while let one = next {
            if let label = one.options.label { labels.append(label) }
            next = one.origin
        }
        return labels
    }
}
