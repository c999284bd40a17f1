public import JSON
public import Matching
public import StubModel

/// Why a stub that could be read cannot be served: each with the place in the mapping that is meant.
public struct StubProblem: Error, Sendable, Hashable {
    public let pointer: JSONPointer
    /// One sentence, such as "`transformers` is not served".
    public let message: String
    public let kind: Kind

    public enum Kind: Sendable, Hashable {
        /// WireMock takes it.
        case unserved
        /// It is wrong for WireMock, too, which says `detail` of it; nil where its words are not known.
        case invalid(detail: String?)
    }

    public init(pointer: JSONPointer, message: String, kind: Kind = .unserved) {
        self.pointer = pointer
        self.message = message
        self.kind = kind
    }

    public init(_ problem: PatternProblem) {
        self.init(
            pointer: JSONPointer(text: problem.pointer) ?? .root, message: problem.message,
            kind: .invalid(detail: problem.wireMockDetail))
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
