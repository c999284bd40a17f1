import SDJournal
public import SDReports
import SDStubModel
import Synchronization

/// What was refused in a session, or in those that were begun through it, each kind once: of most of it no journal knows.
final class RefusalLedger: Sendable {
    /// The longest text that is kept, in characters: clients write parts of them.
    private static let longest = 1_000

    private let shared: SharedResources
    /// The most kinds.
    private let most: Int
    private let state = Mutex(State())

    private struct Key: Hashable {
        let kind: Report.Refusal.Kind
        let subject: String
        let reason: String
        let place: FilePlace?
        let test: Report.Test?
    }

    private struct State {
        var count: UInt64 = 0
        /// Those before do not count.
        var begin: UInt64 = 0
        var places: [Key: Int] = [:]
        var entries: [Entry] = []
        /// The paths of requests for sessions that had ended or never were, and the number of all of these.
        var paths = PathCounts()
        var misdirected = 0
        /// What the log was told of, apart from its reason. It is not told of it again, whatever is forgotten.
        var told: Set<Key> = []
    }

    private struct Entry {
        var refusal: Report.Refusal
        let path: [UInt8]?
        /// The number of the last of its kind.
        var last: UInt64
    }

    init(_ shared: SharedResources, most: Int = Report.most) {
        self.shared = shared
        self.most = most
    }

    deinit {
        begin()
    }

    /// Forgets everything.
    func begin() {
        let forgotten = state.withLock { state in
            defer { state = State(count: state.count, begin: state.count, told: state.told) }
            return state.entries.count
        }
        shared.keptTroubles.subtract(forgotten, ordering: .relaxed)
    }

    /// - Parameter path: that of a request for a session that had ended or never was.
    /// - Returns: whether it is the first one with this subject.
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
            } else if state.entries.count < most, shared.takesTrouble() {
                state.places[key] = state.entries.count
                state.entries.append(Entry(refusal: kept, path: path, last: state.count))
            }
            return state.told.count < most && state.told.insert(subject).inserted
        }
    }

    /// The number of refusals since the session began.
    var count: UInt64 { state.withLock(\.count) }

    struct Findings {
        /// In the order of the first of each kind.
        var refusals: [Report.Refusal] = []
        /// The number of all.
        var count = 0
        /// The number of those that were requests for sessions that had ended or never were.
        var misdirected = 0
    }

    /// What there was after so many refusals.
    /// - Parameter isIgnored: whether requests for a path do not count.
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
    mutating func add(_ found: RefusalLedger.Findings) {
        refusals += found.refusals
        refusedCount += found.count
        misdirectedCount += found.misdirected
    }
}

extension Session {
    /// When the log is told of a refusal.
    enum RefusalLogging {
        case always
        /// Of the first with its subject.
        case once
        /// The log tells it in words of its own.
        case never
    }

    /// Notes what was refused, for the reports of the session and of those through which it was begun.
    /// - Parameter path: that of a request for a session that had ended or never was.
    func noteRefusal(
        _ kind: Report.Refusal.Kind, _ subject: String, _ reason: String, at place: FilePlace? = nil,
        path: [UInt8]? = nil, logging: RefusalLogging = .always
    ) {
        let redaction = redaction
        var refusal = Report.Refusal(
            kind, redaction.shownURL(subject), redaction.shownURL(reason), at: place)
        let isFirst = refusals.note(refusal, path: path)
        if logging == .always || logging == .once && isFirst { trouble?.refused(refusal, session: options.label) }
        refusal.test = options.label.map { Report.Test(id: $0, name: options.name.map(redaction.shownURL)) }
        var next = origin
        while let outer = next {
            outer.begunRefusals.note(refusal, path: path)
            next = outer.origin
        }
    }

    /// What was refused in it since it, or its report, began, and in the sessions that were begun through it: the first
    /// kinds, and the number of all.
    public var refused: (refusals: [Report.Refusal], count: Int) {
        let (own, begun) = (refusals.findings(), begunRefusals.findings())
        return (own.refusals + begun.refusals, own.count + begun.count)
    }
}
