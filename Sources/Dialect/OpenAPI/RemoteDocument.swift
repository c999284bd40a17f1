public import SDJSON
public import SDStubModel

/// What became of reading the document of a URL.
public enum RemoteDocument: Sendable {
    case read(JSONValue)
    /// It cannot be read now; this is what it was before.
    case kept(JSONValue, because: ModelProblem)
    case failed(ModelProblem)
}
