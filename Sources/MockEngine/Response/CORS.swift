public import HTTPTransport

/// Cross-origin headers as WireMock's server sends them.
public enum CORS {
    private static let origin = Array("origin".utf8)
    private static let requestedMethod = Array("access-control-request-method".utf8)
    private static let requestedHeaders = Array("access-control-request-headers".utf8)

    /// The origin of the page that makes the request; nil where no page does.
    public static func origin(_ request: Request) -> String? {
        request.header(origin).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a browser asks for permission only.
    public static func isPreflight(_ request: Request) -> Bool {
        request.method.elementsEqual("OPTIONS".utf8) && request.header(origin) != nil
            && request.header(requestedMethod) != nil
    }

    /// For an ordinary response; empty without an origin.
    public static func responseHeaders(_ request: Request) -> [(name: String, value: String)] {
        guard let origin = origin(request) else { return [] }
        return [
            ("Vary", "Origin"),
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Allow-Credentials", "true"),
        ]
    }

    /// For the answer to a preflight.
    public static func preflightHeaders(_ request: Request) -> [(name: String, value: String)] {
        let asked = request.header(requestedHeaders).map { String(decoding: $0, as: UTF8.self) } ?? "*"
        return responseHeaders(request) + [
            ("Access-Control-Max-Age", "1800"),
            ("Access-Control-Allow-Methods", "OPTIONS,GET,POST,PUT,PATCH,DELETE"),
            ("Access-Control-Allow-Headers", asked),
        ]
    }
}
