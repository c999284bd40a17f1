import SDChannels
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel

/// `/__admin/message-mappings`: WireMock 4's message stubs.
enum MessageStubRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/message-mappings", list).heavy.readingWhatIsKnown.query("limit", "offset"),
        AdminRoute("POST", "/message-mappings", create),
        AdminRoute("DELETE", "/message-mappings", removeAll),
        AdminRoute("POST", "/message-mappings/find-by-metadata", find).matching.reading,
        AdminRoute("POST", "/message-mappings/remove-by-metadata", remove).matching,
        AdminRoute("GET", "/message-mappings/{id}", get).readingWhatIsKnown,
        AdminRoute("PUT", "/message-mappings/{id}", replace),
        AdminRoute("DELETE", "/message-mappings/{id}", delete),
    ]

    private static func list(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let stubs = call.session.channels.stubs
        let page = stubs.dropFirst(try call.count("offset") ?? 0).prefix(try call.count("limit") ?? stubs.count)
        return list(Array(page), total: stubs.count)
    }

    private static func list(_ stubs: [CompiledMessageStub], total: Int) -> PlainResponse {
        .json(["messageMappings": .array(stubs.map(\.stub.json)), "meta": ["total": number(total)]])
    }

    private static func create(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let stub = try read(call)
        try put(stub, call)
        return .json(stub.json, status: 201)
    }

    private static func read(_ call: AdminCall) throws(AdminError) -> MessageStub {
        try call.read { json throws(ModelProblems) in try MessageStub(json: json) }
    }

    private static func put(
        _ stub: MessageStub, keepsAge: Bool = false, _ call: AdminCall
    ) throws(AdminError) {
        do throws(PatternProblems) {
            try call.session.put(stub, keepsAge: keepsAge)
        } catch {
            throw AdminError(error)
        }
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let stub = call.session.channels.stub(try call.id()) else { throw .notFound }
        return .json(stub.stub.json)
    }

    private static func replace(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        guard call.session.channels.stub(id) != nil else { throw .notFound }
        var stub = try read(call)
        stub.id = id
        try put(stub, keepsAge: true, call)
        return .json(stub.json)
    }

    private static func delete(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        call.session.channels.removeStubs { $0.stub.id == id }
        return .emptyObject
    }

    private static func removeAll(_ call: AdminCall) -> PlainResponse {
        call.session.channels.removeStubs { _ in true }
        return .emptyObject
    }

    private static func find(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let stubs = call.session.channels.stubs
        let passes = try call.metadataTest()
        let found = stubs.filter { passes($0.stub.metadata) }
        return list(found, total: found.count)
    }

    private static func remove(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let passes = try call.metadataTest()
        call.session.channels.removeStubs { passes($0.stub.metadata) }
        return .emptyObject
    }
}

extension AdminCall {
    /// Reads the body as a matcher of metadata.
    /// - Returns: a test of metadata; false without metadata.
    func metadataTest() throws(AdminError) -> (JSONObject?) -> Bool {
        let matcher = try read { json throws(ModelProblems) in try ValueMatcher(json: json) }
        do throws(PatternProblems) {
            let compiled = try CompiledMatcher(matcher)
            let budget = session.newBudget
            let now = request.wallTime
            return { metadata in
                metadata.map { compiled.matches(JSONValue.object($0).prettyBytes, now: now, budget) } ?? false
            }
        } catch {
            throw AdminError(error)
        }
    }
}
