public import SDOpenAPI

/// A description ready to be served and checked against. Schemas are compiled when they are first used.
public final class Contract: Sendable {
    /// What it was made of.
    public let description: APIDescription

    /// Makes a contract; cheap, whatever the document's size.
    public init(_ description: APIDescription) {
        self.description = description
    }
}
