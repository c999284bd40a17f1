import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDStubModel

/// `/__admin/events`: server-sent events about the session.
enum EventRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/events", later: events).heavy.readingWhatIsKnown.query(
            "types", "after", "view", "sessions", "rate")
    ]

    /// The minimum time between two writes of rows, in nanoseconds: rows are many, and read by people.
    private static let rowPause: UInt64 = 20_000_000

    private static func events(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let form = FeedForm(isBrief: try call.wantsRows(), isMerged: try call.wantsAllSessions())
        let types = try types(call) ?? (form.isMerged ? Set(FeedEvent.Kind.allCases) : FeedEvent.Kind.usual)
        let rate = try call.count("rate")
        if rate == 0 {
            throw .invalidParameter("rate", found: "0", expected: "a number of requests a second, at least 1")
        }
        let header = call.request.header(Array("last-event-id".utf8)).map { String(decoding: $0, as: UTF8.self) }
        let position = header ?? call.query["after"]
        return .later { reply in
            let (waiting, daemon) = (call.waiting, call.daemon)
            guard let connection = waiting.stream(reply, pause: form.isBrief ? rowPause : 0) else { return }
            var wants = FeedSubscription(types: types, form: form)
            wants.pace = rate.map { PacedEvents.pace($0, connection, daemon) }
            let news = types.contains(.session) ? SessionChanges(connection, call) : nil
            news?.begin()
            let leave =
                form.isMerged
                ? joinAll(connection, wants, after: position, call) : join(connection, wants, after: position, call)
            connection.whenOver {
                // Posted, because the feed itself may detect the end of the connection.
                daemon.after(nanoseconds: 0) {
                    leave()
                    news?.end()
                    waiting.remove(connection)
                }
            }
        }
    }

    /// Adds a reader for the call's session.
    /// - Returns: a closure that removes it.
    private static func join(
        _ connection: EventStreamConnection, _ wants: FeedSubscription, after position: String?, _ call: AdminCall
    ) -> @Sendable () -> Void {
        let session = call.session
        let missed = session.addReader(connection, wants, after: position, encoder: EventStreamEncoder(session))
        if let missed { connection.follow(on: session.heavyWork) { missed.replayMore(to: connection) } }
        return { session.removeReader(connection) }
    }

    /// Adds a reader for the call's session and its child sessions.
    private static func joinAll(
        _ connection: EventStreamConnection, _ wants: FeedSubscription, after position: String?, _ call: AdminCall
    ) -> @Sendable () -> Void {
        let merged = MergedEvents(connection, wants, call)
        merged.begin(after: position)
        return { merged.end() }
    }

    // MARK: Parameters

    /// The requested event types; nil if not restricted.
    private static func types(_ call: AdminCall) throws(AdminError) -> Set<FeedEvent.Kind>? {
        guard let text = call.query["types"], !text.isEmpty else { return nil }
        let known = FeedEvent.Kind.allCases.filter { $0 != .scenarioMoved }
        var types: Set<FeedEvent.Kind> = []
        for name in text.split(separator: ",") {
            guard let type = known.first(where: { $0.rawValue == name }) else {
                let names = known.map(\.rawValue).joined(separator: ", ")
                let title = "Query parameter types value '\(name)' is not one of \(names)"
                throw AdminError(400, ErrorDocument(code: 10, pointer: "types", title: title))
            }
            types.insert(type)
        }
        if types.contains(.scenario) { types.insert(.scenarioMoved) }
        return types
    }
}

/// The form of requests.
enum RequestViewName: String, CaseIterable {
    /// All members.
    case whole
    /// One line's worth.
    case row
}

/// The sessions that a call covers.
enum MeantSessions: String, CaseIterable {
    /// The named session.
    case own
    /// The named session and its child sessions; for the default session, all.
    case all
}

extension AdminCall {
    /// Whether the call covers several sessions.
    func wantsAllSessions() throws(AdminError) -> Bool {
        try choice("sessions", among: MeantSessions.allCases) == .all
    }

    /// Whether requests are wanted as rows.
    func wantsRows() throws(AdminError) -> Bool {
        try choice("view", among: RequestViewName.allCases) == .row
    }
}
