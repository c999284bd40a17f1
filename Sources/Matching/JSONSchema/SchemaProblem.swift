public import SDJSON

/// An error in a schema, and its location.
public struct SchemaProblem: Error, Sendable, Hashable {
    /// The keyword's location in the schema.
    public let pointer: JSONPointer
    /// What was expected there and what was found.
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

/// A violation of a schema by a document.
public struct SchemaError: Sendable, Hashable {
    /// The pointer to the invalid value in the document.
    public let instance: JSONPointer
    /// The violated keyword, such as `required`; empty for the schema `false`.
    public let keyword: String
    /// What would be valid; nil if nothing is.
    public let expected: String?
    /// What was found; nil if the value shows it.
    public let found: String?
    /// What was expected, as a sentence without a full stop.
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
