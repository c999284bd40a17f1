public import SDStubModel

/// How OpenAPI documents are served that do not say otherwise.
public struct ContractOptions: Sendable, Equatable {
    /// Where bodies come from: `--openapi-answers`.
    public var answers = OpenAPIAnswer.Source.examples
    /// What happens to requests that a document does not allow: `--openapi-validate`.
    public var validate = OpenAPISettings.Check.off
    /// Whether documents answer nothing, and what others answer is only held against them.
    public var isCheckOnly = false
    /// The words of another mock server that requests and answers follow.
    public var door = Door.own

    /// Whose rules decide about requests and answers.
    public enum Door: Sendable, Equatable {
        case own
        /// Those of Prism; with `failsOnErrors`, an answer that a document does not allow becomes a 500.
        case prism(failsOnErrors: Bool)
    }

    /// Whether the rules are Prism's.
    public var isPrism: Bool { if case .prism = door { true } else { false } }

    /// The same for documents that answer themselves.
    var asMock: ContractOptions {
        var options = self
        options.isCheckOnly = false
        return options
    }

    public init() {}
}
