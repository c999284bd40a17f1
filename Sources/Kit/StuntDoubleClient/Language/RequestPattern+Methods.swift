public import SDStubModel

/// The beginnings of a pattern: a method and a path as in the key of a route.
///
/// `/users/{id}` has a variable for one segment, `**` stands for anything, `/search?q=x&page={any}` requires these
/// query parameters among others, and `https://api.example.com/me` requires the host as well. A whole
/// ``SDStubModel/URLPattern`` says more: `.get(.urlPathPattern("/v[12]/.*"))`.
extension RequestPattern {
    /// Every request.
    public static var any: RequestPattern { RequestPattern() }

    /// Requests of any method for a path.
    public static func any(_ path: String) -> RequestPattern { method("ANY", path) }
    /// Requests of any method for a URL.
    public static func any(_ url: URLPattern) -> RequestPattern { RequestPattern(url: url) }

    /// `GET` requests for a path.
    public static func get(_ path: String) -> RequestPattern { method("GET", path) }
    /// `GET` requests for a URL.
    public static func get(_ url: URLPattern = .any) -> RequestPattern { method("GET", url) }

    /// `HEAD` requests for a path.
    public static func head(_ path: String) -> RequestPattern { method("HEAD", path) }
    /// `HEAD` requests for a URL.
    public static func head(_ url: URLPattern = .any) -> RequestPattern { method("HEAD", url) }

    /// `POST` requests for a path.
    public static func post(_ path: String) -> RequestPattern { method("POST", path) }
    /// `POST` requests for a URL.
    public static func post(_ url: URLPattern = .any) -> RequestPattern { method("POST", url) }

    /// `PUT` requests for a path.
    public static func put(_ path: String) -> RequestPattern { method("PUT", path) }
    /// `PUT` requests for a URL.
    public static func put(_ url: URLPattern = .any) -> RequestPattern { method("PUT", url) }

    /// `PATCH` requests for a path.
    public static func patch(_ path: String) -> RequestPattern { method("PATCH", path) }
    /// `PATCH` requests for a URL.
    public static func patch(_ url: URLPattern = .any) -> RequestPattern { method("PATCH", url) }

    /// `DELETE` requests for a path.
    public static func delete(_ path: String) -> RequestPattern { method("DELETE", path) }
    /// `DELETE` requests for a URL.
    public static func delete(_ url: URLPattern = .any) -> RequestPattern { method("DELETE", url) }

    /// `OPTIONS` requests for a path.
    public static func options(_ path: String) -> RequestPattern { method("OPTIONS", path) }
    /// `OPTIONS` requests for a URL.
    public static func options(_ url: URLPattern = .any) -> RequestPattern { method("OPTIONS", url) }

    /// Requests of a method, such as `PROPFIND`, for a path. `GET|HEAD` is one of several, `ANY` all.
    public static func method(_ method: String, _ path: String) -> RequestPattern {
        RequestPattern(text: path, method: method)
    }

    /// Requests of a method for a URL.
    public static func method(_ method: MethodPattern, _ url: URLPattern = .any) -> RequestPattern {
        RequestPattern(method: method, url: url)
    }
}

/// A pattern written as a text alone: a path or URL, of any method, or the key of a route such as `GET /users/{id}`.
extension RequestPattern: ExpressibleByStringInterpolation {
    /// Makes a pattern of a path, a URL, or the key of a route.
    public init(stringLiteral text: String) {
        self.init(text: text, method: nil)
    }
}

extension MethodPattern: ExpressibleByStringLiteral {
    /// Makes a pattern of a method's name; `ANY` is every method.
    public init(stringLiteral name: String) {
        self = name == "ANY" ? .any : .exactly(name)
    }
}
