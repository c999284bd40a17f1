import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// The records of a collection that stubs serve: see `Stub.records` and the route `CRUD`.
    public struct Records: Sendable {
        let server: MockServer
        /// The collection's name.
        public let name: String

        /// All records, in their order.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no stub serves the
        ///   collection.
        public var all: [Stub.JSON] {
            get async throws { Stub.JSON(try await server.admin("GET", path)).arrayValue ?? [] }
        }

        /// All records, decoded.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no stub serves the
        ///   collection; the decoder's error if a record is none of that type.
        public func all<Record: Decodable>(
            as type: Record.Type = Record.self, decoder: JSONDecoder = JSONDecoder()
        ) async throws -> [Record] {
            let bytes = try await server.call("GET", path).answer.body
            return try decoder.decode([Record].self, from: Data(bytes))
        }

        /// Replaces all records. A schema does not apply, so that a test can begin with what no client could make.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no stub serves the
        ///   collection or two records have one key.
        public func replaceAll(with records: [Stub.JSON]) async throws {
            try await server.admin("PUT", path, .array(records.map(\.value)))
        }

        /// Adds a record. Returns it with its key.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no stub serves the
        ///   collection or the key is taken.
        @discardableResult
        public func add(_ record: Stub.JSON) async throws -> Stub.JSON {
            Stub.JSON(try await server.admin("POST", path, record.value))
        }

        /// The record with a key; nil if there is none.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no stub serves the
        ///   collection.
        public func record(_ key: String) async throws -> Stub.JSON? {
            do {
                return Stub.JSON(try await server.admin("GET", path + "/" + URLEscaping.component(key)))
            } catch let error as MockServerError where error.status == 404 && error.message.contains("no record") {
                return nil
            }
        }

        /// Sets the record with a key, or adds it.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no stub serves the
        ///   collection or the record has another key.
        public func set(_ key: String, to record: Stub.JSON) async throws {
            try await server.admin("PUT", path + "/" + URLEscaping.component(key), record.value)
        }

        /// Removes the record with a key.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when there is no such
        ///   record.
        public func remove(_ key: String) async throws {
            try await server.admin("DELETE", path + "/" + URLEscaping.component(key))
        }

        /// Takes the collection back to its declaration.
        /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no stub serves the
        ///   collection.
        public func reset() async throws {
            try await server.admin("POST", path + "/reset")
        }

        private var path: String { "/data/" + URLEscaping.component(name) }
    }
}

extension MockServer {
    /// The collection of records with this name.
    public func records(_ name: String) -> MockServer.Records { MockServer.Records(server: self, name: name) }
}
