public import SDOutgoingCalls
public import SDRequestTemplates
import SDStubModel

/// The framing of responses: WireMock's `--use-chunked-encoding`.
public enum ChunkedEncodingPolicy: Sendable {
    case always, never, bodyFile
}

/// The daemon's options that change the bytes of a response.
public struct ResponseOptions: Sendable, Equatable {
    public var chunkedEncoding = ChunkedEncodingPolicy.always
    /// Whether to compress if the client accepts gzip.
    public var gzip = true
    public var templating = TemplatingMode.local
    /// How requests are proxied to other servers.
    public var proxying = ProxyOptions()

    /// How OpenAPI documents are served.
    public var contracts = ContractOptions()

    public init() {}
}

/// A problem in a response definition.
public struct ResponseProblem: Error, Sendable, Equatable {
    public let field: String
    public let message: String
}

/// The headers of a stub: its own, followed by those that identify the stub.
struct StubIdentity: Sendable {
    package let id: String
    package let name: String?

    package func fields(_ definition: ResponseDefinition) -> [(String, String)] {
        var fields = definition.headers.flatMap { header in header.values.map { (header.name, $0) } }
        fields.append(("Matched-Stub-Id", id))
        if let name { fields.append(("Matched-Stub-Name", asciiOnly(name))) }
        return fields
    }

    private func asciiOnly(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }
}
