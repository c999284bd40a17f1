import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDStubModel

/// `/__admin/events`: server-sent events about the session.
enum EventRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/events", later: events).heavy.query("types", "after", "view")
    ]

    private static func events(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let wants = FeedSubscription(types: try types(call), form: FeedForm(isBrief: try call.wantsRows()))
        let header = call.request.header(Array("last-event-id".utf8)).map { String(decoding: $0, as: UTF8.self) }
        let position = header ?? call.query["after"]
        return .later { reply in
            let (session, waiting, daemon) = (call.session, call.waiting, call.daemon)
            guard let connection = waiting.stream(reply) else { return }
            let missed = session.join(
                connection, wants, after: position, encoder: EventStreamEncoder(session))
            if let missed { connection.follow(missed, on: session.heavyWork) }
            connection.whenOver {
                // Posted, because the feed itself may notice that the connection has ended.
                daemon.after(nanoseconds: 0) {
                    session.leave(connection)
                    waiting.remove(connection)
                }
            }
        }
    }

    // MARK: What is wanted

    private static func types(_ call: AdminCall) throws(AdminError) -> Set<FeedEvent.Kind> {
        guard let text = call.query["types"], !text.isEmpty else { return Set(FeedEvent.Kind.allCases) }
        var types: Set<FeedEvent.Kind> = []
        for name in text.split(separator: ",") {
            guard let type = FeedEvent.Kind(rawValue: String(name)) else {
                let names = FeedEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                let title = "Query parameter types value '\(name)' is not one of \(names)"
                throw AdminError(400, ErrorDocument(code: 10, pointer: "types", title: title))
            }
            types.insert(type)
        }
        return types
    }
}

/// How requests are shown.
enum RequestViewName: String, CaseIterable {
    /// All of them.
    case whole
    /// What fits into a line.
    case row
}

extension AdminCall {
    /// Whether requests are to be shown as rows.
    func wantsRows() throws(AdminError) -> Bool {
        try choice("view", among: RequestViewName.allCases) == .row
    }
}
