import SDJSON
import SDStubModel

extension MockServer {
    /// Adds a fault to the session: it acts on the answers to all requests that the pattern matches, whatever stub
    /// gives them.
    ///
    /// ```swift
    /// try await mock.addFault(.cut(after: 100), on: .get("/downloads/**"))
    /// ```
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `Stub.Problem` for a path that is none or a value that cannot be encoded; `MockServerError` if the
    ///   server cannot be reached, or with its own words if the rule is not valid.
    @discardableResult
    public func addFault(
        _ fault: Stub.Fault, on pattern: Stub.Request = .any, name: String? = nil
    ) async throws -> Stub.ID {
        var json = try fault.model.checkedPlan().json.objectValue ?? JSONObject()
        json["name"] = name.map { .string($0) }
        if pattern != .any { json["request"] = try pattern.checked().json }
        return try await post(json)
    }

    /// Adds a fault of the session's own port, before there is a request.
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when the session has no port
    ///   of its own.
    @discardableResult
    public func addFault(port fault: PortFault) async throws -> Stub.ID {
        switch fault {
        case .refuseNext(let count): try await post(["refuseNext": .number(JSONNumber(count))])
        case .down: try await post(["listener": "down"])
        case .acceptAndStall: try await post(["listener": "acceptAndStall"])
        }
    }

    /// Removes a fault.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when there is no such fault.
    public func removeFault(_ id: Stub.ID) async throws {
        try await admin("DELETE", "/faults/" + id.lowercasedString)
    }

    /// Removes all faults, those of sets too.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func removeAllFaults() async throws {
        try await admin("DELETE", "/faults")
    }

    /// Switches a set of faults on, which a stub file names under `chaos`.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when there is no such set.
    public func switchOn(faultSet name: String) async throws {
        try await admin("PUT", "/faults/sets/" + URLEscaping.component(name))
    }

    /// Switches a set of faults off.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func switchOff(faultSet name: String) async throws {
        try await admin("DELETE", "/faults/sets/" + URLEscaping.component(name))
    }

    private func post(_ json: JSONObject) async throws -> Stub.ID {
        let answer = try await admin("POST", "/faults", .object(json))
        guard let id = answer["faults"]?[0]?["id"]?.stringValue.flatMap(SDStubModel.StubMapping.id(text:)) else {
            throw MockServerError("the answer names no fault", call: "POST /__admin/faults")
        }
        return id
    }

    /// A fault of a session's own port.
    public enum PortFault: Sendable, Hashable {
        /// So many connections are reset before they are answered.
        case refuseNext(Int)
        /// Nothing listens.
        case down
        /// Connections are taken and never answered.
        case acceptAndStall
    }
}
