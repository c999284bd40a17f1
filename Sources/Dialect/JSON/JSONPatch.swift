/// A JSON Patch (RFC 6902): operations on a document, applied atomically.
public struct JSONPatch: Sendable, Hashable {
    /// Why a document is not a patch, or cannot be applied.
    public struct Problem: Error, Sendable, Hashable {
        /// The kind of a problem, from which the caller chooses a status.
        public enum Kind: Sendable, Hashable {
            /// The document is not a patch.
            case malformed
            /// The value is not what the patch expects: a path does not exist, or a test fails.
            case conflict
            /// The result would be too large or too deep.
            case tooLarge
            /// The patch takes more work than the caller's budget allows.
            case tooCostly
        }

        /// The kind of the problem.
        public let kind: Kind
        /// The location in the patch.
        public let pointer: JSONPointer
        /// The message: a sentence without a full stop.
        public let message: String
    }

    enum Operation: Sendable, Hashable {
        case add(JSONPointer, JSONValue)
        case remove(JSONPointer)
        case replace(JSONPointer, JSONValue)
        case move(from: JSONPointer, to: JSONPointer)
        case copy(from: JSONPointer, to: JSONPointer)
        case test(JSONPointer, JSONValue)
    }

    let operations: [Operation]

    static let names = ["add", "remove", "replace", "move", "copy", "test"]

    /// Parses a patch.
    /// - Throws: the first problem, of kind `malformed`.
    public init(_ json: JSONValue) throws(Problem) {
        guard case .array(let elements) = json else {
            throw Problem(
                kind: .malformed, pointer: .root,
                message: "a JSON Patch is a list of operations, found \(json.shortDescription)")
        }
        var operations: [Operation] = []
        operations.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            operations.append(try Self.operation(element, at: JSONPointer([String(index)])))
        }
        self.operations = operations
    }

    private static func operation(_ json: JSONValue, at place: JSONPointer) throws(Problem) -> Operation {
        guard case .object(let object) = json else {
            throw Problem(
                kind: .malformed, pointer: place, message: "an operation is an object, found \(json.shortDescription)")
        }
        guard let name = object["op"]?.stringValue, names.contains(name) else {
            let found = object["op"].map { ", found \($0.shortDescription)" } ?? ""
            throw Problem(
                kind: .malformed, pointer: place.appending("op"),
                message: "\"op\" is one of \(names.joined(separator: ", "))\(found)")
        }
        let path = try pointer("path", of: object, at: place)
        func value() throws(Problem) -> JSONValue {
            guard let value = object["value"] else {
                throw Problem(
                    kind: .malformed, pointer: place.appending("value"), message: "\"\(name)\" needs a \"value\"")
            }
            return value
        }
        switch name {
        case "add": return .add(path, try value())
        case "remove": return .remove(path)
        case "replace": return .replace(path, try value())
        case "test": return .test(path, try value())
        default:
            let from = try pointer("from", of: object, at: place)
            guard name == "move" else { return .copy(from: from, to: path) }
            if path.tokens.count > from.tokens.count, path.tokens.starts(with: from.tokens) {
                throw Problem(
                    kind: .malformed, pointer: place.appending("path"), message: "a value cannot be moved into itself")
            }
            return .move(from: from, to: path)
        }
    }

    private static func pointer(
        _ name: String, of object: JSONObject, at place: JSONPointer
    ) throws(Problem) -> JSONPointer {
        guard let text = object[name]?.stringValue, let pointer = JSONPointer(text: text) else {
            let found = object[name].map { ", found \($0.shortDescription)" } ?? ""
            throw Problem(
                kind: .malformed, pointer: place.appending(name),
                message: "\"\(name)\" is a JSON Pointer such as \"/tags/0\"\(found)")
        }
        return pointer
    }
}
