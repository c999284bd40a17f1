public import JSON

/// A JSON Schema, ready to validate documents.
public struct JSONSchema: Sendable {
    public let schema: JSONValue

    public init(_ schema: JSONValue) {
        self.schema = schema
    }
}
