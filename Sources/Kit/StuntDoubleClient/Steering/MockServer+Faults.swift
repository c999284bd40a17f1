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

    /// Adds a fault of the session's own port, before there is a request.
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when the session has no port
    ///   of its own.
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

    /// Adds a fault of TLS, which clients meet that connect: by `https`, before there is a request.
    ///
    /// ```swift
    /// try await mock.addFault(tls: .expired, serverName: "*.pay.example")
    /// ```
    /// - Parameters:
    ///   - fault: what clients meet, such as `.expired`.
    ///   - serverName: the clients that it meets, by the name of the server that they ask for; all without one.
    ///   - count: the number of connections, from the next, on which it acts; all without one.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as for a name that is none.
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

    /// Adds a fault of HTTP/2, which clients meet when their connection begins to speak it.
    /// - Parameters: as of `addFault(tls:)`.
    /// - Returns: its id, for `removeFault`.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as for a name that is none.
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
    public func switchOn(
        faultSet name: String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.admin("PUT", "/faults/sets/" + URLEscaping.component(name))
        }
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
