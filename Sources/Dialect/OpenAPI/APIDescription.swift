public import SDJSON
public import SDStubModel

/// What a document of OpenAPI (2.0, 3.0, 3.1 or 3.2) says of a service. Reading never fails: what is wrong is a finding, and
/// everything else is there.
public struct APIDescription: Sendable {
    /// The versions of the specification.
    public enum Version: String, Sendable, CaseIterable {
        case v2 = "2.0"
        case v30 = "3.0"
        case v31 = "3.1"
        case v32 = "3.2"
    }

    /// What is wrong in a document, or cannot be done.
    public struct Finding: Sendable, Hashable {
        /// The index of its document in `documents`.
        public var document: Int
        /// The problem; its pointers are those of the document.
        public var problem: ModelProblem
        /// Whether something cannot be served as it was meant; otherwise it is a warning.
        public var isError: Bool

        /// Makes a finding.
        public init(document: Int = 0, problem: ModelProblem, isError: Bool) {
            self.document = document
            self.problem = problem
            self.isError = isError
        }
    }

    /// The version; that of an unknown one is the nearest.
    public internal(set) var version: Version
    /// Its title; empty without one.
    public internal(set) var title: String
    /// The documents, for references.
    public internal(set) var documents: DocumentSet
    /// The paths before those of the operations, from `servers` or `basePath`, such as `/v1`; never empty, and "" is the
    /// root. Variables have their default values.
    public internal(set) var basePaths: [String]
    /// The operations in the order of the document.
    public internal(set) var operations: [APIOperation]
    /// The requests that the service makes of its own accord; their `path` is their name.
    public internal(set) var webhooks: [APIOperation]
    /// The schemes of security by name, as the document has them.
    public internal(set) var securitySchemes: [String: JSONValue]
    /// What is wrong, in the order of the documents.
    public internal(set) var findings: [Finding]
}
