import SDHTTPTransport
import SDJournal
import SDReports
import Synchronization

/// The kinds of unmatched requests, and of requests whose stub could not be served, since the session began. Reports
/// use it; it does not depend on the journal or on later changes of stubs.
final class FailedRequests: Sendable {
    /// The longest stored part of a URL, in characters.
    private static let longestURL = 1_000

    /// The body bytes that are compared, besides the length: the loop does not read all of a large body.
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
        /// The arrival number of the last request that does not count.
        var last: UInt64 = 0

        var count: Int { unmatched.entries.count + failed.entries.count }
    }

    init(_ shared: SharedResources) {
        self.shared = shared
    }

    deinit {
        reset(after: .max)
    }

    /// Clears everything; requests up to this arrival no longer count.
    func reset(after arrival: UInt64) {
        let forgotten = state.withLock { state in
            defer { state = State(last: arrival) }
            return state.count
        }
        shared.failedKinds.subtract(forgotten, ordering: .relaxed)
    }

    // MARK: Recording

    /// Records an unmatched request.
    /// - Parameter nearest: finds the nearest stub; called for the first request of a kind.
    func noteUnmatched(_ event: ServeEvent, _ redaction: Redaction?, _ nearest: () -> Report.Nearest?) {
        let request = event.request
        let body = request.body
        let part = BodyKind(count: body.count, beginning: Array(body.prefix(Self.comparedBody)))
        note(\.unmatched, event, distinguishedBy: part) {
            var unmatched = Report.Unmatched(
                method: String(decoding: request.method, as: UTF8.self), url: Self.url(of: request, redaction),
                count: 1, sequence: event.sequence, nearest: nearest())
            unmatched.remedy = request.remedy.map(redaction.redactedURL)
            return unmatched
        }
    }

    /// Records a request whose stub could not be served.
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
        guard shared.reserveFailedKind() else {
            return state.withLock { if $0.last < arrival { $0[keyPath: list].others.add(path) } }
        }
        // Made outside the lock, because it is slow; another thread may add the kind meanwhile.
        let entry = make()
        let isKept = state.withLock { $0.last < arrival && $0[keyPath: list].add(entry, kind, path) }
        if !isKept { shared.failedKinds.subtract(1, ordering: .relaxed) }
    }

    private static func url(of request: Request, _ redaction: Redaction?) -> String {
        let url = redaction.place(of: request)
        return url.utf8.count > longestURL ? url.prefix(longestURL) + "…" : url
    }

    // MARK: Reading

    /// The entries that count, and the number of excluded requests.
    struct Findings {
        let unmatched: [Report.Unmatched]
        let failed: [Report.Failed]
        let ignoredUnmatched: Int
        let ignoredFailed: Int
    }

    /// - Parameter isIgnored: whether requests for a path are excluded.
    func findings(ignoring isIgnored: ([UInt8]) -> Bool) -> Findings {
        let (unmatched, failed) = state.withLock { ($0.unmatched, $0.failed) }
        return Findings(
            unmatched: unmatched.entries.filter { !isIgnored($0.path) }.map(\.entry),
            failed: failed.entries.filter { !isIgnored($0.path) }.map(\.entry),
            ignoredUnmatched: unmatched.paths.sum(where: isIgnored),
            ignoredFailed: failed.paths.sum(where: isIgnored))
    }

    /// The number of unmatched and of failed requests for each path.
    var paths: (unmatched: PathCounts, failed: PathCounts) {
        state.withLock { ($0.unmatched.paths, $0.failed.paths) }
    }
}

/// The first kinds of requests, each with the path of its first one.
private struct Kinds<Entry: CountedEntry>: Sendable {
    private(set) var entries: [(entry: Entry, path: [UInt8])] = []
    private var places: [Int: Int] = [:]
    /// The requests of kinds past the limit.
    var others = PathCounts()

    /// Counts a request of a known kind, or of any kind past the limit; false if the kind is to be added.
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

    /// The number of requests for each path.
    var paths: PathCounts {
        entries.reduce(into: others) { $0.add($1.path, $1.entry.count) }
    }

    /// Adds the first request of a kind, or counts it if another thread has added the kind.
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
