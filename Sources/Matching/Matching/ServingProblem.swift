public import SDJSON
public import SDStubModel

/// The reason why a valid stub cannot be served, with the place in the mapping.
public struct ServingProblem: Error, Sendable, Hashable {
    public let pointer: JSONPointer
    /// The message, a sentence such as "`transformers` is not served".
    public let message: String
    public let kind: Kind

    public enum Kind: Sendable, Hashable {
        /// WireMock accepts it.
        case unserved
        /// WireMock refuses it too, with the message `detail`; nil if its message is not known.
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

/// The reason why a change of the stubs was refused. Nothing was changed.
public enum StubRefusal: Error, Sendable, Hashable {
    /// The stub cannot be served.
    case unserved(StubMapping.ID, [ServingProblem])
    /// Another stub has the id.
    case duplicateID(StubMapping.ID)
    /// The stub is served, but could not be written to or removed from the disk.
    case notStored(String)
    /// Matching was given up, because it took too much: a sentence that says what, and what to do about it.
    case tooCostly(String)
    /// Whether a request of the journal matches cannot be told, since only the beginning of its body was kept: a
    /// sentence that says which limit that was.
    case undecided(String)
}
