import SDBasics
public import SDJSON
import SDPlatform
import SDStubModel
import Synchronization

/// A collection of records as the admin API shows it.
public struct CollectionStatus: Sendable {
    public let name: String
    /// The distinct paths that serve it, in the order of precedence of their stubs.
    public let paths: [String]
    /// The field with a record's key.
    public let key: String
    /// The file of its data; nil for data within a stub, or without data.
    public let file: String?
    public let count: Int
    /// Whether it differs from its declaration.
    public let isChanged: Bool
    /// The reason why it cannot be served; nil if it can.
    public let problem: String?
}

/// The reason why a call about a collection was refused. Nothing was changed.
public enum CollectionRefusal: Error, Sendable {
    /// No stub serves a collection of that name.
    case unknown(String, nearest: String?)
    case noRecord(String, of: String)
    /// A record with this key exists.
    case taken(String, in: String)
    /// The document is not a collection, or not a record.
    case invalid(DataFault)
    case unavailable(String)
    /// Memory is short.
    case noRoom
}

/// An error in a document, with its location.
public struct DataFault: Sendable, Hashable {
    public let pointer: JSONPointer
    public let message: String
}

/// The collections of a session, for the admin API.
extension CollectionOwner {
    /// All collections, ordered by name.
    package var collections: [CollectionStatus] {
        let table = resources
        return table.names.compactMap { name -> CollectionStatus? in
            let users = table.resources.filter { $0.definition.name == name }
            guard let first = users.first, let declaration = table.declaration(name) else { return nil }
            // Each resource has several stubs with one path.
            let paths = users.map(\.definition.path).reduce(into: [String]()) { paths, path in
                if !paths.contains(path) { paths.append(path) }
            }
            var entry: SessionData.Entry?
            var problem: String?
            do throws(CollectionRefusal) {
                entry = try self.entry(of: first)
            } catch {
                if case .unavailable(let reason) = error { problem = reason }
            }
            return CollectionStatus(
                name: name, paths: paths, key: declaration.definition.key,
                file: declaration.definition.data?.fileName, count: entry?.records.count ?? 0,
                isChanged: entry?.isChanged ?? false, problem: problem)
        }
    }

    private func resource(_ name: String) throws(CollectionRefusal) -> Resource {
        let table = resources
        guard let resource = table.resources.first(where: { $0.definition.name == name }) else {
            throw .unknown(name, nearest: nearestName(to: name, among: table.names))
        }
        return resource
    }

    private func entry(of resource: Resource) throws(CollectionRefusal) -> SessionData.Entry {
        do throws(ResourceFailure) {
            _ = try view(resource, mayRead: true)
        } catch {
            if case .unavailable(let reason) = error { throw .unavailable(reason) }
        }
        return changeData(resource) { entry, _, _ in entry }
    }

    /// The current records of a collection.
    /// - Throws: `.unknown` and `.unavailable` like `collection`.
    package func records(of name: String) throws(CollectionRefusal) -> RecordSet {
        try entry(of: try resource(name)).records
    }

    /// The records of a collection, as a JSON list.
    /// - Throws: `.unknown` if no stub serves such a collection, `.unavailable` if it cannot be served.
    package func collection(_ name: String) throws(CollectionRefusal) -> [UInt8] {
        let records = try entry(of: try resource(name)).records
        var size = 2
        records.visit { record in
            size += record.bytes.count + 1
            return true
        }
        return ResourceList.bytes(records.all, size: size)
    }

    /// A record, as JSON.
    /// - Throws: `.noRecord` if there is none with this key; `.unknown` and `.unavailable` like `collection`.
    package func record(_ key: String, of name: String) throws(CollectionRefusal) -> [UInt8] {
        guard let record = try entry(of: try resource(name)).records[key] else { throw .noRecord(key, of: name) }
        return record.bytes
    }

    /// Replaces all records of a collection.
    /// - Returns: their number.
    /// - Throws: `.unknown` if no stub serves such a collection, `.invalid` if the document is not a collection,
    ///   `.noRoom` if memory is short.
    package func replaceCollection(_ name: String, with json: JSONValue) throws(CollectionRefusal) -> Int {
        let resource = try resource(name)
        let records: RecordSet
        do throws(DataProblem) {
            records = try RecordSet(json, name: name, key: resource.definition.key, areDeclared: false)
        } catch {
            throw .invalid(DataFault(pointer: error.pointer ?? .root, message: error.text))
        }
        var weight = 0
        records.visit { record in
            weight += record.weight
            return true
        }
        try checkRoom(weight)
        changeData(resource) { entry, _, _ in entry.set(records) }
        return records.count
    }

