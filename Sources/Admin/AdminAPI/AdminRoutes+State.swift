import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDRecords
import SDStubModel

/// `/__admin/state`: state that stubs store for later requests; and `/__admin/state-extension`, the path of WireMock's
/// extension.
enum StateRoutes {
    static let all: [AdminRoute] = rows.map(\.data)

    private static let rows = [
        AdminRoute("GET", "/state", list).heavy,
        AdminRoute("DELETE", "/state", removeAll),
        AdminRoute("GET", "/state/{context}", get).heavy,
        AdminRoute("PUT", "/state/{context}", replace).heavy,
        AdminRoute("PATCH", "/state/{context}", merge).heavy,
        AdminRoute("DELETE", "/state/{context}", remove),
        AdminRoute("GET", "/state-extension/contexts", names),
        AdminRoute("GET", "/state-extension/contexts/{context}", get).heavy,
        AdminRoute("DELETE", "/state-extension/contexts/{context}", removeQuietly),
    ]

    private static func name(_ call: AdminCall) -> String { call.parameters["context"] ?? "" }

    private static func list(_ call: AdminCall) -> PlainResponse {
        .json(["contexts": .array(call.session.stateContexts.map { $0.context.json(name: $0.name) })])
    }

    private static func names(_ call: AdminCall) -> PlainResponse {
        .json(.array(call.session.stateContexts.map { .string($0.name) }))
    }

    /// - Throws: 404 for an unknown context.
    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let name = name(call)
        guard let context = call.session.stateContext(name) else { throw unknown(name) }
        return .json(context.json(name: name))
    }

    /// Replaces or creates a context.
    /// - Throws: 422 for an invalid document, or if there is no room.
    private static func replace(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try refuseIfTooLarge(call)
        let document = try call.read { json throws(ModelProblems) in try StateDocument(json: json) }
        try change { () throws(StateProblem) in
            try call.session.replaceState(name(call), document.properties, list: document.list)
        }
        return try get(call)
    }

    /// Sets properties of a context, or creates it.
    /// - Throws: 422 for an invalid document, or if there is no room.
    private static func merge(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try refuseIfTooLarge(call)
        let document = try call.read { json throws(ModelProblems) in try StateDocument(json: json, keys: ["properties"])
        }
        try change { () throws(StateProblem) in try call.session.setState(name(call), document.properties) }
        return try get(call)
    }

    /// Rejects a document that is certainly too large, because parsing needs several times its size.
    /// - Throws: 422.
    private static func refuseIfTooLarge(_ call: AdminCall) throws(AdminError) {
        let limits = call.session.stateLimits
        let text = try call.text()
        // The names around the properties and the list are not part of the state.
        guard text.count > limits.bytes, DocumentWeight(text).content > limits.bytes + 128 else { return }
        try change { () throws(StateProblem) in throw .tooLarge(limits) }
    }

    private static func change(_ change: () throws(StateProblem) -> Void) throws(AdminError) {
        do throws(StateProblem) {
            try change()
        } catch {
            throw AdminError(422, ErrorDocument(code: 10, title: error.message))
        }
    }

    /// - Throws: 404 for an unknown context.
    private static func remove(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard call.session.removeState(name(call)) else { throw unknown(name(call)) }
        return .emptyObject
    }

    /// Removes a context; the answer is always that of WireMock's extension, whether the context existed or not.
    private static func removeQuietly(_ call: AdminCall) -> PlainResponse {
        _ = call.session.removeState(name(call))
        return PlainResponse(status: 204)
    }

    private static func removeAll(_ call: AdminCall) -> PlainResponse {
        call.session.removeAllState()
        return .emptyObject
    }

    private static func unknown(_ name: String) -> AdminError {
        AdminError(404, ErrorDocument(code: 404, title: "There is no state for the context \(name)"))
    }
}
