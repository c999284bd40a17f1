import SDAnswering
import SDBasics
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel

/// `/__admin/gates`: responses held until a caller releases them. An addition to WireMock's admin API.
enum GateRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/gates", list).ofAll(adding: "waiting").query("limit"),
        AdminRoute("GET", "/gates/{gate}", get).ofAll(adding: "waiting").query("limit"),
        AdminRoute("GET", "/gates/{gate}/requests/{id}", request).matching.ofAll,
        AdminRoute("POST", "/gates/{gate}/release", release).ofAll(adding: "released"),
        AdminRoute("POST", "/gates/{gate}/fail", fail).ofAll(adding: "failed"),
        AdminRoute("POST", "/gates/{gate}/open", open).ofAll(adding: "released"),
        AdminRoute("POST", "/gates/{gate}/close", close).ofAll,
    ]

    /// The default maximum number of requests listed per gate.
    private static let maxShown = 100

    private static func list(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let (gates, most) = (call.session.gates, try call.count("limit") ?? maxShown)
        return .json([
            "gates": .array(gates.map { $0.json(of: call.session, most: most) }),
            "meta": ["total": number(gates.count), "waiting": number(gates.reduce(0) { $0 + $1.count })],
        ])
    }

    /// Returns one gate; a gate without waiters is not an error.
    /// - Throws: `AdminError` for an invalid `limit`.
    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        .json(call.session.gate(name(call)).json(of: call.session, most: try call.count("limit") ?? maxShown))
    }

    /// Returns a request that waits at a gate, with its whole body.
    /// - Throws: `AdminError` if it does not wait there.
    private static func request(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        guard let request = call.session.request(id, waitingAt: name(call)) else { throw .notFound }
        return .json(["id": .string(id.lowercasedString), "request": call.session.redaction.redacted(request).json])
    }

    private static func release(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let document = try document(call) { json throws(ModelProblems) in try GateDocument.release(json) }
        do throws(StubRefusal) {
            let count = try call.session.releaseGate(name(call), document.choice, with: document.response)
            return answer("released", count, call)
        } catch {
            throw AdminError(error)
        }
    }

    private static func fail(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let document = try document(call) { json throws(ModelProblems) in try GateDocument.fail(json) }
        let count = call.session.failGate(name(call), document.choice, with: document.fault)
        return answer("failed", count, call)
    }

    private static func open(_ call: AdminCall) -> PlainResponse {
        // Checked before, since an open gate exists.
        let doubts = call.session.gate(name(call)).count == 0 ? warnings(call, waits: false) : CallWarnings()
        return told(["released": number(call.session.openGate(name(call)))], doubts, call)
    }

    private static func close(_ call: AdminCall) -> PlainResponse {
        let wasOpen = call.session.closeGate(name(call))
        return told(["wasOpen": .bool(wasOpen)], wasOpen ? CallWarnings() : warnings(call, waits: false), call)
    }

    /// The answer with the number of affected requests, and a warning if there are none.
    private static func answer(_ member: String, _ count: Int, _ call: AdminCall) -> PlainResponse {
        told([member: number(count)], count > 0 ? CallWarnings() : warnings(call, waits: true), call)
    }

    private static func told(_ answer: JSONObject, _ warnings: CallWarnings, _ call: AdminCall) -> PlainResponse {
        call.log(warnings)
        return PlainResponse.json(warnings.added(to: .object(answer))).adding(warnings.headers)
    }

    /// The warning about a gate without waiters.
    /// - Parameter waits: whether the call needs waiters to have an effect.
    private static func warnings(_ call: AdminCall, waits: Bool) -> CallWarnings {
        let gate = name(call)
        let known = call.session.gateNames
        guard known.contains(gate) else {
            let names = known.sorted()
            return CallWarnings([
                ModelProblem(
                    pointer: JSONPointer([]),
                    message: "no stub has the gate \(quoted(gate)), and no request waits there",
                    expected: names.isEmpty
                        ? "a gate that a stub has as \"hold\""
                        : "a gate such as " + names.prefix(5).joined(separator: ", "),
                    suggestion: nearestName(to: gate, among: names))
            ])
        }
        guard waits else { return CallWarnings() }
        let isEmpty = call.session.gate(gate).count == 0
        return CallWarnings([
            ModelProblem(
                pointer: JSONPointer([]),
                message: isEmpty
                    ? "no request waits at the gate \(quoted(gate))"
                    : "no request that waits at the gate \(quoted(gate)) is selected, or can still be answered like this",
                expected: isEmpty
                    ? "a request that waits there; \"open\" releases later ones"
                    : "the id of a request that waits there, and no \"response\" once a part of one was sent")
        ])
    }

    private static func name(_ call: AdminCall) -> String { call.parameters["gate"] ?? "" }

    /// The body; without one, all members have defaults.
    /// - Throws: `AdminError` if the body cannot be read.
    private static func document(
        _ call: AdminCall, _ make: (JSONValue) throws(ModelProblems) -> GateDocument
    ) throws(AdminError) -> GateDocument {
        call.request.body.isEmpty ? GateDocument() : try call.read(make)
    }
}