    /// Adds a record; a missing key is generated.
    /// - Returns: the record as JSON.
    /// - Throws: `.taken` if its key exists, `.invalid` if it is not an object or its key is invalid, `.noRoom` if
    ///   memory is short; `.unknown` and `.unavailable` like `collection`.
    package func addRecord(_ json: JSONValue, to name: String) throws(CollectionRefusal) -> [UInt8] {
        let resource = try resource(name)
        _ = try entry(of: resource)
        let key = resource.definition.key
        let object = try object(json)
        if let given = object[key], Record.key(given) == nil { throw Self.noKey(key, given) }
        try checkRoom(Record(object, key: "").weight)
        let added = changeData(resource) { entry, generator, _ -> Result<Record, Taken> in
            var object = object
            if object[key] == nil {
                switch entry.records.nextKey {
                case .integer(let number): object[key] = .number(JSONNumber(number))
                case .digits(let number): object[key] = .string(String(number))
                case .text: object[key] = .string(ResourceCall.uuid(&generator))
                }
            }
            let record = Record(
                object, key: Record.key(object[key]) ?? "", isKeyText: object[key]?.stringValue != nil)
            return entry.append(record) ? .success(record) : .failure(Taken(key: record.key))
        }
        switch added {
        case .success(let record): return record.bytes
        case .failure(let taken): throw .taken(taken.key, in: name)
        }
    }

    /// Creates or replaces the record of a key.
    /// - Returns: the record as JSON, and whether it is new.
    /// - Throws: `.invalid` if the record is not an object or has another key, `.noRoom` if memory is short; `.unknown`
    ///   and `.unavailable` like `collection`.
    package func setRecord(
        _ key: String, of name: String, to json: JSONValue
    ) throws(CollectionRefusal) -> (bytes: [UInt8], isNew: Bool) {
        let resource = try resource(name)
        _ = try entry(of: resource)
        let field = resource.definition.key
        var object = try object(json)
        if let given = object[field] {
            guard Record.key(given) == key else { throw Self.noKey(field, given, expected: key) }
        } else {
            let number = Int(key).flatMap { String($0) == key ? JSONValue.number(JSONNumber($0)) : nil }
            object[field] = number ?? .string(key)
        }
        let record = Record(object, key: key, isKeyText: object[field]?.stringValue != nil)
        try checkRoom(record.weight)
        let isNew = changeData(resource) { entry, _, _ in
            if let old = entry.records[key] {
                entry.replace(old, with: record)
                return false
            }
            return entry.append(record)
        }
        return (record.bytes, isNew)
    }

    /// Removes a record.
    /// - Throws: `.noRecord` if there is none with this key; `.unknown` and `.unavailable` like `collection`.
    package func removeRecord(_ key: String, of name: String) throws(CollectionRefusal) {
        let resource = try resource(name)
        _ = try entry(of: resource)
        let wasThere = changeData(resource) { entry, _, _ in entry.remove(key) != nil }
        if !wasThere { throw .noRecord(key, of: name) }
    }

    /// Resets a collection to its declaration.
    /// - Throws: `.unknown` and `.unavailable` like `collection`.
    package func resetCollection(_ name: String) throws(CollectionRefusal) {
        let resource = try resource(name)
        withData { data, _ in data.put(name, nil) }
        _ = try entry(of: resource)
    }

    private func object(_ json: JSONValue) throws(CollectionRefusal) -> JSONObject {
        guard case .object(let object) = json else {
            let message = "a record is an object, found \(json.shortDescription)"
            throw .invalid(DataFault(pointer: .root, message: message))
        }
        return object
    }

    private static func noKey(_ field: String, _ given: JSONValue, expected: String? = nil) -> CollectionRefusal {
        let expected = expected ?? "a number or a text that is not empty"
        return .invalid(
            DataFault(
                pointer: JSONPointer([field]),
                message: "not the key: expected \(expected), found \(given.shortDescription)"))
    }

    private func checkRoom(_ weight: Int) throws(CollectionRefusal) {
        guard memory.hasRoom(for: weight, refusing: "a record") else { throw .noRoom }
    }
}

private struct Taken: Error {
    let key: String
}
