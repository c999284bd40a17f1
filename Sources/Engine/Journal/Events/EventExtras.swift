package import SDHTTPTransport
package import SDMatching
package import SDReports
import Synchronization

/// The data of the few serve events that have any: notes of matchers, the report to an unmatched request, and others.
package final class EventExtras: Sendable {
    package let notes: [MatchNote]
    /// The full size in bytes of a truncated body; nil if the body is whole.
    package let wholeBody: Int?
    /// The file under `__files` that answered an unmatched request.
    package let file: String?
    /// The stub that has this response, if it has several; each response is compiled as a stub of its own.
    package let owner: JournaledStub?
    /// The request, if its body was streamed.
    let streamed: StreamedRequest?
    private let late: Mutex<Late>
    /// Whether there are effects. Most events have none, and each step of an answer checks. Written under the lock.
    private let hasEffects: Atomic<Bool>

    /// The data that may change once the event is in the journal.
    private struct Late: Sendable {
        /// The whole request, for listeners that read its body; until the answer begins.
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

    /// The faults and pauses of the answer. Replaced if another answer is sent instead of a waiting one.
    package var effects: EventEffects? {
        get { hasEffects.load(ordering: .acquiring) ? late.withLock { $0.effects } : nil }
        set {
            late.withLock { late in
                late.effects = newValue
                hasEffects.store(newValue != nil, ordering: .releasing)
            }
        }
    }

    /// Returns the request with its whole body, once; nil if no listener reads it.
    package func takeWholeRequest() -> Request? { late.withLock { $0.wholeRequest.take() } }

    /// The report that the client got, as text.
    package var unmatched: UnmatchedNote? {
        get { late.withLock { $0.report } }
        set { late.withLock { $0.report = newValue } }
    }

    /// The call to another server; nil unless the request was proxied.
    package var proxied: ProxiedNote? {
        get { late.withLock { $0.proxied } }
        set { late.withLock { $0.proxied = newValue } }
    }

    /// Records the time until the other server's head, in nanoseconds.
    package func note(latency: UInt64) { late.withLock { $0.proxied?.latency = latency } }

    /// The rule that answered instead of a stub; nil for none.
    package var rule: Report.Rule? {
        get { late.withLock { $0.rule } }
        set { late.withLock { $0.rule = newValue } }
    }

    /// The sub-events, ordered by time.
    var subEvents: [SubEvent] { late.withLock { $0.subEvents } }

    func append(_ subEvent: SubEvent) {
        late.withLock { $0.subEvents.append(subEvent) }
    }

    /// The approximate size of the notes in memory, in bytes, without the report and the sub-events.
    package var byteCount: Int {
        96 + (effects?.byteCount ?? 0) + (streamed?.byteCount ?? 0)
            + notes.reduce(0) { $0 + 48 + $1.message.utf8.count }
    }
}

/// The report to an unmatched request: WireMock's `REQUEST_NOT_MATCHED`.
public struct UnmatchedNote: Sendable {
    /// The report as the client got it, as text.
    public let report: String
    /// The report with secrets redacted.
    public let exported: String
    /// The duration of the search for near misses, in nanoseconds.
    public let offset: UInt64

    /// The largest size of a stored report in bytes; a report shows the request's body, which may be large.
    static let longestReport = 64 * 1024

    /// - Parameter redacted: the report with secrets redacted; nil if nothing is hidden.
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
