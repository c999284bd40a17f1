/// The names that a template can use, depending on its location.
public struct TemplateScope: Sendable {
    /// The part of a stub that contains a template.
    public enum Place: Sendable {
        case response
        /// An item of a stream.
        case stream
        /// A listener that runs before the response, such as `recordState`.
        case listener
        case webhook
        /// A message of a message stub.
        case message
    }

    public var place: Place
    /// The path variables; nil if unknown.
    public var variables: [String]?
    /// The names under `parameters`; nil if unknown.
    public var parameters: [String]?
    /// The query parameters in the stub's conditions.
    public var query: [String]

    public init(
        _ place: Place, variables: [String]? = nil, parameters: [String]? = nil, query: [String] = []
    ) {
        self.place = place
        self.variables = variables
        self.parameters = parameters
        self.query = query
    }

    /// The name of the request.
    var request: String { place == .webhook ? "originalRequest" : "request" }

    /// The top-level names.
    var roots: [String] {
        var roots = [request, "parameters"]
        if variables?.isEmpty != true { roots.append("path") }
        switch place {
        case .response: break
        case .stream: roots.append("stream")
        case .listener: roots.append("response")
        case .webhook: roots += ["response", "originalResponse"]
        case .message: roots.append("message")
        }
        return roots
    }

    /// The list of available names in a message.
    var expected: String {
        var names = ["\(request).query.NAME", "\(request).headers.NAME", "\(request).body", "parameters.NAME"]
        if variables?.isEmpty == false { names.insert("\(request).path.NAME", at: 0) }
        if place == .message { names = ["message.body", "\(request).query.NAME", "\(request).headers.NAME"] }
        return "a name such as " + (names + roots.dropFirst(2).filter { $0 != "path" }).joined(separator: ", ")
    }
}

extension Template {
    /// The members of `request` in a template of a response.
    static let requestMembers = [
        "id", "url", "path", "pathSegments", "query", "method", "headers", "cookies", "body", "bodyAsBase64", "binary",
        "multipart", "parts", "scheme", "host", "port", "baseUrl", "clientIp", "requestLine",
        "clientCertificate",
    ]
}
