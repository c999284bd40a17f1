/// Which requests a stub answers. An absent field does not restrict. WireMock's request pattern.
public struct RequestPattern: Sendable {
    public var scheme: String?
    public var host: ValueMatcher?
    public var port: Int?
    public var clientIp: ValueMatcher?
    public var url: URLPattern = .any
    public var method: MethodPattern = .any
    /// In the order of the document; names compare without case.
    public var headers: [NamedMatcher] = []
    public var queryParameters: [NamedMatcher] = []
    public var formParameters: [NamedMatcher] = []
    public var pathParameters: [NamedMatcher] = []
    public var cookies: [NamedMatcher] = []
    public var basicAuth: BasicAuth?
    public var bodyPatterns: [ValueMatcher] = []
    /// All must be satisfied by the parts of a multipart body.
    public var multipartPatterns: [MultipartPattern] = []
    public var customMatcher: CustomMatcher?

    public init(method: MethodPattern = .any, url: URLPattern = .any) {
        self.method = method
        self.url = url
    }
}

/// Two patterns are equal if they say the same; the order in which headers, parameters and cookies are named is no matter.
/// Stubs are removed by content under this equality.
extension RequestPattern: Hashable {
    public static func == (left: RequestPattern, right: RequestPattern) -> Bool {
        left.scheme == right.scheme && left.host == right.host && left.port == right.port
            && left.clientIp == right.clientIp && left.url == right.url && left.method == right.method
            && same(left.headers, right.headers) && same(left.queryParameters, right.queryParameters)
            && same(left.formParameters, right.formParameters) && same(left.pathParameters, right.pathParameters)
            && same(left.cookies, right.cookies) && left.basicAuth == right.basicAuth
            && left.bodyPatterns == right.bodyPatterns && left.multipartPatterns == right.multipartPatterns
            && left.customMatcher == right.customMatcher
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(method)
        hasher.combine(bodyPatterns)
    }

    /// Names come once in each.
    private static func same(_ left: [NamedMatcher], _ right: [NamedMatcher]) -> Bool {
        left.count == right.count && (left == right || left.allSatisfy(right.contains))
    }
}

/// How the URL is compared. Against the raw request target: nothing is decoded, collapsed or normalised.
public enum URLPattern: Sendable, Hashable {
    case any
    /// `url`: path and query, exactly.
    case url(String)
    /// `urlPattern`: regular expression over path and query, full match.
    case urlPattern(String)
    /// `urlPath`: the path alone, exactly.
    case urlPath(String)
    /// `urlPathPattern`: regular expression over the path, full match.
    case urlPathPattern(String)
    /// `urlPathTemplate`: `/contacts/{id}`, each variable one or more characters other than `/`, `**` anything.
    case urlPathTemplate(String)
}

/// Which methods match. `ANY` or nothing is `.any`.
public enum MethodPattern: Sendable, Hashable {
    case any
    case exactly(String)
    case oneOf([String])
    case noneOf([String])
}

/// A matcher of one header, parameter or cookie.
public struct NamedMatcher: Sendable, Hashable {
    public var name: String
    public var matcher: ValueMatcher

    public init(_ name: String, _ matcher: ValueMatcher) {
        self.name = name
        self.matcher = matcher
    }
}

/// `basicAuth`: read under that key, written as `basicAuthCredentials`, as WireMock does.
public struct BasicAuth: Sendable, Hashable {
    /// As written; nil where there is none.
    let givenUsername: String?
    let givenPassword: String?

    /// The expected one: empty where none is given.
    public var username: String { givenUsername ?? "" }
    public var password: String { givenPassword ?? "" }

    public init(username: String?, password: String?) {
        givenUsername = username
        givenPassword = password
    }
}
