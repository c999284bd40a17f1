public import SDJSON
public import SDStubModel

/// Why a valid stub cannot be served, with the location in the mapping.
public struct ServingProblem: Error, Sendable, Hashable {
    public let pointer: JSONPointer
    /// The message, a sentence such as "`transformers` is not served".
    public let message: String
    public let kind: Kind

    public enum Kind: Sendable, Hashable {
        /// WireMock accepts it.
        case unserved
        /// WireMock rejects it too, with the message `detail`; nil if its message is unknown.
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

/// Why a change of the stubs was rejected. Nothing was changed.
public enum StubRefusal: Error, Sendable, Hashable {
    /// The stub cannot be served.
    case unserved(StubMapping.ID, [ServingProblem])
    /// The id belongs to another stub.
    case duplicateID(StubMapping.ID)
    /// The stub could be served, but its file could not be written or removed.
    case notStored(String)
    /// Matching exceeded its budget: a sentence that says where, and the fix.
    case tooCostly(String)
    /// It is unknown whether a recorded request matches, because only the start of its body was kept; a sentence that
    /// names the limit.
    case undecided(String)
}
