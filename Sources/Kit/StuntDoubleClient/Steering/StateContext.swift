import SDJSON
import SDStubModel

extension MockServer {
    /// A context of the session's state: values stored by stubs, as properties and a list of records.
    public struct State: Sendable {
        let server: MockServer
        /// The context's name; values stored without a name are in `session`.
        public let name: String

        /// The properties; empty if the context does not exist.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public var properties: [String: Stub.JSON] {
            get async throws {
                let members = try await document?["properties"]?.objectValue?.members ?? []
                return Dictionary(members.map { ($0.key, Stub.JSON($0.value)) }) { $1 }
            }
        }

        /// The records of its list; empty if the context does not exist.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public var list: [Stub.JSON] {
            get async throws { (try await document?["list"]?.arrayValue ?? []).map(Stub.JSON.init) }
        }

        /// A property; nil if it does not exist.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public func property(_ name: String) async throws -> Stub.JSON? {
            try await properties[name]
        }

        /// Creates or replaces the context.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because the
        ///   session's state is full.
        public func set(_ properties: [String: Stub.JSON], list: [Stub.JSON] = []) async throws {
            try await server.admin(
                "PUT", path, ["properties": .object(JSONObject(properties)), "list": .array(list.map(\.value))])
        }

        /// Sets some of the properties; creates the context if needed.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because the
        ///   session's state is full.
        public func merge(_ properties: [String: Stub.JSON]) async throws {
            try await server.admin("PATCH", path, ["properties": .object(JSONObject(properties))])
        }

        /// Removes the context. An unknown name is no error.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public func remove() async throws {
            do {
                try await server.admin("DELETE", path)
            } catch let error as MockServerError where error.status == 404 {
                return
            }
        }

        private var path: String { "/state/" + URLEscaping.component(name) }

        private var document: JSONValue? {
            get async throws {
                do {
                    return try await server.admin("GET", path)
                } catch let error as MockServerError where error.status == 404 {
                    return nil
                }
            }
        }

    }
}

extension MockServer {
    /// The state context with this name; values that `capture` stores without a name are in `session`.
    public func state(_ name: String = "session") -> MockServer.State { MockServer.State(server: self, name: name) }

    /// Removes all contexts of the session's state.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func removeState() async throws {
        try await admin("DELETE", "/state")
    }
}
