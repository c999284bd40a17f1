import SDChannels
import SDHTTPMessages
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel

/// `/__admin/messages`: WireMock 4's journal of messages, and calls that wait for messages.
enum MessageRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/messages", list).heavy.ofAll.newestFirst.query("limit", "since", "unmatched", "details"),
        AdminRoute("DELETE", "/messages", removeAll).changingJournal,
        AdminRoute("POST", "/messages/count", count).matching.askingAll(adding: "count"),
        AdminRoute("POST", "/messages/find", find).matching.askingAll().query("details"),
        AdminRoute("POST", "/messages/remove", remove).matching.ofAll.newestFirst,
        AdminRoute("POST", "/messages/remove-by-metadata", removeByMetadata).matching.ofAll.newestFirst,
        AdminRoute("POST", "/messages/wait", later: wait).matching.byHandler.query("details"),
        AdminRoute("POST", "/messages/wait-for-count", later: waitForCount).matching.byHandler.query(
            "details", "limit"),
        AdminRoute("GET", "/messages/{id}", get).ofAll.query("details"),
        AdminRoute("DELETE", "/messages/{id}", delete).changingJournal,
    ]

    // MARK: Reading

    private static func list(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        var events = Array(call.session.channels.events.reversed())
        if try call.flag("unmatched") { events.removeAll { $0.wasMatched } }
        if let since = try RequestRoutes.since(call) { events.removeAll { UInt64($0.time) * 1_000_000 < since } }
        if let limit = try call.count("limit") { events = Array(events.prefix(limit)) }
        return .json(.object(document(events, call, tellsJournal: true, details: try call.flag("details"))))
    }

    /// - Parameter details: whether to include members that WireMock does not have.
    private static func document(
        _ events: [MessageEvent], _ call: AdminCall, tellsJournal: Bool, details: Bool = false
    ) -> JSONObject {
        let ids = call.session.channels.ids
        var document: JSONObject = ["messageServeEvents": .array(events.map { $0.json(ids, details: details) })]
        if tellsJournal { document["messageJournalDisabled"] = .bool(!call.session.channels.keepsJournal) }
        return document
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let channels = call.session.channels
        return .json(channels.event(try call.id())?.json(channels.ids, details: try call.flag("details")) ?? .null)
    }

    private static func count(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let found = try found(call).filter { !call.isMadeByAll || $0.channel.isWebSocket }
        return .json([
            "count": number(found.count), "messageJournalDisabled": .bool(!call.session.channels.keepsJournal),
        ])
    }

    private static func find(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        .json(.object(document(try found(call), call, tellsJournal: false, details: try call.flag("details"))))
    }

    /// The messages that match the body's pattern, oldest first.
    private static func found(_ call: AdminCall) throws(AdminError) -> [MessageEvent] {
        let pattern = try call.read { json throws(ModelProblems) in try MessagePattern(json: json) }
        let compiled = try compiled(pattern, at: "")
        let budget = call.session.newBudget
        let found = call.session.channels.events.filter { $0.matches(compiled, budget) }
        if let exhaustion = budget.exhaustion { throw AdminError(exhaustion.refusal(of: "Matching messages")) }
        return found
    }

    private static func compiled(
        _ pattern: MessagePattern, at pointer: String
    ) throws(AdminError) -> CompiledMessagePattern {
        do throws(PatternProblems) {
            return try CompiledMessagePattern(pattern, at: pointer)
        } catch {
            throw AdminError(error)
        }
    }

    // MARK: Removing

    private static func removeAll(_ call: AdminCall) -> PlainResponse {
        call.session.channels.clear()
        return .emptyObject
    }

    private static func delete(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let channels = call.session.channels
        if let event = channels.event(try call.id()) { channels.remove([event]) }
        return .emptyObject
    }

    private static func remove(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        removed(try found(call), call)
    }

    private static func removeByMetadata(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let passes = try call.metadataTest()
        return removed(call.session.channels.events.filter { passes($0.stub?.stub.metadata) }, call)
    }

    private static func removed(_ events: [MessageEvent], _ call: AdminCall) -> PlainResponse {
        call.session.channels.remove(events)
        return .json(.object(document(events.reversed(), call, tellsJournal: false)))
    }

    // MARK: Waiting

    private static func wait(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let (channels, details) = (call.session.channels, try call.flag("details"))
        return try wait(call, takesCount: false) { found in
            .json(found.last?.json(channels.ids, details: details) ?? .null)
        }
    }

    private static func waitForCount(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let (limit, details) = (try call.count("limit"), try call.flag("details"))
        return try wait(call, takesCount: true) { found in
            let shown = Array(found.reversed().prefix(limit ?? found.count))
            return .json(.object(document(shown, call, tellsJournal: true, details: details)))
        }
    }

    /// Waits for messages recorded by all replicas together.
    private static func wait(
        _ call: AdminCall, _ document: MessageWaitDocument, takesCount: Bool, among replicas: any ReplicaControl,
        _ found: @escaping @Sendable () -> PlainResponse
    ) -> AdminAnswer {
        .later { reply in
            let wait = WaitOfAll(call, document, takesCount: takesCount, replicas, found)
            WaitingRoutes.hold(
                call, reply, milliseconds: max(document.timeoutMilliseconds, WaitOfAll.minTime), { wait.response },
                onceHeard: wait.begin, cancel: { wait.end() })
        }
    }

    private static func wait(
        _ call: AdminCall, takesCount: Bool, _ answer: @escaping @Sendable ([MessageEvent]) -> PlainResponse
    ) throws(AdminError) -> AdminAnswer {
        let document = try call.read { json throws(ModelProblems) in try MessageWaitDocument(json: json) }
        let pattern = try document.pattern.map { pattern throws(AdminError) in try compiled(pattern, at: "/pattern") }
        let count = takesCount ? document.count : 1
        let channels = call.session.channels
        if let replicas = call.daemon.replicas, !call.isMadeByAll {
            return Self.wait(call, document, takesCount: takesCount, among: replicas) {
                let wait = channels.wait(for: pattern, count: count, call.session.newBudget)
                channels.remove(wait)
                return answer(Array(wait.found.prefix(max(count, 0))))
            }
        }
        if call.isMadeByAll {
            // Asked on behalf of another replica, which has the messages of fixed channels itself.
            let budget = call.session.newBudget
            let found = channels.events.filter { event in
                event.channel.isWebSocket && (pattern.map { event.matches($0, budget) } ?? true)
            }
            return .now(answer(Array(found.suffix(max(count, 0)))))
        }
        let wait = channels.wait(for: pattern, count: count, call.session.newBudget)
        let response: @Sendable () -> PlainResponse = { answer(Array(wait.found.prefix(max(count, 0)))) }
        if wait.isDone || document.timeoutMilliseconds <= 0 || !channels.keepsJournal {
            channels.remove(wait)
            return .now(response())
        }
        return .later { reply in
            WaitingRoutes.hold(
                call, reply, milliseconds: document.timeoutMilliseconds, response, onceHeard: wait.whenDone,
                cancel: { channels.remove(wait) })
        }
    }
}
