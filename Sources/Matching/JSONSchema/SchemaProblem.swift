public import SDJSON

/// An error in a schema, and its place.
public struct SchemaProblem: Error, Sendable, Hashable {
    /// The keyword's place in the schema.
    public let pointer: JSONPointer
    /// A description of what was expected there and what was found.
    public let message: String

    public init(pointer: JSONPointer, message: String) {
        self.pointer = pointer
        self.message = message
    }
}

extension SchemaProblem: CustomStringConvertible {
    public var description: String {
        "\(message) at \(pointer.tokens.isEmpty ? "the root of the schema" : pointer.text)"
    }
}

/// A reason why a document does not satisfy a schema.
public struct SchemaError: Sendable, Hashable {
    /// The path of the invalid value in the document.
    public let instance: JSONPointer
    /// The violated keyword, such as `required`; empty for the schema `false`.
    public let keyword: String
    /// What is valid there; nil if nothing is.
    public let expected: String?
    /// What was found there; nil if the value tells.
    public let found: String?
    /// A description of what was expected, as one sentence without a full stop.
    public let message: String

    init(instance: JSONPointer, keyword: String, expected: String? = nil, found: String? = nil, message: String? = nil)
    {
        self.instance = instance
        self.keyword = keyword
        self.expected = expected
        self.found = found
        self.message =
            message ?? "expected \(expected ?? "no value")" + (found.map { ", found \($0)" } ?? "")
    }
}

extension SchemaError: CustomStringConvertible {
    public var description: String {
        "\(instance.tokens.isEmpty ? "the document" : instance.text): \(message)"
    }
}
