import SDBasics
public import SDJSON

/// A daemon's health, stubs, sessions and gates.
public struct TopOverview: Sendable {
    public struct StubCount: Sendable, Hashable {
        public var stub = TrafficRow.Stub()
        public var hits = 0
        /// The time of the last hit, in milliseconds since 1970.
        public var last: Int?
        public var isEnabled = true
        public var isHidden = false
    }

    public struct SessionCount: Sendable, Hashable {
        public var session = TrafficRow.Session()
        public var served = 0
        public var unmatched = 0
        public var failed = 0
        public var idleMilliseconds = 0
    }

    /// A request that waits at a gate.
    public struct Held: Sendable, Hashable {
        public var id = ""
        public var gate = ""
        public var method = ""
        public var url = ""
        public var stub: TrafficRow.Stub?
        public var session: TrafficRow.Session?
        /// When it started to wait, in milliseconds since 1970 by this machine's clock.
        public var since = 0
    }

    /// An unmatched request.
    public struct Unanswered: Sendable {
        public var row: TrafficRow
        public var explanation: TopExplanation?

        public init(row: TrafficRow, explanation: TopExplanation?) {
            self.row = row
            self.explanation = explanation
        }
    }

    /// The maximum number of unmatched requests in a summary.
    public static let maxUnanswered = 10

    public var version = ""
    /// The daemon's start time, in milliseconds since 1970.
    public var startedAt: Int?
    public var requests = 0
    public var unmatched = 0
    public var failed = 0
    public var stubs: [StubCount] = []
    public var sessions: [SessionCount] = []
    public var held: [Held] = []
    /// The latest unmatched requests, newest first; fetched for a summary only.
    public var unanswered: [Unanswered] = []
    /// The number of requests waiting at gates, including unlisted ones.
    public var heldCount = 0

    public init() {}

    /// Applies the answer to `GET health`.
    public mutating func take(health: JSONValue, now: Int) {
        version = health["version"]?.stringValue ?? version
        if let seconds = health["uptimeInSeconds"]?.intValue, (0...1 << 40).contains(seconds) {
            startedAt = now - seconds * 1_000
        }
    }

    /// Applies the answer to `GET requests/counters`.
    public mutating func take(counters: JSONValue) {
        requests = counters["requests"]?.intValue ?? requests
        unmatched = counters["unmatched"]?.intValue ?? unmatched
        failed = counters["failed"]?.intValue ?? failed
        stubs = (counters["stubs"]?.arrayValue ?? []).compactMap { entry in
            guard let stub = TrafficRow.Stub(entry) else { return nil }
            var count = StubCount()
            count.stub = stub
            count.hits = entry["matches"]?.intValue ?? 0
            count.last = entry["lastHit"]?.stringValue.flatMap(ISOTime.milliseconds) ?? entry["lastHit"]?.intValue
            count.isEnabled = entry["enabled"]?.boolValue ?? true
            count.isHidden = entry["hiddenBy"].map { !$0.isNull } ?? false
            return count
        }
    }

    /// Applies the answer to `GET sessions`.
    public mutating func take(sessions answer: JSONValue) {
        sessions = (answer["sessions"]?.arrayValue ?? []).compactMap { entry in
            guard let session = TrafficRow.Session(entry) else { return nil }
            var count = SessionCount()
            count.session = session
            count.served = entry["served"]?.intValue ?? 0
            count.unmatched = entry["unmatched"]?.intValue ?? 0
            count.failed = entry["failed"]?.intValue ?? 0
            count.idleMilliseconds = entry["idleMs"]?.intValue ?? 0
            return count
        }
    }

    /// Applies the answers to `GET gates`, one per session.
    public mutating func take(gates answers: [(session: TrafficRow.Session?, answer: JSONValue)], now: Int) {
        held = []
        heldCount = 0
        for (session, answer) in answers {
            heldCount += answer["meta"]?["waiting"]?.intValue ?? 0
            for gate in answer["gates"]?.arrayValue ?? [] {
                for request in gate["requests"]?.arrayValue ?? [] {
                    guard let id = request["id"]?.stringValue else { continue }
                    var entry = Held()
                    entry.id = id
                    entry.gate = gate["name"]?.stringValue ?? ""
                    entry.method = request["method"]?.stringValue ?? ""
                    entry.url = request["url"]?.stringValue ?? ""
                    entry.stub = request["stub"].flatMap { TrafficRow.Stub($0) }
                    entry.session = session
                    entry.since = now - max(0, request["ageMs"]?.intValue ?? 0)
                    held.append(entry)
                }
            }
        }
        held.sort { $0.since < $1.since }
    }

    /// The sums over the daemon and its sessions.
    var allRequests: Int { sessions.reduce(requests) { $0 &+ $1.served } }
    var allUnmatched: Int { sessions.reduce(unmatched) { $0 &+ $1.unmatched } }
    var allFailed: Int { sessions.reduce(failed) { $0 &+ $1.failed } }
}

/// Times in the admin API's format.
enum ISOTime {
    /// The milliseconds since 1970 of `2026-11-29T12:56:34.016Z`; nil for another format.
    static func milliseconds(_ text: String) -> Int? {
        let parts = text.split { "-T:Z".contains($0) }
        guard parts.count == 6, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            let hour = Int(parts[3]), let minute = Int(parts[4]), let second = Double(parts[5]),
            let date = CivilDate(year: year, month: month, day: day), (0...9_999).contains(year),
            (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<61).contains(second)
        else { return nil }
        return ((date.epochDay * 24 + hour) * 60 + minute) * 60_000 + Int(second * 1_000)
    }

    /// `2026-11-29T12:56:34.016Z`.
    static func text(_ milliseconds: Int) -> String {
        let days = milliseconds.flooredDivision(by: 86_400_000).quotient
        let (year, month, day) = CivilDate.parts(epochDay: days)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))T\(TrafficFormats.time(milliseconds, offset: 0))Z"
    }
}
