public import SDStubModel

/// Stubs to add together, and the treatment of existing stubs.
public struct StubImport: Sendable, Hashable {
    /// The treatment of an imported stub whose id exists already.
    public enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable {
        case overwrite = "OVERWRITE"
        case ignore = "IGNORE"
    }

    /// The mappings in document order: the first takes precedence.
    public var mappings: [StubMapping]
    public var duplicatePolicy: DuplicatePolicy
    /// Whether stubs that are not in the import are removed.
    public var deleteAllNotInImport: Bool
    /// The stubs that are removed unless they are in the import.
    public var replaced: Set<StubMapping.ID>

    public init(
        mappings: [StubMapping], duplicatePolicy: DuplicatePolicy = .overwrite, deleteAllNotInImport: Bool = false,
        replaced: Set<StubMapping.ID> = []
    ) {
        self.mappings = mappings
        self.duplicatePolicy = duplicatePolicy
        self.deleteAllNotInImport = deleteAllNotInImport
        self.replaced = replaced
    }
}
