import SDAnswering
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel

/// `/__admin/gates`: the responses that wait until a caller lets them go. An addition to WireMock's admin API.
enum GateRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/gates", list).query("limit"),
        AdminRoute("GET", "/gates/{gate}", get).query("limit"),
        AdminRoute("GET", "/gates/{gate}/requests/{id}", request).matching,
        AdminRoute("POST", "/gates/{gate}/release", release),
        AdminRoute("POST", "/gates/{gate}/fail", fail),
        AdminRoute("POST", "/gates/{gate}/open", open),
        AdminRoute("POST", "/gates/{gate}/close", close),
    ]

    /// The most requests that are shown of a gate, unless the call says how many.
    private static let maxShown = 100

    private static func list(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let (gates, most) = (call.session.gates, try call.count("limit") ?? maxShown)
        return .json([
            "gates": .array(gates.map { $0.json(of: call.session, most: most) }),
            "meta": ["total": number(gates.count), "waiting": number(gates.reduce(0) { $0 + $1.waiting.count })],
        ])
    }

    /// Answers with one gate. One without waiters is no error.
    /// - Throws: `AdminError` for a `limit` that is no number.
    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        .json(call.session.gate(name(call)).json(of: call.session, most: try call.count("limit") ?? maxShown))
    }

    /// Answers with a request that waits at a gate, with its whole body.
    /// - Throws: `AdminError` if it does not wait there.
    private static func request(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        guard let request = call.session.request(id, waitingAt: name(call)) else { throw .notFound }
        return .json(["id": .string(id.lowercasedString), "request": call.session.redaction.shown(request).json])
    }

    private static func release(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let document = try document(call) { json throws(ModelProblems) in try GateDocument.release(json) }
        do throws(StubRefusal) {
            let count = try call.session.releaseGate(name(call), document.choice, with: document.response)
            return .json(["released": number(count)])
        } catch {
            throw AdminError(error)
        }
    }

    private static func fail(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let document = try document(call) { json throws(ModelProblems) in try GateDocument.fail(json) }
        let count = call.session.failGate(name(call), document.choice, with: document.fault)
        return .json(["failed": number(count)])
    }

    private static func open(_ call: AdminCall) -> PlainResponse {
        .json(["released": number(call.session.openGate(name(call)))])
    }

    private static func close(_ call: AdminCall) -> PlainResponse {
        .json(["wasOpen": .bool(call.session.closeGate(name(call)))])
    }

    private static func name(_ call: AdminCall) -> String { call.parameters["gate"] ?? "" }

    /// The body; without one, all members have their defaults.
    /// - Throws: `AdminError` if the body cannot be read.
    private static func document(
        _ call: AdminCall, _ make: (JSONValue) throws(ModelProblems) -> GateDocument
    ) throws(AdminError) -> GateDocument {
        call.request.body.isEmpty ? GateDocument() : try call.read(make)
    }
}
