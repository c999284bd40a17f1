import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// The records of a collection served by stubs: see `Stub.records` and the route `CRUD`.
    public struct Records: Sendable {
        let server: MockServer
        /// The collection's name.
        public let name: String

        /// All records, in their order.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no stub
        ///   serves the collection.
        public var all: [Stub.JSON] {
            get async throws { Stub.JSON(try await server.admin("GET", path)).arrayValue ?? [] }
        }

        /// All records, decoded.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no stub
        ///   serves the collection; the decoder's error if a record has another type.
        public func all<Record: Decodable>(
            as type: Record.Type = Record.self, decoder: JSONDecoder = JSONDecoder()
        ) async throws -> [Record] {
            let bytes = try await server.call("GET", path).answer.body
            return try decoder.decode([Record].self, from: Data(bytes))
        }

        /// Replaces all records. The schema is not checked, so that a test can start with records that no client could
        /// create.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no stub
        ///   serves the collection or two records have the same key.
        public func replaceAll(with records: [Stub.JSON]) async throws {
            try await server.admin("PUT", path, .array(records.map(\.value)))
        }

        /// Adds a record. Returns it with its key.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no stub
        ///   serves the collection or the key is taken.
        @discardableResult
        public func add(_ record: Stub.JSON) async throws -> Stub.JSON {
            Stub.JSON(try await server.admin("POST", path, record.value))
        }

        /// The record with a key; nil if there is none.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no stub
        ///   serves the collection.
        public func record(_ key: String) async throws -> Stub.JSON? {
            do {
                return Stub.JSON(try await server.admin("GET", path + "/" + URLEscaping.component(key)))
            } catch let error as MockServerError where error.status == 404 && error.message.contains("no record") {
                return nil
            }
        }

        /// Sets the record with a key; adds it if it is missing.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no stub
        ///   serves the collection or the record has another key.
        public func set(_ key: String, to record: Stub.JSON) async throws {
            try await server.admin("PUT", path + "/" + URLEscaping.component(key), record.value)
        }

        /// Removes the record with a key.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because there
        ///   is no such record.
        public func remove(_ key: String) async throws {
            try await server.admin("DELETE", path + "/" + URLEscaping.component(key))
        }

        /// Restores the collection's initial records.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no stub
        ///   serves the collection.
        public func reset() async throws {
            try await server.admin("POST", path + "/reset")
        }

        private var path: String { "/data/" + URLEscaping.component(name) }
    }
}

extension MockServer {
    /// The collection of records with this name.
    public func collection(_ name: String) -> MockServer.Records { MockServer.Records(server: self, name: name) }
}
