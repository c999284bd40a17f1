public import SDHTTPTransport

/// Cross-origin headers as WireMock's server sends them.
public enum CORS {
    private static let origin = Array("origin".utf8)
    private static let requestedMethod = Array("access-control-request-method".utf8)
    private static let requestedHeaders = Array("access-control-request-headers".utf8)

    /// The origin of the page that makes the request; nil if it is not made by a page.
    public static func origin(_ request: Request) -> String? {
        request.header(origin).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a browser only asks for permission.
    public static func isPreflight(_ request: Request) -> Bool {
        request.method.elementsEqual("OPTIONS".utf8) && request.header(origin) != nil
            && request.header(requestedMethod) != nil
    }

    /// The headers for an ordinary response. `Vary` is sent even without an origin, so that no cache serves the
    /// response to a page.
    public static func responseHeaders(_ request: Request) -> [(name: String, value: String)] {
        let permission = permission(request)
        return permission.isEmpty ? [("Vary", "Origin")] : permission + [("Access-Control-Expose-Headers", "*")]
    }

    private static func permission(_ request: Request) -> [(name: String, value: String)] {
        guard let origin = origin(request) else { return [] }
        return [
            ("Vary", "Origin"),
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Allow-Credentials", "true"),
        ]
    }

    /// The headers that a response does not have itself, because a stub's own take precedence. For `Vary` both count.
    public static func headers(
        _ headers: [(name: String, value: String)], besides own: [(String, String)]
    ) -> [(String, String)] {
        let names = Set(own.map { $0.0.lowercased() })
        return headers.filter { $0.name == "Vary" || !names.contains($0.name.lowercased()) }
    }

    /// The headers for the answer to a preflight.
    public static func preflightHeaders(_ request: Request) -> [(name: String, value: String)] {
        let asked = request.header(requestedHeaders).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let names = asked.split(separator: ",").map { $0.filter { $0 != " " } }.joined(separator: ",")
        return permission(request) + [
            ("Access-Control-Max-Age", "1800"),
            ("Access-Control-Allow-Methods", "OPTIONS,GET,POST,PUT,PATCH,DELETE"),
            ("Access-Control-Allow-Headers", names),
        ]
    }
}
