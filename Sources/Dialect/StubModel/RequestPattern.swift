extension RequestPattern {
    /// Makes a pattern without further conditions.
    public init(method: MethodPattern = .any, url: URLPattern = .any) {
        self.init()
        self.method = method
        self.url = url
    }

    /// Whether there are conditions other than method and URL.
    package var hasConditions: Bool {
        scheme != nil || host != nil || port != nil || clientIp != nil || !headers.isEmpty || !queryParameters.isEmpty
            || !formParameters.isEmpty || !pathParameters.isEmpty || !cookies.isEmpty || basicAuth != nil
            || !bodyPatterns.isEmpty || !multipartPatterns.isEmpty || customMatcher != nil
            || !clientCertificate.isEmpty
    }
}

/// Patterns with the same conditions are equal; the order of headers, parameters and cookies is ignored. Removing stubs
/// by content relies on this.
extension RequestPattern: Hashable {
    public static func == (left: RequestPattern, right: RequestPattern) -> Bool {
        left.scheme == right.scheme && left.host == right.host && left.port == right.port
            && left.clientIp == right.clientIp && left.url == right.url && left.method == right.method
            && same(left.headers, right.headers) && same(left.queryParameters, right.queryParameters)
            && same(left.formParameters, right.formParameters) && same(left.pathParameters, right.pathParameters)
            && same(left.cookies, right.cookies) && left.basicAuth == right.basicAuth
            && left.bodyPatterns == right.bodyPatterns && left.multipartPatterns == right.multipartPatterns
            && left.customMatcher == right.customMatcher && same(left.clientCertificate, right.clientCertificate)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(method)
        hasher.combine(bodyPatterns)
        for matchers in [queryParameters, formParameters, headers] { hasher.combine(Self.hash(matchers)) }
    }

    /// An order-independent hash. It includes values: recordings have thousands of patterns that differ only in a
    /// parameter.
    private static func hash(_ matchers: [NamedMatcher]) -> Int {
        matchers.reduce(matchers.count) { $0 &+ $1.hashValue }
    }

    /// Compares matchers by name; names are unique.
    private static func same(_ left: [NamedMatcher], _ right: [NamedMatcher]) -> Bool {
        left.count == right.count && (left == right || left.allSatisfy(right.contains))
    }
}

/// A condition on the URL. It is compared with the raw request target, neither decoded nor normalized.
public enum URLPattern: Sendable, Hashable {
    /// Any URL: no URL member is given.
    case any
    /// `url`: exactly this path and query.
    case url(String)
    /// `urlPattern`: a regular expression for the whole path and query.
    case urlPattern(String)
    /// `urlPath`: exactly this path.
    case urlPath(String)
    /// `urlPathPattern`: a regular expression for the whole path.
    case urlPathPattern(String)
    /// `urlPathTemplate`: `/contacts/{id}`, each variable one or more characters other than `/`, `**` anything.
    case urlPathTemplate(String)
}

extension URLPattern {
    /// The names of a template's variables, as in `pathParameters`; each `**` is numbered from 0.
    package static func variables(of template: String) -> [String] {
        var names: [String] = []
        var wildcards = 0
        var rest = template[...]
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "*" }) {
            if rest[start] == "{", let end = rest[start...].firstIndex(of: "}") {
                names.append(String(rest[rest.index(after: start)..<end].filter { !".;*".contains($0) }))
                rest = rest[rest.index(after: end)...]
            } else if rest[start...].hasPrefix("**") {
                names.append(String(wildcards))
                wildcards += 1
                rest = rest[start...].dropFirst(2)
            } else {
                rest = rest[start...].dropFirst()
            }
        }
        return names
    }
}

/// The allowed methods. `ANY` and an absent method are `.any`.
public enum MethodPattern: Sendable, Hashable {
    /// Every method.
    case any
    /// This method, case-sensitive.
    case exactly(String)
    /// `oneOf`: any of these methods.
    case oneOf([String])
    /// `noneOf`: any method except these.
    case noneOf([String])

    /// Whether GET is allowed, but not all methods.
    package var isForGet: Bool {
        switch self {
        case .exactly(let name): name == "GET"
        case .oneOf(let names): names.contains("GET")
        case .any, .noneOf: false
        }
    }
}

/// A matcher for a header, parameter or cookie.
public struct NamedMatcher: Sendable, Hashable {
    /// The name of the header, parameter or cookie.
    public var name: String
    /// The matcher of its values; one match is enough.
    public var matcher: ValueMatcher

    /// Makes a matcher for a name.
    public init(_ name: String, _ matcher: ValueMatcher) {
        self.name = name
        self.matcher = matcher
    }
}

extension BasicAuth {
    /// The expected user name; empty if none is given.
    public var username: String { givenUsername ?? "" }
    /// The expected password; empty if none is given.
    public var password: String { givenPassword ?? "" }

    /// Makes credentials.
    public init(username: String?, password: String?) {
        self.init()
        givenUsername = username
        givenPassword = password
    }
}
