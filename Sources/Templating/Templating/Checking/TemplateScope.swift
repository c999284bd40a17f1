/// The names that a template can use, by where it stands.
public struct TemplateScope: Sendable {
    /// The part of a stub that a template is in.
    public enum Place: Sendable {
        case response
        /// An item of a stream.
        case stream
        /// A listener that is told before the response, such as `recordState`.
        case listener
        case webhook
    }

    public var place: Place
    /// The variables of the stub's path; nil if they are not known.
    public var variables: [String]?
    /// The names under `parameters`; nil if they are not known.
    public var parameters: [String]?
    /// The names of query parameters that the stub asks for.
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

    /// The names that need nothing before them.
    var roots: [String] {
        var roots = [request, "parameters"]
        if variables?.isEmpty != true { roots.append("path") }
        switch place {
        case .response: break
        case .stream: roots.append("stream")
        case .listener: roots.append("response")
        case .webhook: roots += ["response", "originalResponse"]
        }
        return roots
    }

    /// What stands in a message for all names that are there.
    var expected: String {
        var names = ["\(request).query.NAME", "\(request).headers.NAME", "\(request).body", "parameters.NAME"]
        if variables?.isEmpty == false { names.insert("\(request).path.NAME", at: 0) }
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
