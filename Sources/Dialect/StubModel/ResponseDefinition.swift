import SDJSON

extension ResponseDefinition {
    /// Makes a response with a status and without a body.
    public init(status: Int) {
        self.init()
        self.status = status
    }

    /// Whether a string of the JSON body that is a single expression keeps the type of the expression's value: number,
    /// boolean or null. Set by the transformer parameter `keepTypes`, which the shorthand adds.
    public var keepsTypes: Bool { transformerParameters?["keepTypes"]?.boolValue == true }
}

/// A header field: a name, and one or more values, each sent on its own line.
public struct ResponseHeader: Sendable, Hashable {
    /// The name in the case in which it is sent.
    public var name: String
    /// The values, in order.
    public var values: [String]

    /// Makes a field with values.
    public init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}
