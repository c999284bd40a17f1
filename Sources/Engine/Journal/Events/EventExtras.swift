package import SDHTTPTransport
package import SDMatching
package import SDReports
import Synchronization

/// The data that only a few serve events have: the notes of matchers, and the report to an unmatched request.
package final class EventExtras: Sendable {
    package let notes: [MatchNote]
    /// The size in bytes of a body that is kept truncated; nil if it is whole.
    package let wholeBody: Int?
    /// The file under `__files` that answered an unmatched request.
    package let file: String?
    /// The stub that the response belongs to, if the stub has several, each of which is compiled as a stub.
    package let owner: JournaledStub?
    /// The request, if its body was passed on while it came.
    let streamed: StreamedRequest?
    private let late: Mutex<Late>
    /// Whether there are effects: most events have none, and are asked at each step of their answer. Written under the lock.
    private let hasEffects: Atomic<Bool>

    /// What may change once the event is in the journal.
    private struct Late: Sendable {
        /// The request, for listeners that read its whole body, until its answer begins.
        var wholeRequest: Request?
        var effects: EventEffects?
        var report: UnmatchedNote?
        var subEvents: [SubEvent] = []
        var proxied: ProxiedNote?
        var rule: Report.Rule?
    }

    package init(
        _ notes: [MatchNote], wholeBody: Int?, file: String? = nil, owner: JournaledStub? = nil,
        effects: EventEffects? = nil, wholeRequest: Request? = nil, streamed: StreamedRequest? = nil
    ) {
        self.streamed = streamed
        self.notes = notes
        self.wholeBody = wholeBody
        self.file = file
        self.owner = owner
        late = Mutex(Late(wholeRequest: wholeRequest, effects: effects))
        hasEffects = Atomic(effects != nil)
    }

    /// The faults and pauses of the answer; others, once another answer takes the place of one that waited.
    package var effects: EventEffects? {
        get { hasEffects.load(ordering: .acquiring) ? late.withLock { $0.effects } : nil }
        set {
            late.withLock { late in
                late.effects = newValue
                hasEffects.store(newValue != nil, ordering: .releasing)
            }
        }
    }

    /// Takes the request with the body of which the event keeps the beginning, once; nil if no listener reads it.
    package func takeWholeRequest() -> Request? { late.withLock { $0.wholeRequest.take() } }

    /// The report that the client got, as text.
    package var unmatched: UnmatchedNote? {
        get { late.withLock { $0.report } }
        set { late.withLock { $0.report = newValue } }
    }

    /// The call to another server; nil unless the request was sent on.
    package var proxied: ProxiedNote? {
        get { late.withLock { $0.proxied } }
        set { late.withLock { $0.proxied = newValue } }
    }

    /// Notes the time until the other server's head, in nanoseconds.
    package func note(latency: UInt64) { late.withLock { $0.proxied?.latency = latency } }

    /// What answered in place of a stub; nil for nothing that has a name.
    package var rule: Report.Rule? {
        get { late.withLock { $0.rule } }
        set { late.withLock { $0.rule = newValue } }
    }

    /// What was done for the request since, in the order of time.
    var subEvents: [SubEvent] { late.withLock { $0.subEvents } }

    func append(_ subEvent: SubEvent) {
        late.withLock { $0.subEvents.append(subEvent) }
    }

    /// The approximate size of the notes in memory, in bytes; the report and the sub-events are not
    /// included.
    package var byteCount: Int {
        96 + (effects?.byteCount ?? 0) + (streamed?.byteCount ?? 0)
            + notes.reduce(0) { $0 + 48 + $1.message.utf8.count }
    }
}

/// WireMock's `REQUEST_NOT_MATCHED`.
public struct UnmatchedNote: Sendable {
    /// The report as the client got it, as text.
    public let report: String
    /// The report without the values that are hidden in exports.
    public let exported: String
    /// The duration of the search for near misses, in nanoseconds.
    public let offset: UInt64

    /// The limit for a kept report in bytes, since a report shows the request's body, which may be large.
    static let longestReport = 64 * 1024

    /// - Parameter redacted: the report without the values to hide; nil if nothing is to be hidden.
    package init(_ report: String, redacted: String?, offset: UInt64) {
        self.report = Self.kept(report)
        exported = redacted.map(Self.kept) ?? self.report
        isRedacted = redacted != nil
        self.offset = offset
    }

    private let isRedacted: Bool

    private static func kept(_ report: String) -> String {
        guard report.utf8.count > longestReport else { return report }
        return String(decoding: report.utf8.prefix(longestReport), as: UTF8.self) + "\n…"
    }

    package var byteCount: Int { report.utf8.count + (isRedacted ? exported.utf8.count : 0) + 48 }
}
