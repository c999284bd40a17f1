import SDJSON
import SDStubModel

extension MockServer {
    /// A gate of a session, which holds responses with `.hold` until the test releases them.
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

        /// A request held at a gate.
        public struct Waiting: Sendable, Hashable {
            /// The id in the journal.
            public var id: String
            /// The number of the request in the session, from 1.
            public var sequence: Int
            /// The method: `GET`.
            public var method: String
            /// The path with the query.
            public var target: String
        }

        /// The held requests, oldest first; at most 100.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
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

        /// Waits until `count` requests are held.
        /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter receives it.
        public func waitForRequests(
            _ count: Int = 1, within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await KitThreads.run { try await wait(for: count, within: within, at: callSite) }
        }

        /// Releases held requests, oldest first. Waits for them first: an earlier release would have no effect.
        /// - Parameters:
        ///   - count: how many; nil releases all, once there is one.
        ///   - response: the answer in place of the stubs' responses; nil for the stubs' own.
        ///   - within: how long to wait for them; zero does not wait.
        ///   - fileID: the call site for failures; omit it and the next three.
        ///   - filePath: see `fileID`.
        ///   - line: see `fileID`.
        ///   - column: see `fileID`.
        /// - Returns: the number released.
        /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter receives it.
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

        /// Breaks the connections of held requests, oldest first. Waits for them first, like `release`.
        /// - Returns: the number broken.
        /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter receives it.
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

        /// Opens the gate: releases held requests, and holds none until it is closed or the session is reset.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public func open() async throws {
            try await server.admin("POST", path + "/open")
        }

        /// Closes an open gate.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public func close() async throws {
            try await server.admin("POST", path + "/close")
        }

        private var path: String { "/gates/" + URLEscaping.component(name) }

        private func wait(for count: Int, within: Duration, at callSite: CallSite) async throws {
            try await server.wait(within: within, at: callSite) {
                try await server.admin("GET", path + "?limit=0")["waiting"]?.intValue ?? 0 >= count
            } orFail: {
                try await failureText(count, within)
            }
        }

        private func failureText(_ count: Int, _ within: Duration) async throws -> String {
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
    /// The gate with this name. No declaration is needed.
    public func gate(_ name: String) -> MockServer.Gate { MockServer.Gate(server: self, name: name) }
}
