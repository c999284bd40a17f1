import SDHTTPTransport
import SDJournal
import SDReports
import Synchronization

/// The kinds of requests of a session that nothing answered, or whose stub could not be served, since it began: for its
/// report, whatever has become of the journal and of the stubs.
final class TroubleLedger: Sendable {
    /// The longest part of a URL that is kept, in characters.
    private static let longestURL = 1_000

    /// The part of a body that tells kinds apart, beside its length: the loop does not read all of a large one.
    private static let comparedBody = 4_096

    private let shared: SharedResources
    private let state = Mutex(State())

    private struct BodyKind: Hashable {
        let count: Int
        let beginning: [UInt8]
    }

    private struct State {
        var unmatched = Kinds<Report.Unmatched>()
        var failed = Kinds<Report.Failed>()
        /// The arrival of the last request that does not count.
        var last: UInt64 = 0

        var count: Int { unmatched.entries.count + failed.entries.count }
    }

    init(_ shared: SharedResources) {
        self.shared = shared
    }

    deinit {
        begin(after: .max)
    }

    /// Forgets everything, and all requests up to this arrival.
    func begin(after arrival: UInt64) {
        let forgotten = state.withLock { state in
            defer { state = State(last: arrival) }
            return state.count
        }
        shared.keptTroubles.subtract(forgotten, ordering: .relaxed)
    }

    // MARK: Noting

    /// Notes a request that nothing answered.
    /// - Parameter nearest: the stub nearest to it, asked for if it is the first of its kind.
    func noteUnmatched(_ event: ServeEvent, _ redaction: Redaction?, _ nearest: () -> Report.Nearest?) {
        let request = event.request
        let body = request.body
        let part = BodyKind(count: body.count, beginning: Array(body.prefix(Self.comparedBody)))
        note(\.unmatched, event, distinguishedBy: part) {
            var unmatched = Report.Unmatched(
                method: String(decoding: request.method, as: UTF8.self), url: Self.url(of: request, redaction),
                count: 1, sequence: event.sequence, nearest: nearest())
            unmatched.remedy = request.remedy.map(redaction.shownURL)
            return unmatched
        }
    }

    /// Notes a request whose stub could not be served.
    func noteFailed(_ event: ServeEvent, _ redaction: Redaction?) {
        let request = event.request
        let reason = event.failure ?? ""
        note(\.failed, event, distinguishedBy: reason) {
            Report.Failed(
                method: String(decoding: request.method, as: UTF8.self), url: Self.url(of: request, redaction),
                count: 1, sequence: event.sequence, stub: event.reportedStub, reason: reason)
        }
    }

    private func note<Entry>(
        _ list: any WritableKeyPath<State, Kinds<Entry>> & Sendable, _ event: ServeEvent,
        distinguishedBy part: some Hashable, _ make: () -> Entry
    ) {
        let (request, arrival) = (event.request, event.arrival)
        var hasher = Hasher()
        hasher.combine(Array(request.method))
        hasher.combine(Array(request.placeBytes))
        hasher.combine(part)
        let kind = hasher.finalize()
        let path = Array(request.path.prefix(Self.longestURL))
        let isNoted = state.withLock { $0.last >= arrival || $0[keyPath: list].countAgain(kind, path) }
        guard !isNoted else { return }
        guard shared.takesTrouble() else {
            return state.withLock { if $0.last < arrival { $0[keyPath: list].others.add(path) } }
        }
        // Made without the lock, as it takes its time; meanwhile another may have come.
        let entry = make()
        let isKept = state.withLock { $0.last < arrival && $0[keyPath: list].add(entry, kind, path) }
        if !isKept { shared.keptTroubles.subtract(1, ordering: .relaxed) }
    }

    private static func url(of request: Request, _ redaction: Redaction?) -> String {
        let url = redaction.place(of: request)
        return url.utf8.count > longestURL ? url.prefix(longestURL) + "…" : url
    }

    // MARK: Reading

    /// The entries that count, and the number of requests that do not.
    struct Findings {
        let unmatched: [Report.Unmatched]
        let failed: [Report.Failed]
        let ignoredUnmatched: Int
        let ignoredFailed: Int
    }

    /// - Parameter isIgnored: whether requests for a path do not count.
    func findings(ignoring isIgnored: ([UInt8]) -> Bool) -> Findings {
        let (unmatched, failed) = state.withLock { ($0.unmatched, $0.failed) }
        return Findings(
            unmatched: unmatched.entries.filter { !isIgnored($0.path) }.map(\.entry),
            failed: failed.entries.filter { !isIgnored($0.path) }.map(\.entry),
            ignoredUnmatched: unmatched.paths.sum(where: isIgnored),
            ignoredFailed: failed.paths.sum(where: isIgnored))
    }

    /// How often such requests were for which paths.
    var paths: (unmatched: PathCounts, failed: PathCounts) {
        state.withLock { ($0.unmatched.paths, $0.failed.paths) }
    }
}

/// The first kinds of requests, each with the path of its first one.
private struct Kinds<Entry: CountedEntry>: Sendable {
    private(set) var entries: [(entry: Entry, path: [UInt8])] = []
    private var places: [Int: Int] = [:]
    /// Those for whose kinds there was no room.
    var others = PathCounts()

    /// Counts one more of a kind; false for the first of its kind, while there is room for it.
    mutating func countAgain(_ kind: Int, _ path: [UInt8]) -> Bool {
        if let place = places[kind] {
            entries[place].entry.count += 1
        } else if entries.count >= Report.most {
            others.add(path)
        } else {
            return false
        }
        return true
    }

    /// How often requests were for which paths.
    var paths: PathCounts {
        entries.reduce(into: others) { $0.add($1.path, $1.entry.count) }
    }

    /// Adds the first of a kind, unless another was faster.
    mutating func add(_ entry: Entry, _ kind: Int, _ path: [UInt8]) -> Bool {
        if countAgain(kind, path) { return false }
        places[kind] = entries.count
        entries.append((entry, path))
        return true
    }
}

private protocol CountedEntry: Sendable {
    var count: Int { get set }
}

extension Report.Unmatched: CountedEntry {}
extension Report.Failed: CountedEntry {}
