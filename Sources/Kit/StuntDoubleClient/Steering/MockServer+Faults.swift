import SDJSON
import SDStubModel

extension MockServer {
    /// Adds a fault to the session. It applies to the answers of all matching requests, whichever stub gives them.
    ///
    /// ```swift
    /// try await mock.addFault(.cut(after: 100), on: .get("/downloads/**"))
    /// ```
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `Stub.Problem` for an invalid path or a value that cannot be encoded; `MockServerError` if the server
    ///   cannot be reached, or with its message if the rule is not valid.
    @discardableResult
    public func addFault(
        _ fault: Stub.Fault, on pattern: Stub.Request = .any, name: String? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            var json = try fault.model.checkedPlan().json.objectValue ?? JSONObject()
            json["name"] = name.map { .string($0) }
            if pattern != .any { json["request"] = try pattern.checked().json }
            return try await mock.post(json)
        }
    }

    /// Adds a fault of the session's own port, which applies before a request is read.
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because the session
    ///   has no port of its own.
    @discardableResult
    public func addFault(
        port fault: PortFault,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        let json: JSONObject =
            switch fault {
            case .refuseNext(let count): ["refuseNext": .number(JSONNumber(count))]
            case .down: ["listener": "down"]
            case .acceptAndStall: ["listener": "acceptAndStall"]
            }
        return try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await $0.post(json)
        }
    }

    /// Adds a TLS fault for clients that connect by `https`; it applies during the handshake.
    ///
    /// ```swift
    /// try await mock.addFault(tls: .expired, serverName: "*.pay.example")
    /// ```
    /// - Parameters:
    ///   - fault: the fault, such as `.expired`.
    ///   - serverName: the server name (SNI) of the affected clients; nil for all.
    ///   - count: the number of connections affected, starting with the next; nil for all.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example for an invalid
    ///   name.
    @discardableResult
    public func addFault(
        tls fault: TLSFault, serverName: String? = nil, first count: Int? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        let json = connection("tls", fault.rawValue, serverName, count)
        return try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await $0.post(json)
        }
    }

    /// Adds an HTTP/2 fault, which applies when a connection starts to use HTTP/2.
    /// - Parameters: see `addFault(tls:)`.
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example for an invalid
    ///   name.
    @discardableResult
    public func addFault(
        http2 fault: HTTP2Fault, serverName: String? = nil, first count: Int? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        let json = connection("http2", fault.rawValue, serverName, count)
        return try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await $0.post(json)
        }
    }

    private func connection(_ key: String, _ fault: String, _ serverName: String?, _ count: Int?) -> JSONObject {
        var json: JSONObject = [key: .string(fault)]
        json["serverName"] = serverName.map { .string($0) }
        json["first"] = count.map { .number(JSONNumber($0)) }
        return json
    }

    /// Removes a fault.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because there is no
    ///   such fault.
    public func removeFault(_ id: Stub.ID) async throws {
        try await admin("DELETE", "/faults/" + id.lowercasedString)
    }

    /// Removes all faults, including those of fault sets.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func removeAllFaults() async throws {
        try await admin("DELETE", "/faults")
    }

    /// Switches on a fault set, which a stub file names under `chaos`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because there is no
    ///   such set.
    public func switchOn(
        faultSet name: String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.admin("PUT", "/faults/sets/" + URLEscaping.component(name))
        }
    }

    /// Switches off a fault set.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
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
        /// Resets that many connections before they are answered.
        case refuseNext(Int)
        /// The port is closed.
        case down
        /// Connections are accepted and never answered.
        case acceptAndStall
    }
}
