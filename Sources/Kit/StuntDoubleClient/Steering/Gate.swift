import SDJSON
import SDStubModel

extension MockServer {
    /// A gate of a session, at which responses with `.hold` wait until the test lets them go.
    ///
    /// ```swift
    /// try await mock.stub(.get("/orders"), .json(orders).hold("orders"))
    /// async let loading = model.load()
    /// try await mock.gate("orders").waitForRequests()
    /// #expect(model.isLoading)
    /// try await mock.gate("orders").release()
    /// ```
    public struct Gate: Sendable {
        let server: MockServer
        /// The name that the stubs use.
        public let name: String

        /// A request that waits at a gate.
        public struct Waiting: Sendable, Hashable {
            /// The id in the journal.
            public var id: String
            /// The place among the session's requests, from 1.
            public var sequence: Int
            /// The method: `GET`.
            public var method: String
            /// The path with the query.
            public var target: String
        }

        /// The requests that wait now, the first to come first; at most 100.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
        public var waiting: [Waiting] {
            get async throws {
                let json = try await server.admin("GET", path)
                return (json["requests"]?.arrayValue ?? []).map { request in
                    Waiting(
                        id: request["id"]?.stringValue ?? "", sequence: request["sequence"]?.intValue ?? 0,
                        method: request["method"]?.stringValue ?? "", target: request["url"]?.stringValue ?? "")
                }
            }
        }

        /// Waits until `count` requests wait here.
        /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter is told of it.
        public func waitForRequests(
            _ count: Int = 1, within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await KitThreads.run { try await wait(for: count, within: within, at: callSite) }
        }

        /// Lets requests go, the first to come first. It waits for them first, as a release that comes too early would let
        /// none go.
        /// - Parameters:
        ///   - count: how many; nil lets all go, once there is one.
        ///   - response: what they are answered with, in place of their stubs' responses.
        ///   - within: how long to wait for them; zero does not.
        ///   - fileID: the place of the call, to which a failure points; leave it out, and the next three.
        ///   - filePath: see `fileID`.
        ///   - line: see `fileID`.
        ///   - column: see `fileID`.
        /// - Returns: how many were let go.
        /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter is told of it.
        @discardableResult
        public func release(
            _ count: Int? = nil, with response: Stub.Answer? = nil, within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws -> Int {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            return try await server.at(callSite) { server in
                try await KitThreads.run {
                    if within > .zero { try await wait(for: count ?? 1, within: within, at: callSite) }
                    var body = JSONObject()
                    body["count"] = count.map { .number(JSONNumber($0)) }
                    body["response"] = try response?.resolvedInPlace(by: "a release").json
                    return try await server.admin("POST", path + "/release", .object(body))["released"]?.intValue ?? 0
                }
            }
        }

        /// Breaks the connections of requests, the first to come first. It waits for them first, like `release`.
        /// - Returns: how many were broken.
        /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter is told of it.
        @discardableResult
        public func fail(
            _ count: Int? = nil, with fault: Stub.Fault.Kind = .connectionReset, within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws -> Int {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            return try await server.at(callSite) { server in
                try await KitThreads.run {
                    if within > .zero { try await wait(for: count ?? 1, within: within, at: callSite) }
                    var body: JSONObject = ["fault": .string(fault.model.rawValue)]
                    body["count"] = count.map { .number(JSONNumber($0)) }
                    return try await server.admin("POST", path + "/fail", .object(body))["failed"]?.intValue ?? 0
                }
            }
        }

        /// Opens the gate: waiting requests go on, and none waits until it is closed or the session is reset.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
        public func open() async throws {
            try await server.admin("POST", path + "/open")
        }

        /// Closes a gate that stands open.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
        public func close() async throws {
            try await server.admin("POST", path + "/close")
        }

        private var path: String { "/gates/" + URLEscaping.component(name) }

        private func wait(for count: Int, within: Duration, at callSite: CallSite) async throws {
            try await server.wait(within: within, at: callSite) {
                try await server.admin("GET", path + "?limit=0")["waiting"]?.intValue ?? 0 >= count
            } orFail: {
                try await complaint(count, within)
            }
        }

        private func complaint(_ count: Int, _ within: Duration) async throws -> String {
            var lines = [
                "expected \(count == 1 ? "a request" : "\(count) requests") waiting at the gate \"\(name)\" within \(within)"
            ]
            let waiting = try await waiting
            lines[0] += waiting.isEmpty ? ", none does" : ", only \(waiting.count) do:"
            lines += waiting.map { "    #\($0.sequence) \($0.method) \($0.target)" }
            let others = try await server.requests.suffix(10)
            lines.append(others.isEmpty ? "no request was received" : "the last requests:")
            for request in others {
                let status = request.status.map { " was answered with \($0)" } ?? ""
                lines.append("    #\(request.sequence) \(request.method) \(request.target)\(status)")
            }
            return lines.joined(separator: "\n")
        }
    }
}

extension MockServer {
    /// The gate with this name. It needs no declaration.
    public func gate(_ name: String) -> MockServer.Gate { MockServer.Gate(server: self, name: name) }
}
