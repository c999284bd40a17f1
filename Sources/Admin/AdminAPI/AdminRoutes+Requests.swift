import SDBasics
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJavaTime
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel

/// `/__admin/requests`: listing, counting, finding and removing requests in the journal.
enum RequestRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/requests", later: list).heavy.reading
            .query(
                "limit", "since", "unmatched", "matchingStub", "after", "details", "format", "view", "before", "q",
                "sessions"),
        AdminRoute("DELETE", "/requests", deleteAll).changingJournal,
        AdminRoute("POST", "/requests/count", count).matching.reading,
        AdminRoute("POST", "/requests/find", later: find).matching.reading,
        AdminRoute("POST", "/requests/remove", later: remove).matching.changingJournal,
        AdminRoute("POST", "/requests/remove-by-metadata", later: removeByMetadata).matching.changingJournal,
        AdminRoute("GET", "/requests/unmatched", later: unmatched).heavy.reading,
        AdminRoute("GET", "/requests/counters", counters).heavy.reading,
        AdminRoute("GET", "/requests/{id}", get).heavy.reading.query("details"),
        AdminRoute("GET", "/requests/{id}/curl", curl).heavy.reading,
        AdminRoute("DELETE", "/requests/{id}", delete).changingJournal,
    ]

    // MARK: Lists

    private static func list(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        if try call.wantsRows() { return try rows(call) }
        if let name = ["before", "q", "sessions"].first(where: { call.query[$0] != nil }) {
            throw .invalidParameter(name, found: call.query[name] ?? "", expected: "it beside view=row only")
        }
        let query = try query(call)
        switch call.query["format"]?.lowercased() {
        case nil, "", "json":
            return call.events(RequestList.page(query, isDetailed: try call.flag("details"), of: call.session))
        case "har": return call.list(RequestList.archive(query, of: call.session, creatorVersion: call.options.version))
        case let format?:
            let title = "Query parameter format value '\(format)' is neither json nor har"
            throw AdminError(400, ErrorDocument(code: 10, pointer: "format", title: title))
        }
    }

    private static func rows(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let others = ["since", "unmatched", "matchingStub", "after", "details", "format"]
        if let name = others.first(where: { call.query[$0] != nil }) {
            throw .invalidParameter(
                name, found: call.query[name] ?? "", expected: "limit, before, q or sessions with view=row")
        }
        var rows = RequestRows()
        if let limit = try call.count("limit") { rows.limit = limit }
        rows.before = try place(call)
        let text = call.query["q"] ?? ""
        guard !FilterWord.isTooLong(text) else {
            let limits = "\(FilterWord.most) words and \(FilterWord.longest) bytes"
            let title = "Query parameter q is too long: a filter has at most \(limits)"
            throw AdminError(400, ErrorDocument(code: 10, pointer: "q", title: title))
        }
        rows.filter = RequestFilter(text)
        let isMerged = try call.wantsAllSessions()
        let begun = isMerged ? call.sessions.all(through: call.session).map(\.session) : []
        let sessions = [call.session] + begun.filter { $0 !== call.session }
        return call.list(rows.document(of: sessions, isMerged: isMerged, now: call.request.wallTime / 1_000_000))
    }

    private static func place(_ call: AdminCall) throws(AdminError) -> RequestRows.Place? {
        guard let text = call.query["before"], !text.isEmpty else { return nil }
        if let sequence = UInt64(text) { return .sequence(sequence) }
        guard let id = StubMapping.id(text: text) else {
            throw .invalidParameter("before", found: text, expected: "a sequence or the id of a request")
        }
        return .request(id)
    }

    private static func query(_ call: AdminCall) throws(AdminError) -> JournalQuery {
        var query = JournalQuery()
        query.limit = try call.count("limit")
        query.since = try since(call)
        query.isUnmatched = try call.flag("unmatched")
        query.matchingStub = try matchingStub(call)
        query.after = try call.count("after").map { UInt64($0) }
        return query
    }

    /// The start of the period to list, in nanoseconds since 1970; nil for everything.
    static func since(_ call: AdminCall) throws(AdminError) -> UInt64? {
        guard let text = call.query["since"] else { return nil }
        guard let moment = DateText.parseZoned(text)?.moment else {
            let title = "\(text) is not a valid ISO8601 date"
            throw AdminError(400, ErrorDocument(code: 10, pointer: "since", title: title))
        }
        let seconds = UInt64(clamping: moment.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return seconds.overflow ? .max : seconds.partialValue &+ UInt64(clamping: moment.nanoseconds)
    }

    private static func matchingStub(_ call: AdminCall) throws(AdminError) -> StubMapping.ID? {
        guard let text = call.query["matchingStub"] else { return nil }
        guard let id = StubMapping.id(text: text) else {
            let title = "Query parameter matchingStub value '\(text)' is not a valid UUID"
            throw AdminError(400, ErrorDocument(code: 15, title: title))
        }
        return id
    }

    private static func unmatched(_ call: AdminCall) -> AdminAnswer {
        call.events(RequestList.logged(call.session.events.filter(\.isUnmatched), of: call.session))
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let event = call.session.event(try call.id()) else { throw .notFound }
        return .json(ServeEventView(of: call.session, isDetailed: try call.flag("details")).json(event))
    }

    private static func curl(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let event = call.session.event(try call.id()) else { throw .notFound }
        let command = CurlCommand(event, redaction: call.session.redaction)
        return PlainResponse(
            status: 200, headers: [("Content-Type", "text/plain;charset=UTF-8")], body: command.bytes)
    }

    private static func counters(_ call: AdminCall) -> PlainResponse {
        .json(RequestList.counters(of: call.session, folder: call.daemon.stubFolder))
    }

    // MARK: Finding

    private static func count(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let (pattern, warnings) = try pattern(call)
        let count = try refusing { () throws(StubRefusal) in try call.session.count(pattern) }
        call.log(warnings)
        return PlainResponse.json([
            "count": number(count.count), "requestJournalDisabled": .bool(!call.session.keepsJournal),
        ]).telling(evicted: count.evicted, matches: count.matches).adding(warnings.headers)
    }

    private static func find(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let (pattern, warnings) = try pattern(call)
        let events = try refusing { () throws(StubRefusal) in try call.session.events(matching: pattern) }
        call.log(warnings)
        return call.events(RequestList.logged(events.reversed(), of: call.session), headers: warnings.headers)
    }

    private static func pattern(_ call: AdminCall) throws(AdminError) -> (value: RequestPattern, warnings: CallWarnings)
    {
        // `null` would match all requests, which a client that sends it does not mean.
        if try call.json().isNull {
            throw AdminError(422, ErrorDocument(code: 10, pointer: "/", title: "A request pattern is required"))
        }
        return try call.readPattern()
    }

    // MARK: Removing

    private static func deleteAll(_ call: AdminCall) -> PlainResponse {
        call.session.clearJournal()
        return .emptyObject
    }

    private static func delete(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        call.session.removeRequest(try call.id())
        return .emptyObject
    }

    private static func remove(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let (pattern, warnings) = try pattern(call)
        let events = try refusing { () throws(StubRefusal) in try call.session.removeRequests(pattern) }
        call.log(warnings)
        return call.list(RequestList.removed(events, of: call.session), headers: warnings.headers)
    }

    private static func removeByMetadata(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let matcher = try call.read { json throws(ModelProblems) in try ValueMatcher(json: json) }
        let events = try refusing { () throws(StubRefusal) in try call.session.removeRequests(metadata: matcher) }
        return call.list(RequestList.removed(events, of: call.session))
    }

    private static func refusing<Result>(_ ask: () throws(StubRefusal) -> Result) throws(AdminError) -> Result {
        do {
            return try ask()
        } catch {
            throw AdminError(error)
        }
    }
}

extension AdminCall {
    /// Events in WireMock's list format.
    fileprivate func events(
        _ document: LongDocument, headers: [(name: String, value: String)] = []
    ) -> AdminAnswer {
        list(document, headers: PlainResponse.empty.telling(evicted: session.evictedCount).headers + headers)
    }
}

extension PlainResponse {
    /// The response with headers about evicted requests, because WireMock's clients reject unknown members.
    /// - Parameters:
    ///   - evicted: the number of evicted requests; 0 adds no header.
    ///   - matches: the number of requests answered by the stub in question, including evicted ones.
    fileprivate func telling(evicted: Int, matches: Int? = nil) -> PlainResponse {
        var response = self
        if evicted > 0 { response.headers.append(("X-StuntDouble-Evicted", String(evicted))) }
        if let matches { response.headers.append(("X-StuntDouble-Matches", String(matches))) }
        return response
    }
}
