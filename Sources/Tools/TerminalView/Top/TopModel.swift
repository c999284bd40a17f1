import SDBasics
public import SDJSON

/// The state of the live view: what came, what is shown of it, and what keys change. It knows nothing of terminals.
public struct TopModel: Sendable {
    /// What does not change while the view is there.
    public struct Settings: Sendable {
        /// The address of the daemon.
        public var url: String
        /// The zone of times, in seconds east of Greenwich.
        public var zoneOffset: Int
        /// Whether the terminal shows more than ASCII.
        public var isUnicode: Bool

        public init(url: String, zoneOffset: Int, isUnicode: Bool) {
            self.url = url
            self.zoneOffset = zoneOffset
            self.isUnicode = isUnicode
        }
    }

    public enum Connection: Sendable, Hashable {
        case live
        /// The daemon does not answer any more.
        case lost(since: Int)
        /// The session that is shown has ended.
        case ended
    }

    public enum View: String, Sendable, CaseIterable {
        case requests, stubs, sessions, held
    }

    enum Sorting: String, CaseIterable, Sendable {
        case hits = "by hits"
        case last = "by last hit"
        case key = "by key"
        case tried = "as tried"
    }

    /// A question that waits for a key.
    struct Question: Sendable, Hashable {
        var held: TopOverview.Held
        /// How many wait at the gate.
        var waiting: Int
    }

    let settings: Settings
    public var overview = TopOverview()
    public var connection = Connection.live
    public private(set) var log = TrafficLog()
    /// The picture while it is paused.
    var frozen: TrafficLog?

    public internal(set) var view = View.requests
    var filter = TrafficFilter("")
    /// What is typed as a filter; nil while nobody types.
    var typed: String?
    var typedBefore: [String] = []
    var onlyUnmatched = false
    /// The chosen row of requests, and of the other views.
    var selected: String?
    var isFollowing = true
    var place: [View: Int] = [:]
    var sorting = Sorting.hits
    var question: Question?
    var showsHelp = false
    var opened: TopDetail?
    /// A command that was copied, as long as it is shown.
    var copied: String?
    var message: (text: String, until: Int)?
    /// Why nothing answered, by the request's id; nil while it is asked for.
    var explanations: [String: TopExplanation?] = [:]

    /// The rows that pass the filter, as places in the log, and what they were made of.
    var visible: [Int] = []
    private var visibleBasis: (version: Int, filter: String, frozen: Bool, second: Int)?
    /// The row at the top of the list while it does not follow.
    var top: String?
    /// How many rows had come when following ended, and how many of them nothing answered.
    var left: (added: Int, unmatched: Int)?

    public init(_ settings: Settings) {
        self.settings = settings
    }

    // MARK: - What comes

    /// Takes events of the stream.
    public mutating func take(_ events: [TrafficEvent], now: Int) {
        for event in events {
            log.take(event)
            switch event.type {
            case "gap":
                let reason = event.data["reason"]?.stringValue ?? ""
                if reason.contains(text: "another run") {
                    tell("the daemon was started again", now: now)
                    explanations = [:]
                } else {
                    tell("some events are missing: \(reason)", now: now)
                }
            case "reload", "stub": explanations = explanations.filter { $0.value == nil }
            default: break
            }
        }
    }

    /// Takes why nothing answered a request; nil if that cannot be told.
    public mutating func take(explanation: TopExplanation?, of id: String) {
        if explanations.count > 500 { explanations = [:] }
        explanations[id] = .some(explanation ?? TopExplanation())
        if opened?.row.id == id { opened?.explanation = explanation }
    }

    /// Takes a whole exchange.
    public mutating func take(exchange: JSONValue?, of id: String) {
        if opened?.row.id == id { opened?.take(exchange) }
    }

    /// Takes a request as a command, which is copied.
    public mutating func take(curl: String, now: Int) {
        copied = curl
        tell("copied, where the terminal allows it", now: now)
    }

    /// Says at which gates requests wait.
    public mutating func take(gates answers: [(session: TrafficRow.Session?, answer: JSONValue)], now: Int) {
        overview.take(gates: answers, now: now)
        var gates: [String: String] = [:]
        for held in overview.held { gates[held.id] = held.gate }
        log.hold(gates, of: Set(answers.map { $0.session?.id }), now: now)
    }

    /// Shows a sentence for some seconds.
    public mutating func tell(_ text: String, now: Int) { message = (text, now + 5_000) }

    // MARK: - What is shown

    /// The log that is shown.
    var shownLog: TrafficLog { frozen ?? log }

    /// The filter with what single keys add to it.
    var wholeFilter: String {
        let text = typed ?? filter.text
        return onlyUnmatched ? (text.isEmpty ? "is:unmatched" : "is:unmatched " + text) : text
    }

    /// Brings the list of visible rows up to date.
    mutating func update(now: Int) {
        let shown = shownLog
        let text = wholeFilter
        // What depends on the time is looked at once a second.
        let second = text.contains(text: "last:") || text.contains(text: "is:slow") ? now / 1_000 : 0
        if let basis = visibleBasis, basis.version == shown.version, basis.filter == text,
            basis.frozen == (frozen != nil), basis.second == second
        {
            return
        }
        visibleBasis = (shown.version, text, frozen != nil, second)
        let filter = TrafficFilter(text)
        if filter.isEmpty {
            visible = Array(shown.rows.indices)
        } else {
            let around = TrafficFilter.Surroundings(now: now, slow: shown.percentiles(now: now)?.p95 ?? 0)
            visible = shown.rows.indices.filter { filter.matches(shown.rows[$0], around) }
        }
        // What was there already is told session by session.
        let isLate = zip(visible, visible.dropFirst()).contains { shown.rows[$0].at > shown.rows[$1].at }
        if isLate { visible.sort { (shown.rows[$0].at, $0) < (shown.rows[$1].at, $1) } }
    }

    func row(_ number: Int) -> TrafficRow { shownLog.rows[visible[number]] }

    /// Where a row is among the visible ones.
    func number(of id: String?) -> Int? {
        guard let id else { return nil }
        return visible.lastIndex { shownLog.rows[$0].id == id }
    }

    /// The row whose details are shown: the chosen one, or else the last one that nothing answered.
    var subject: TrafficRow? {
        if let selected { return shownLog.row(selected) }
        return visible.last { shownLog.rows[$0].isUnmatched }.map { shownLog.rows[$0] }
    }

    /// What should be asked for so that all can be shown.
    public mutating func wishes(rows: Int, columns: Int, now: Int) -> [TopAction] {
        if let message, message.until < now { self.message = nil }
        guard connection == .live, rows >= 20 || opened != nil else { return [] }
        update(now: now)
        guard let row = opened?.row ?? (view == .requests ? subject : nil), row.isUnmatched,
            explanations[row.id] == nil
        else { return [] }
        explanations[row.id] = .some(nil)
        return [.explain(row)]
    }

    /// The stubs in the order that is wanted.
    var sortedStubs: [TopOverview.StubCount] {
        switch sorting {
        case .tried: overview.stubs
        case .hits:
            overview.stubs.enumerated().sorted { ($1.element.hits, $0.offset) < ($0.element.hits, $1.offset) }.map(
                \.element)
        case .last: overview.stubs.sorted { ($0.last ?? 0) > ($1.last ?? 0) }
        case .key: overview.stubs.sorted { ($0.stub.key ?? "") < ($1.stub.key ?? "") }
        }
    }
}
