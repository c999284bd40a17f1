import SDJSON
import SDStubModel

extension MockServer {
    /// A scenario: a named state shared by stubs.
    public struct Scenario: Sendable, Hashable {
        /// The name, as used by its stubs.
        public var name: String
        /// The current state; initially `Started`.
        public var state: String
        /// The states that its stubs mention.
        public var possibleStates: [String]
    }
}

extension MockServer {
    /// The scenarios of the session's stubs.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public var scenarios: [MockServer.Scenario] {
        get async throws {
            let list = try await admin("GET", "/scenarios")["scenarios"]?.arrayValue ?? []
            return list.map { scenario in
                MockServer.Scenario(
                    name: scenario["name"]?.stringValue ?? "", state: scenario["state"]?.stringValue ?? "",
                    possibleStates: (scenario["possibleStates"]?.arrayValue ?? []).compactMap(\.stringValue))
            }
        }
    }

    /// The state of a scenario; nil if no stub mentions it.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func state(ofScenario name: String) async throws -> String? {
        try await scenarios.first { $0.name == name }?.state
    }

    /// Sets the state of a scenario; nil resets it to `Started`.
    /// - Throws: `MockServerError` if no stub mentions the scenario or the state.
    public func setState(
        _ state: String?, ofScenario name: String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let body = state.map { JSONValue.object(["state": .string($0)]) }
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.admin("PUT", "/scenarios/\(URLEscaping.component(name))/state", body)
        }
    }

    /// Resets all scenarios to `Started`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func resetScenarios() async throws {
        try await admin("POST", "/scenarios/reset")
    }
}
