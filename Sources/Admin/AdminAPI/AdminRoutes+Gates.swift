import SDAnswering
import SDBasics
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
        AdminRoute("GET", "/gates", list).ofAll.query("limit"),
        AdminRoute("GET", "/gates/{gate}", get).ofAll.query("limit"),
        AdminRoute("GET", "/gates/{gate}/requests/{id}", request).matching.ofAll,
        AdminRoute("POST", "/gates/{gate}/release", release).ofAll,
        AdminRoute("POST", "/gates/{gate}/fail", fail).ofAll,
        AdminRoute("POST", "/gates/{gate}/open", open).ofAll,
        AdminRoute("POST", "/gates/{gate}/close", close).ofAll,
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
        // Asked before, since a gate that stands open is one that there is.
        let doubts = call.session.gate(name(call)).waiting.isEmpty ? advice(call, waits: false) : Advice()
        return told(["released": number(call.session.openGate(name(call)))], doubts, call)
    }

    private static func close(_ call: AdminCall) -> PlainResponse {
        let wasOpen = call.session.closeGate(name(call))
        return told(["wasOpen": .bool(wasOpen)], wasOpen ? Advice() : advice(call, waits: false), call)
    }

    /// The answer with the number of requests that a call acted on, which says why there are none.
    private static func answer(_ member: String, _ count: Int, _ call: AdminCall) -> PlainResponse {
        told([member: number(count)], count > 0 ? Advice() : advice(call, waits: true), call)
    }

    private static func told(_ answer: JSONObject, _ advice: Advice, _ call: AdminCall) -> PlainResponse {
        call.tell(advice)
        return PlainResponse.json(advice.added(to: .object(answer))).adding(advice.headers)
    }

    /// What is said of a gate at which nobody waits.
    /// - Parameter waits: whether somebody has to wait there for the call to do anything.
    private static func advice(_ call: AdminCall, waits: Bool) -> Advice {
        let gate = name(call)
        let known = call.session.gateNames
        guard known.contains(gate) else {
            let names = known.sorted()
            return Advice([
                ModelProblem(
                    pointer: JSONPointer([]), message: "no stub has the gate \(quoted(gate)), and nobody waits there",
                    expected: names.isEmpty
                        ? "a gate that a stub has as \"hold\""
                        : "a gate such as " + names.prefix(5).joined(separator: ", "),
                    suggestion: nearestName(to: gate, among: names))
            ])
        }
        guard waits else { return Advice() }
        let isEmpty = call.session.gate(gate).waiting.isEmpty
        return Advice([
            ModelProblem(
                pointer: JSONPointer([]),
                message: isEmpty
                    ? "nobody waits at the gate \(quoted(gate))"
                    : "none of those who wait at the gate \(quoted(gate)) is meant, or can be answered so any more",
                expected: isEmpty
                    ? "a request that has come there; \"open\" lets those pass that come later"
                    : "the id of a request that waits there, and no \"response\" once a part of one was sent")
        ])
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
