public import SDJSON

/// Why a document is not a collection.
public struct DataProblem: Error, Sendable, Hashable {
    /// The pointer in the document; nil if its text is not JSON.
    public var pointer: JSONPointer?
    /// The position in the text; nil for a part of another document.
    public var position: TextPosition?
    /// The message without a full stop.
    public var message: String
    public var expected: String?
    public var found: String?

    public init(
        pointer: JSONPointer? = nil, position: TextPosition? = nil, message: String, expected: String? = nil,
        found: String? = nil
    ) {
        self.pointer = pointer
        self.position = position
        self.message = message
        self.expected = expected
        self.found = found
    }

    /// The message without its location.
    public var text: String {
        message + (expected.map { "; expected \($0)" } ?? "") + (found.map { ", found \($0)" } ?? "")
    }
}

extension DataProblem: CustomStringConvertible {
    public var description: String {
        if let position { return "line \(position.line), column \(position.column): \(text)" }
        guard let pointer, !pointer.tokens.isEmpty else { return text }
        return "\(pointer.keyPath): \(text)"
    }
}

extension RecordSet {
    /// Reads a collection: a list of objects; an object of objects by key; or an object with such a list under the
    /// collection's name, as json-server stores several in one file.
    /// - Throws: the first problem.
    public init(_ json: JSONValue, name: String, key: String, areDeclared: Bool = true) throws(DataProblem) {
        let (elements, place) = try Self.elements(of: json, name: name, key: key)
        var records: [Record] = []
        records.reserveCapacity(elements.count)
        var seen: [ExactKey: Int] = [:]
        seen.reserveCapacity(elements.count)
        for (index, (token, element)) in elements.enumerated() {
            let record = try Self.record(element, key: key, at: place.appending(token), areDeclared)
            if let first = seen.updateValue(index, forKey: ExactKey(record.key)) {
                throw DataProblem(
                    pointer: place.appending(token).appending(key),
                    message: "the key \(record.key) is taken by the record at \(elements[first].token)",
                    expected: "each \"\(key)\" once")
            }
            records.append(record)
        }
        self.init(records)
    }

    /// Reads a collection from a text.
    /// - Throws: the first problem, with its position.
    public init(text: DataText, name: String, key: String) throws(DataProblem) {
        let json = try text.json()
        do throws(DataProblem) {
            try self.init(json, name: name, key: key)
        } catch {
            var problem = error
            problem.position = text.position(of: problem.pointer ?? .root)
            throw problem
        }
    }

    private static func elements(
        of json: JSONValue, name: String, key: String
    ) throws(DataProblem) -> (elements: [(token: String, value: JSONValue)], place: JSONPointer) {
        switch json {
        case .array(let elements): return (elements.enumerated().map { (String($0), $1) }, .root)
        case .object(let object):
            if case .array(let elements) = object[name] {
                return (elements.enumerated().map { (String($0), $1) }, JSONPointer([name]))
            }
            return (object.members.map { ($0.key, keyed($0, key)) }, .root)
        default:
            throw DataProblem(
                pointer: .root, message: "no collection",
                expected: "a list of objects, an object of them by their keys, or an object with a list \"\(name)\"",
                found: json.shortDescription)
        }
    }

    /// The value of a member of an object of records; its name becomes the key unless it has one.
    private static func keyed(_ member: JSONObject.Member, _ key: String) -> JSONValue {
        guard case .object(let object) = member.value, object[key] == nil else { return member.value }
        let number = Int(member.key).flatMap { String($0) == member.key ? $0 : nil }
        var keyed: JSONObject = [key: number.map { .number(JSONNumber($0)) } ?? .string(member.key)]
        for member in object.members { keyed[member.key] = member.value }
        return .object(keyed)
    }

    private static func record(
        _ json: JSONValue, key: String, at place: JSONPointer, _ isDeclared: Bool
    ) throws(DataProblem) -> Record {
        guard case .object(let object) = json else {
            throw DataProblem(
                pointer: place, message: "a record is an object", expected: "an object with \"\(key)\"",
                found: json.shortDescription)
        }
        guard let text = Record.key(object[key]) else {
            throw DataProblem(
                pointer: object[key] == nil ? place : place.appending(key),
                message: object[key] == nil ? "a record without its key \"\(key)\"" : "no key",
                expected: "a text or a number under \"\(key)\"",
                found: object[key]?.shortDescription)
        }
        return Record(object, key: text, isKeyText: object[key]?.stringValue != nil, isDeclared: isDeclared)
    }
}
