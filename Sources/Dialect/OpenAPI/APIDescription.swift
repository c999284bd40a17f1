public import SDJSON
public import SDStubModel

/// The content of an OpenAPI document (2.0, 3.0, 3.1 or 3.2). Reading never fails: problems become findings, and
/// everything else is present.
public struct APIDescription: Sendable {
    /// The versions of the specification.
    public enum Version: String, Sendable, CaseIterable {
        case v2 = "2.0"
        case v30 = "3.0"
        case v31 = "3.1"
        case v32 = "3.2"
    }

    /// A problem of a document, or a feature that is not supported.
    public struct Finding: Sendable, Hashable {
        /// The index of its document in `documents`.
        public var document: Int
        /// The problem; its pointers refer to the document.
        public var problem: ModelProblem
        /// Whether something cannot be served as intended; otherwise it is a warning.
        public var isError: Bool

        /// Makes a finding.
        public init(document: Int = 0, problem: ModelProblem, isError: Bool) {
            self.document = document
            self.problem = problem
            self.isError = isError
        }
    }

    /// The version; for an unknown one, the nearest.
    public internal(set) var version: Version
    /// The title; empty without one.
    public internal(set) var title: String
    /// The documents to which references lead.
    public internal(set) var documents: DocumentSet
    /// The path prefixes of operations, from `servers` or `basePath`, such as `/v1`; never empty, and "" is the root.
    /// Variables have their default values.
    public internal(set) var basePaths: [String]
    /// The operations in document order.
    public internal(set) var operations: [APIOperation]
    /// The requests that the service sends on its own; their `path` is their name.
    public internal(set) var webhooks: [APIOperation]
    /// The security schemes by name, as in the document.
    public internal(set) var securitySchemes: [String: JSONValue]
    /// The problems, in the order of the documents.
    public internal(set) var findings: [Finding]
}
