import SDJSON
import SDRecords

/// The fields that hold a session's data: one for each context, each changed record, and each collection with changed
/// records.
struct DataFields: Sendable {
    /// The field of a collection: everything but its records.
    struct Collection: Sendable {
        /// The number of times that all of its records were replaced.
        var generation = 0
        /// Whether the collection has none of its declared records.
        var isOwn = false
        /// Identifies the records that the collection was declared with.
        var declared: UInt64 = 0
        /// The number of the next new record; new records are numbered in order, declared ones have 0.
        var next = 1
        var keys = RecordSet().keyState
        /// The numbers of the records that have a field.
        var places: [String: Int] = [:]
    }

    var collections: [String: Collection] = [:]
    /// Fields that were not written to the server, or may not have been.
    var unsent: [DataField] = []

    /// The meaning of a field's name.
    enum Name {
        case context(String)
        case collection(String)
        case record(String, key: String)
    }

    static func name(_ name: Name) -> [UInt8] {
        switch name {
        case .context(let name): Array("s:\(name)".utf8)
        case .collection(let name): Array("c:\(name)".utf8)
        case .record(let name, let key): Array("r:\(name)\u{0}\(key)".utf8)
        }
    }

    static func meaning(_ bytes: [UInt8]) throws(DecisionProblem) -> Name {
        guard let text = String(validating: bytes, as: UTF8.self), text.utf8.count >= 2 else { throw unreadable }
        let rest = String(text.dropFirst(2))
        switch text.prefix(2) {
        case "s:": return .context(rest)
        case "c:": return .collection(rest)
        case "r:":
            guard let end = rest.firstIndex(of: "\u{0}") else { throw unreadable }
            return .record(String(rest[..<end]), key: String(rest[rest.index(after: end)...]))
        default: throw unreadable
        }
    }

    static let unreadable = DecisionProblem(
        "the shared server has data of a session that no replica of this version wrote")

    static func object(_ bytes: [UInt8]) throws(DecisionProblem) -> JSONObject {
        guard let value = try? JSONValue(parsing: bytes), case .object(let object) = value else { throw unreadable }
        return object
    }

    // MARK: Contexts

    static func value(_ placed: PlacedContext) -> [UInt8] {
        let (context, number) = (placed.context, placed.number)
        return JSONValue.object([
            "n": .number(JSONNumber(number)), "u": .number(JSONNumber(context.updateCount)),
            "p": .object(context.properties), "l": .array(context.list.map { .object($0) }),
        ]).compactBytes
    }

    static func context(_ bytes: [UInt8]) throws(DecisionProblem) -> PlacedContext {
        let object = try object(bytes)
        guard let number = object["n"]?.intValue, let count = object["u"]?.intValue,
            case .object(let properties)? = object["p"], let items = object["l"]?.arrayValue
        else { throw unreadable }
        var list: [JSONObject] = []
        for item in items {
            guard case .object(let record) = item else { throw unreadable }
            list.append(record)
        }
        return PlacedContext(
            StoredContext(updateCount: count, properties: properties, list: list), number: number)
    }

    // MARK: Collections

    static func value(_ collection: Collection) -> [UInt8] {
        let keys = collection.keys
        var object: JSONObject = [
            "g": .number(JSONNumber(collection.generation)), "o": .bool(collection.isOwn),
            "d": .string(String(collection.declared, radix: 16)), "n": .number(JSONNumber(collection.next)),
            "i": .bool(keys.hasIntegers), "t": .bool(keys.hasTexts), "m": .bool(keys.hasNumbers),
        ]
        if let next = keys.next { object["k"] = .number(JSONNumber(next)) }
        return JSONValue.object(object).compactBytes
    }

    static func collection(_ bytes: [UInt8]) throws(DecisionProblem) -> Collection {
        let object = try object(bytes)
        func flag(_ name: String) -> Bool? { if case .bool(let value)? = object[name] { value } else { nil } }
        guard let generation = object["g"]?.intValue, let isOwn = flag("o"),
            let declared = object["d"]?.stringValue.flatMap({ UInt64($0, radix: 16) }),
            let next = object["n"]?.intValue, let hasIntegers = flag("i"), let hasTexts = flag("t"),
            let hasNumbers = flag("m")
        else { throw unreadable }
        var collection = Collection()
        (collection.generation, collection.isOwn) = (generation, isOwn)
        (collection.declared, collection.next) = (declared, next)
        collection.keys = RecordSet.KeyState(
            next: object["k"]?.intValue, hasIntegers: hasIntegers, hasTexts: hasTexts, hasNumbers: hasNumbers)
        return collection
    }

    /// - Parameter record: nil for a declared record that was removed.
    static func value(_ record: Record?, place: Int) -> [UInt8] {
        var object: JSONObject = ["n": .number(JSONNumber(place))]
        if let record {
            object["t"] = .bool(record.isKeyText)
            object["v"] = .object(record.value)
        }
        return JSONValue.object(object).compactBytes
    }

    static func record(_ bytes: [UInt8], key: String) throws(DecisionProblem) -> (place: Int, record: Record?) {
        let object = try object(bytes)
        guard let place = object["n"]?.intValue, place >= 0 else { throw unreadable }
        guard case .object(let value)? = object["v"] else { return (place, nil) }
        return (place, Record(value, key: key, isKeyText: object["t"] == .bool(true)))
    }
}
