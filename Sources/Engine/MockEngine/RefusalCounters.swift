import SDHTTPTransport
import SDJournal
public import SDReports
import SDStubModel
import Synchronization

/// The refusals in a session and its children, counted by kind. Most never reach a journal.
final class RefusalCounters: Sendable {
    /// The longest stored text, in characters; parts of it come from clients.
    private static let longest = 1_000

    private let shared: SharedResources
    /// The largest number of kinds.
    private let most: Int
    private let state = Mutex(State())

    private struct Key: Hashable {
        let kind: Report.Refusal.Kind
        let subject: String
        let reason: String
        let place: FileLocation?
        let test: Report.Test?
    }

    private struct State {
        var count: UInt64 = 0
        /// The number of refusals before the current report; they do not count.
        var begin: UInt64 = 0
        var places: [Key: Int] = [:]
        var entries: [Entry] = []
        /// The paths and the total of requests for ended or unknown sessions.
        var paths = PathCounts()
        var misdirected = 0
        /// The refusals that were logged, without their reason. They are not logged again, even after a reset.
        var told: Set<Key> = []
    }

    private struct Entry {
        var refusal: Report.Refusal
        let path: [UInt8]?
        /// The number of the last refusal of this kind.
        var last: UInt64
    }

    init(_ shared: SharedResources, most: Int = Report.most) {
        self.shared = shared
        self.most = most
    }

    deinit {
        reset()
    }

    /// Clears everything that counts for reports.
    func reset() {
        let forgotten = state.withLock { state in
            defer { state = State(count: state.count, begin: state.count, told: state.told) }
            return state.entries.count
        }
        shared.failedKinds.subtract(forgotten, ordering: .relaxed)
    }

    /// - Parameter path: the path, for a request for an ended or unknown session.
    /// - Returns: whether it is the first refusal with this subject.
    @discardableResult
    func note(_ refusal: Report.Refusal, path: [UInt8]? = nil) -> Bool {
        var refusal = refusal
        refusal.subject = String(refusal.subject.prefix(Self.longest))
        refusal.reason = String(refusal.reason.prefix(Self.longest))
        let key = Key(
            kind: refusal.kind, subject: refusal.subject, reason: refusal.reason, place: refusal.place,
            test: refusal.test)
        let subject = Key(
            kind: refusal.kind, subject: refusal.subject, reason: "", place: nil, test: refusal.test)
        let kept = refusal
        return state.withLock { state in
            state.count += 1
            if let path {
                state.misdirected += 1
                state.paths.add(path)
            }
            if let place = state.places[key] {
                state.entries[place].refusal.count += 1
                state.entries[place].last = state.count
            } else if state.entries.count < most, shared.reserveFailedKind() {
                state.places[key] = state.entries.count
                state.entries.append(Entry(refusal: kept, path: path, last: state.count))
            }
            return state.told.count < most && state.told.insert(subject).inserted
        }
    }

    /// Whether this kind is stored, or the limit of kinds is reached.
    func knows(_ refusal: Report.Refusal) -> Bool {
        let key = Key(
            kind: refusal.kind, subject: String(refusal.subject.prefix(Self.longest)),
            reason: String(refusal.reason.prefix(Self.longest)), place: refusal.place, test: refusal.test)
        return state.withLock { $0.places[key] != nil || $0.entries.count >= most }
    }

    /// The number of refusals since the session began.
    var count: UInt64 { state.withLock(\.count) }

    struct Findings {
        /// The kinds, ordered by their first refusal.
        var refusals: [Report.Refusal] = []
        /// The number of all refusals.
        var count = 0
        /// The number of requests for ended or unknown sessions.
        var misdirected = 0
    }

    /// The refusals after the first `count`.
    /// - Parameter isIgnored: whether requests for a path are excluded.
    func findings(
        after number: UInt64 = 0, _ isIgnored: ([UInt8]) -> Bool = { _ in false }
    ) -> Findings {
        let state = state.withLock { $0 }
        let number = max(number, state.begin)
        let ignored = state.paths.sum(where: isIgnored)
        return Findings(
            refusals: state.entries.filter { $0.last > number && !($0.path.map(isIgnored) ?? false) }.map(\.refusal),
            count: max(Int(clamping: state.count - min(state.count, number)) - ignored, 0),
            misdirected: state.misdirected - ignored)
    }
}

extension Report {
    mutating func add(_ found: RefusalCounters.Findings) {
        refusals += found.refusals
        refusedCount += found.count
        misdirectedCount += found.misdirected
    }
}

extension Session {
    /// When a refusal is logged.
    enum RefusalLogging {
        case always
        /// The first refusal with its subject is logged.
        case once
        /// Never; the caller logs it.
        case never
    }

    /// Records a refusal for the reports of the session and its parents.
    /// - Parameters:
    ///   - path: the path, for a request for an ended or unknown session.
    ///   - nearest: finds the nearest message stub, for the first of a kind.
    func noteRefusal(
        _ kind: Report.Refusal.Kind, _ subject: String, _ reason: String, at place: FileLocation? = nil,
        path: [UInt8]? = nil, logging: RefusalLogging = .always,
        nearest: () -> Report.NearestMessageStub? = { nil }
    ) {
        let redaction = redaction
        var refusal = Report.Refusal(
            kind, redaction.redactedURL(subject), redaction.redactedURL(reason), at: place)
        if !refusals.knows(refusal) { refusal.nearest = nearest() }
        notes?.add(.refusal) { refusal.pack(path: path, to: &$0) }
        let isFirst = keep(refusal, path: path)
        if logging == .always || logging == .once && isFirst { trouble?.refused(refusal, session: options.label) }
    }

    /// Stores a refusal for the reports.
    /// - Returns: whether it is the first refusal with this subject.
    @discardableResult
    func keep(_ new: Report.Refusal, path: [UInt8]?) -> Bool {
        let isFirst = refusals.note(new, path: path)
        var refusal = new
        refusal.test = options.label.map { Report.Test(id: $0, name: options.name.map(redaction.redactedURL)) }
        var next = origin
        while let outer = next {
            outer.childRefusals.note(refusal, path: path)
            next = outer.origin
        }
        return isFirst
    }

    /// The refusals in the session and its children since its report began: the first kinds, and the total.
    public var refused: (refusals: [Report.Refusal], count: Int) {
        let (own, begun) = (refusals.findings(), childRefusals.findings())
        return (own.refusals + begun.refusals, own.count + begun.count)
    }
}
