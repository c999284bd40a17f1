import SDJSON

extension ResponseDefinition {
    /// Makes a response of a status, without a body.
    public init(status: Int) {
        self.init()
        self.status = status
    }

    /// Whether a string of the JSON body that is nothing but an expression becomes a number, boolean or null where the
    /// expression's value is one: the parameter `keepTypes` of the transformer, which the shorthand sets.
    public var keepsTypes: Bool { transformerParameters?["keepTypes"]?.boolValue == true }
}

/// A header field: a name, and a line for each value.
public struct ResponseHeader: Sendable, Hashable {
    /// The name in the letter case in which it is sent.
    public var name: String
    /// The values, in order.
    public var values: [String]

    /// Makes a field of its values.
    public init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}
