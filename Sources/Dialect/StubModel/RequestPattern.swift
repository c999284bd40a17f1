extension RequestPattern {
    /// Makes a pattern without further conditions.
    public init(method: MethodPattern = .any, url: URLPattern = .any) {
        self.init()
        self.method = method
        self.url = url
    }

    /// Whether there is a condition beyond method and URL.
    package var hasConditions: Bool {
        scheme != nil || host != nil || port != nil || clientIp != nil || !headers.isEmpty || !queryParameters.isEmpty
            || !formParameters.isEmpty || !pathParameters.isEmpty || !cookies.isEmpty || basicAuth != nil
            || !bodyPatterns.isEmpty || !multipartPatterns.isEmpty || customMatcher != nil
            || !clientCertificate.isEmpty
    }
}

/// Two patterns are equal if they have the same conditions; the order of headers, parameters and cookies does not
/// matter. Removing stubs by content uses this equality.
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

    /// The same in every order. Recordings have thousands of patterns that differ in a parameter alone.
    private static func hash(_ matchers: [NamedMatcher]) -> Int {
        matchers.reduce(matchers.count) { $0 &+ $1.hashValue }
    }

    /// Compares matchers by name; each name occurs once.
    private static func same(_ left: [NamedMatcher], _ right: [NamedMatcher]) -> Bool {
        left.count == right.count && (left == right || left.allSatisfy(right.contains))
    }
}

/// The comparison of the URL with the raw request target, which is neither decoded nor normalized.
public enum URLPattern: Sendable, Hashable {
    /// Any URL: none of the members for it is there.
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
    /// The names of a template's variables as in `pathParameters`; `**` are numbered from 0.
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

/// The methods that match. `ANY` or an absent method is `.any`.
public enum MethodPattern: Sendable, Hashable {
    /// Every method.
    case any
    /// This method, in this letter case.
    case exactly(String)
    /// `oneOf`: any of these methods.
    case oneOf([String])
    /// `noneOf`: any method but these.
    case noneOf([String])

    /// Whether GET is among the methods, but not all of them.
    package var isForGet: Bool {
        switch self {
        case .exactly(let name): name == "GET"
        case .oneOf(let names): names.contains("GET")
        case .any, .noneOf: false
        }
    }
}

/// A matcher of one header, parameter or cookie.
public struct NamedMatcher: Sendable, Hashable {
    /// The name of the header, parameter or cookie.
    public var name: String
    /// The matcher of its values: it is enough that one matches.
    public var matcher: ValueMatcher

    /// Makes a matcher of what has this name.
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
