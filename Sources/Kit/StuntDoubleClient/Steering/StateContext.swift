import SDJSON
import SDStubModel

extension MockServer {
    /// The values that stubs have put away: a context of the session's state, with properties and a list of records.
    public struct State: Sendable {
        let server: MockServer
        /// The name that stubs use; `session` for what they put away without a name.
        public let name: String

        /// The properties; empty if there is no such context.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
        public var properties: [String: Stub.JSON] {
            get async throws {
                let members = try await document?["properties"]?.objectValue?.members ?? []
                return Dictionary(members.map { ($0.key, Stub.JSON($0.value)) }) { $1 }
            }
        }

        /// The records of its list; empty if there is no such context.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
        public var list: [Stub.JSON] {
            get async throws { (try await document?["list"]?.arrayValue ?? []).map(Stub.JSON.init) }
        }

        /// A property; nil if there is none.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
        public func property(_ name: String) async throws -> Stub.JSON? {
            try await properties[name]
        }

        /// Makes or replaces the context.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when the session's state has
        ///   no room.
        public func set(_ properties: [String: Stub.JSON], list: [Stub.JSON] = []) async throws {
            try await server.admin(
                "PUT", path, ["properties": .object(JSONObject(properties)), "list": .array(list.map(\.value))])
        }

        /// Sets some of the properties, and makes the context if there is none.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when the session's state has
        ///   no room.
        public func merge(_ properties: [String: Stub.JSON]) async throws {
            try await server.admin("PATCH", path, ["properties": .object(JSONObject(properties))])
        }

        /// Removes the context. One that does not exist is no error.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
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
    /// The context of the session's state with this name; what `capture` puts away without a name is in `session`.
    public func state(_ name: String = "session") -> MockServer.State { MockServer.State(server: self, name: name) }

    /// Removes all that stubs have put away.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func removeState() async throws {
        try await admin("DELETE", "/state")
    }
}
