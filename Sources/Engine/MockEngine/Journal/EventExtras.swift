import Matching
import Synchronization

/// What few serve events carry: what matchers noted, and the report to a request that no stub matched.
final class EventExtras: Sendable {
    let notes: [MatchNote]
    /// The size of a body that is kept cut; nil where it is whole.
    let wholeBody: Int?
    /// The file under `__files` that answered a request that no stub matched.
    let file: String?
    /// The stub whose response answered, where it has several and each is matched by itself.
    let owner: CompiledStub?
    private let report = Mutex<UnmatchedNote?>(nil)

    init(_ notes: [MatchNote], wholeBody: Int?, file: String? = nil, owner: CompiledStub? = nil) {
        self.notes = notes
        self.wholeBody = wholeBody
        self.file = file
        self.owner = owner
    }

    /// The report that the client was sent, as a text.
    var unmatched: UnmatchedNote? {
        get { report.withLock { $0 } }
        set { report.withLock { $0 = newValue } }
    }

    /// What the notes hold in memory, roughly; the report is not among it.
    var byteCount: Int {
        96 + notes.reduce(0) { $0 + 48 + $1.message.utf8.count }
    }
}

/// WireMock's `REQUEST_NOT_MATCHED`.
struct UnmatchedNote: Sendable {
    let report: String
    /// How long the search for what came nearest took: nanoseconds.
    let offset: UInt64

    /// A report shows the request's body, and a body may be large.
    static let longestReport = 64 * 1024

    init(_ report: String, offset: UInt64) {
        let isLong = report.utf8.count > Self.longestReport
        self.report = isLong ? String(decoding: report.utf8.prefix(Self.longestReport), as: UTF8.self) + "\n…" : report
        self.offset = offset
    }

    var byteCount: Int { report.utf8.count + 32 }
}
