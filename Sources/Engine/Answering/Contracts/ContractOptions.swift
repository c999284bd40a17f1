public import SDStubModel

/// The defaults for serving OpenAPI documents.
public struct ContractOptions: Sendable, Equatable {
    /// The source of bodies: `--openapi-answers`.
    public var answers = OpenAPIAnswer.Source.examples
    /// The treatment of requests that violate a document: `--openapi-validate`.
    public var validate = OpenAPISettings.Check.off
    /// Whether documents do not answer, and only other answers are checked against them.
    public var isCheckOnly = false
    /// The mock server whose protocol requests and answers follow.
    public var door = Door.own

    /// Whose rules apply to requests and answers.
    public enum Door: Sendable, Equatable {
        case own
        /// Prism's rules; with `failsOnErrors`, an answer that violates a document becomes a 500.
        case prism(failsOnErrors: Bool)
    }

    /// Whether the rules are Prism's.
    public var isPrism: Bool { if case .prism = door { true } else { false } }

    /// The same options for documents that answer themselves.
    var asMock: ContractOptions {
        var options = self
        options.isCheckOnly = false
        return options
    }

    public init() {}
}
