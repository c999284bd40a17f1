import SDStubModel

/// Static members that begin a pattern: a method and a path, as in the key of a route.
///
/// `/users/{id}` has a variable for one segment, `**` matches anything, `~/v[12]/.*` is a regular expression,
/// `/search?q=x&page={any}` requires these query parameters among others, and `https://api.example.com/me` requires the
/// host as well. A pattern without a path matches every URL, or the one set by ``url(_:)`` or ``url(matching:)``.
extension Stub.Request {
    /// Every request.
    public static var any: Stub.Request { Stub.Request() }

    /// Requests of any method for a path.
    public static func any(_ path: String) -> Stub.Request { method("ANY", path) }

    /// `GET` requests for a path.
    public static func get(_ path: String? = nil) -> Stub.Request { method("GET", path) }

    /// `HEAD` requests for a path.
    public static func head(_ path: String? = nil) -> Stub.Request { method("HEAD", path) }

    /// `POST` requests for a path.
    public static func post(_ path: String? = nil) -> Stub.Request { method("POST", path) }

    /// `PUT` requests for a path.
    public static func put(_ path: String? = nil) -> Stub.Request { method("PUT", path) }

    /// `PATCH` requests for a path.
    public static func patch(_ path: String? = nil) -> Stub.Request { method("PATCH", path) }

    /// `DELETE` requests for a path.
    public static func delete(_ path: String? = nil) -> Stub.Request { method("DELETE", path) }

    /// `OPTIONS` requests for a path.
    public static func options(_ path: String? = nil) -> Stub.Request { method("OPTIONS", path) }

    /// Requests of a method, such as `PROPFIND`, for a path. `GET|HEAD` matches either, `ANY` all.
    public static func method(_ method: String, _ path: String? = nil) -> Stub.Request {
        guard let path else {
            // A route key needs a path; `/` is replaced below by any URL.
            var any = Stub.Request(text: "/", method: method)
            if any.model.method != .any || method == "ANY" { any.model.url = .any }
            return any
        }
        return Stub.Request(text: path, method: method)
    }

    /// Requires any method but these.
    public func method(noneOf names: String...) -> Stub.Request { changing { $0.method = .noneOf(names) } }

    /// Requires exactly this encoded path and query, in place of the pattern's path.
    public func url(_ text: String) -> Stub.Request { changing { $0.url = .url(text) } }

    /// Requires a path and query that a Java regular expression matches as a whole, in place of the pattern's path.
    public func url(matching regex: String) -> Stub.Request { changing { $0.url = .urlPattern(regex) } }
}

/// A string literal as a pattern: a path or URL for any method, or a route key such as `GET /users/{id}`.
extension Stub.Request: ExpressibleByStringInterpolation {
    /// Makes a pattern from a path, a URL or a route key.
    public init(stringLiteral text: String) {
        self.init(text: text, method: nil)
    }
}
