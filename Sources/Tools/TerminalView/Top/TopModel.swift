import SDBasics
public import SDJSON

/// The state of the live view: events, what is shown of them, and the effect of keys. Independent of terminals.
public struct TopModel: Sendable {
    /// The constants of a view.
    public struct Settings: Sendable {
        /// The address of the daemon.
        public var url: String
        /// The time zone, in seconds east of Greenwich.
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
        /// The daemon no longer answers.
        case lost(since: Int)
        /// The watched session has ended.
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

    /// A question to the user.
    struct Question: Sendable, Hashable {
        var held: TopOverview.Held
        /// The number of requests waiting at the gate.
        var waiting: Int
    }

    let settings: Settings
    public var overview = TopOverview()
    public var connection = Connection.live
    public private(set) var log = TrafficLog()
    /// The log as of the pause; nil if not paused.
    var frozen: TrafficLog?

    public internal(set) var view = View.requests
    var filter = TrafficFilter("")
    /// The filter being typed; nil if none is.
    var typed: String?
    var typedBefore: [String] = []
    var onlyUnmatched = false
    /// The selected row of requests, and of the other views.
    var selected: String?
    var isFollowing = true
    var place: [View: Int] = [:]
    var sorting = Sorting.hits
    var question: Question?
    var showsHelp = false
    var opened: TopDetail?
    /// The copied command, while it is shown.
    var copied: String?
    var message: (text: String, until: Int)?
    /// The explanations of unmatched requests, by request id; nil while being fetched.
    var explanations: [String: TopExplanation?] = [:]

    /// The indices in the log of the rows that pass the filter, and the inputs from which they were computed.
    var visible: [Int] = []
    private var visibleBasis: (version: Int, filter: String, frozen: Bool, second: Int)?
    /// The row at the top of the list, if it does not follow.
    var top: String?
    /// The number of rows, and of unmatched ones, when following stopped.
    var left: (added: Int, unmatched: Int)?

    public init(_ settings: Settings) {
        self.settings = settings
    }

    // MARK: - Input

    /// Applies events of the stream.
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

    /// Stores an explanation; nil if it is not available.
    public mutating func take(explanation: TopExplanation?, of id: String) {
        if explanations.count > 500 { explanations = [:] }
        explanations[id] = .some(explanation ?? TopExplanation())
        if opened?.row.id == id { opened?.explanation = explanation }
    }

    /// Stores a whole exchange.
    public mutating func take(exchange: JSONValue?, of id: String) {
        if opened?.row.id == id { opened?.take(exchange) }
    }

    /// Copies a request as a command.
    public mutating func take(curl: String, now: Int) {
        copied = curl
        tell("copied, where the terminal allows it", now: now)
    }

    /// Updates the requests waiting at gates.
    public mutating func take(gates answers: [(session: TrafficRow.Session?, answer: JSONValue)], now: Int) {
        overview.take(gates: answers, now: now)
        var gates: [String: String] = [:]
        for held in overview.held { gates[held.id] = held.gate }
        log.hold(gates, of: Set(answers.map { $0.session?.id }), now: now)
    }

    /// Shows a message for five seconds.
    public mutating func tell(_ text: String, now: Int) { message = (text, now + 5_000) }

    // MARK: - Display

    /// The log shown: the frozen one, or the live one.
    var shownLog: TrafficLog { frozen ?? log }

    /// The filter, including what single keys add.
    var wholeFilter: String {
        let text = typed ?? filter.text
        return onlyUnmatched ? (text.isEmpty ? "is:unmatched" : "is:unmatched " + text) : text
    }

    /// Updates the list of visible rows.
    mutating func update(now: Int) {
        let shown = shownLog
        let text = wholeFilter
        // Conditions on time are evaluated once a second.
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
        // The replay comes session by session, so it must be sorted.
        let isLate = zip(visible, visible.dropFirst()).contains { shown.rows[$0].at > shown.rows[$1].at }
        if isLate { visible.sort { (shown.rows[$0].at, $0) < (shown.rows[$1].at, $1) } }
    }

    func row(_ number: Int) -> TrafficRow { shownLog.rows[visible[number]] }

    /// The index of a row among the visible ones.
    func number(of id: String?) -> Int? {
        guard let id else { return nil }
        return visible.lastIndex { shownLog.rows[$0].id == id }
    }

    /// The row whose details are shown: the selected one, or else the last unmatched one.
    var subject: TrafficRow? {
        if let selected { return shownLog.row(selected) }
        return visible.last { shownLog.rows[$0].isUnmatched }.map { shownLog.rows[$0] }
    }

    /// The data to fetch for the current screen.
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

    /// The stubs in the selected order.
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
