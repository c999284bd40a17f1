public import SDHTTPTransport

/// A page's request: a received one, or one that a caller describes.
public protocol PageRequest {
    var method: ArraySlice<UInt8> { get }
    /// The first value of a header, whose name is in lower case; nil if it is missing.
    func header(_ name: [UInt8]) -> ArraySlice<UInt8>?
    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool)
}

extension Request: PageRequest {}

/// Cross-origin headers as WireMock's server sends them.
public enum CORS {
    private static let origin = Array("origin".utf8)
    private static let requestedMethod = Array("access-control-request-method".utf8)
    private static let requestedHeaders = Array("access-control-request-headers".utf8)
    private static let cookie = Array("cookie".utf8)
    private static let authorization = Array("authorization".utf8)

    /// The origin of the page that makes the request; nil if it is not made by a page.
    public static func origin(_ request: some PageRequest) -> String? {
        request.header(origin).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the request has more than one `Origin`, which no browser sends.
    public static func hasSeveralOrigins(_ request: some PageRequest) -> Bool {
        var count = 0
        request.forEachHeaderValue(origin) { _ in
            count += 1
            return count < 2
        }
        return count > 1
    }

    /// Why a request with more than one `Origin` is refused, as a clause.
    public static let severalOrigins = "it has several Origin headers"

    /// Whether a browser withholds the answer from its page without permission: not for the server's own pages, nor for
    /// navigation.
    public static func needsPermission(_ request: Request) -> Bool {
        guard let origin = request.header(origin) else { return false }
        if let mode = request.header(fetchMode), !mode.elementsEqual("cors".utf8) { return false }
        guard let host = request.authority ?? request.header(hostName) else { return true }
        let own = (request.isSecure ? "https://" : "http://") + String(decoding: host, as: UTF8.self)
        return String(decoding: origin, as: UTF8.self).lowercased() != own.lowercased()
    }

    private static let fetchMode = Array("sec-fetch-mode".utf8)
    private static let hostName = Array("host".utf8)

    /// Whether the request is a preflight.
    public static func isPreflight(_ request: some PageRequest) -> Bool {
        request.method.elementsEqual("OPTIONS".utf8) && request.header(origin) != nil
            && request.header(requestedMethod) != nil
    }

    /// The headers for an ordinary response. `Vary` is sent even without an origin, so that no cache serves the
    /// response to a page.
    public static func responseHeaders(_ request: Request) -> [(name: String, value: String)] {
        let permission = permission(request)
        // If a browser sends credentials, it treats `*` as an ordinary name.
        let names = sendsCredentials(request) ? "" : "*"
        return permission.isEmpty ? [("Vary", "Origin")] : permission + [(exposed, names)]
    }

    private static func sendsCredentials(_ request: Request) -> Bool {
        request.header(cookie) != nil || request.header(authorization) != nil
    }

    private static func permission(_ request: some PageRequest) -> [(name: String, value: String)] {
        guard let origin = origin(request), !hasSeveralOrigins(request) else { return [] }
        return [
            ("Vary", "Origin"),
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Allow-Credentials", "true"),
        ]
    }

    /// The field that lists the fields that pages may read. An empty value stands for all of the response.
    public static let exposed = "Access-Control-Expose-Headers"

    /// The fields that pages may always read.
    private static let readable: Set = [
        "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
        "vary",
    ]

    /// The headers to add to a response: its own take precedence, except that `Vary` is always added.
    public static func headers(
        _ headers: [(name: String, value: String)], besides own: [(String, String)]
    ) -> [(String, String)] {
        if headers.isEmpty { return [] }
        let names = Set(own.map { $0.0.lowercased() })
        return headers.compactMap { header in
            guard header.name == "Vary" || !names.contains(header.name.lowercased()) else { return nil }
            guard header.name == exposed, header.value.isEmpty else { return (header.name, header.value) }
            var told: Set<String> = readable
            let others = own.map(\.0).filter {
                !$0.lowercased().hasPrefix("access-control-") && told.insert($0.lowercased()).inserted
            }
            return others.isEmpty ? nil : (exposed, others.joined(separator: ", "))
        }
    }

    /// The headers that a page asks to send, without spaces.
    public static func requestedHeaders(_ request: some PageRequest) -> String {
        let asked = request.header(requestedHeaders).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return asked.split(separator: ",").map { $0.filter { $0 != " " } }.joined(separator: ",")
    }

    /// The method that a page asks to send; empty if it asks for none.
    public static func requestedMethod(_ request: some PageRequest) -> String {
        request.header(requestedMethod).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether a browser sends the request after this answer to its preflight: some methods need no permission (Fetch,
    /// "CORS-safelisted method").
    public static func allows(_ method: String, in methods: [String] = CORS.usualMethods) -> Bool {
        methods.contains(method) || ["GET", "HEAD", "POST"].contains(method)
    }

    /// The methods that `preflightHeaders` allow.
    public static let usualMethods = ["OPTIONS", "GET", "POST", "PUT", "PATCH", "DELETE"]

    /// The headers for the answer to a preflight.
    public static func preflightHeaders(_ request: some PageRequest) -> [(name: String, value: String)] {
        permission(request) + [
            ("Access-Control-Max-Age", "1800"),
            ("Access-Control-Allow-Methods", usualMethods.joined(separator: ",")),
            ("Access-Control-Allow-Headers", requestedHeaders(request)),
        ]
    }

    // MARK: Prism

    /// Prism's headers, which let every page read every answer.
    public static func openHeaders(_ request: some PageRequest) -> [(name: String, value: String)] {
        let asked = requestedHeaders(request)
        return [
            ("Vary", "Origin"),
            ("Access-Control-Allow-Origin", origin(request) ?? "*"),
            ("Access-Control-Allow-Headers", asked.isEmpty ? "*" : asked),
            ("Access-Control-Allow-Credentials", "true"),
            (exposed, "*"),
        ]
    }

    /// Prism's headers for the answer to `OPTIONS`.
    public static func openPreflightHeaders(_ request: some PageRequest) -> [(name: String, value: String)] {
        let method = requestedMethod(request)
        return openHeaders(request) + [
            ("Access-Control-Allow-Methods", method.isEmpty ? "GET,HEAD,PUT,PATCH,POST,DELETE" : method)
        ]
    }
}
