import JSON

/// A JSONPath expression, ready to be evaluated.
public struct JSONPath: Sendable {
    /// The expression as written.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}
