public import JSON
public import StubModel

/// Why a stub that could be read cannot be served: each with the place in the mapping that is meant.
public struct StubProblem: Error, Sendable, Hashable {
    public let pointer: JSONPointer
    /// One sentence, such as "`transformers` is not served".
    public let message: String

    public init(pointer: JSONPointer, message: String) {
        self.pointer = pointer
        self.message = message
    }
}

/// Why a change of the stubs was refused. Nothing was changed.
public enum StubRefusal: Error, Sendable, Hashable {
    /// The stub cannot be served.
    case unserved(StubMapping.ID, [StubProblem])
    /// Another stub has the id.
    case duplicateID(StubMapping.ID)
    /// The stub is served, and could not be written to or removed from the disk.
    case notStored(String)
}
