/// A JSON Patch (RFC 6902): operations on a document, all of which are done, or none.
public struct JSONPatch: Sendable, Hashable {
    /// The reason why a document is no patch, or a patch cannot be applied.
    public struct Problem: Error, Sendable, Hashable {
        /// The kind of a problem, for the caller to choose a status by.
        public enum Kind: Sendable, Hashable {
            /// The document is no patch.
            case malformed
            /// The value is not as the patch expects it: a path leads nowhere, or a test fails.
            case conflict
            /// The result would be too large or too deep.
            case tooLarge
            /// The patch takes more work than the caller affords.
            case tooCostly
        }

        /// The kind of the problem.
        public let kind: Kind
        /// The place in the patch.
        public let pointer: JSONPointer
        /// The message, a sentence without a full stop.
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

    /// Reads a patch.
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
