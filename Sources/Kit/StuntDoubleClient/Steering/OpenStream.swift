import SDJSON
import SDStubModel

extension MockServer {
    /// A named stream of a session. The test pushes events to its readers.
    ///
    /// ```swift
    /// try await mock.stub(.get("/events"), .stream(name: "orders"))
    /// let feed = client.subscribe()
    /// try await mock.stream("orders").push(.event("created", data: ["id": 7]))
    /// ```
    public struct EventStream: Sendable {
        let server: MockServer
        /// The name that the stubs use.
        public let name: String

        /// The number of connected readers.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public var readers: Int {
            get async throws { try await server.admin("GET", path)["readers"]?.intValue ?? 0 }
        }

        /// Waits until `count` readers are connected.
        /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter receives it.
        public func waitForReaders(
            _ count: Int = 1, within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await KitThreads.run { try await wait(for: count, within: within, at: callSite) }
        }

        /// Sends events in order to all readers. Waits for a reader first: an event sent earlier would be lost.
        /// - Parameters:
        ///   - items: the events.
        ///   - within: how long to wait for a reader; zero does not wait.
        ///   - fileID: the call site for failures; omit it and the next three.
        ///   - filePath: see `fileID`.
        ///   - line: see `fileID`.
        ///   - column: see `fileID`.
        /// - Returns: the number of readers that receive them.
        /// - Throws: `VerificationFailure` if no reader comes in time, unless a reporter receives it.
        @discardableResult
        public func push(
            _ items: Stub.Piece..., within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws -> Int {
            try await push(
                items, within: within, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        }

        /// `push` with a call site.
        /// - Throws: `VerificationFailure` if no reader comes in time, unless a reporter receives it.
        package func push(_ items: [Stub.Piece], within: Duration, at callSite: CallSite) async throws -> Int {
            try await server.at(callSite) { server in
                try await KitThreads.run {
                    if within > .zero { try await wait(for: 1, within: within, at: callSite) }
                    let answer = try await server.admin("POST", path, StreamDefinition(items.map(\.model)).json)
                    return answer["readers"]?.intValue ?? 0
                }
            }
        }

        /// Ends the stream of each reader normally.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public func close() async throws {
            try await server.admin("POST", path + "/close")
        }

        /// Breaks the stream of each reader.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public func fail(with fault: Stub.Fault.Kind = .connectionReset) async throws {
            try await server.admin("POST", path + "/fail", ["fault": .string(fault.model.rawValue)])
        }

        private var path: String { "/streams/" + URLEscaping.component(name) }

        private func wait(for count: Int, within: Duration, at callSite: CallSite) async throws {
            try await server.wait(within: within, at: callSite) {
                try await readers >= count
            } orFail: {
                let found = try await readers
                return
                    "expected \(count == 1 ? "a reader" : "\(count) readers") of the stream \"\(name)\" within \(within), "
                    + "there \(found == 1 ? "is 1" : found == 0 ? "is none" : "are \(found)")"
            }
        }
    }
}

extension MockServer {
    /// The stream with this name. Apart from the stub that serves it, no declaration is needed.
    public func stream(_ name: String) -> MockServer.EventStream { MockServer.EventStream(server: self, name: name) }
}
