public import SDJSON
public import SDStubModel

/// The outcome of fetching the document of a URL.
public enum RemoteDocument: Sendable {
    case read(JSONValue)
    /// Fetching failed; the last known content is used.
    case kept(JSONValue, because: ModelProblem)
    case failed(ModelProblem)
}
