public import SDJSON
import SDShorthand
public import SDStubModel

/// Further conditions, all of which must hold. Where a name is given twice, both of its conditions must.
extension RequestPattern {
    /// Requires a header, whose name compares without case: `.header("Authorization", .contains("Bearer"))`.
    public func header(_ name: String, _ matcher: ValueMatcher) -> RequestPattern {
        changing { $0.headers.require(name, matcher, hasCase: false, maySeveral: true) }
    }

    /// Requires a header of this value.
    public func header(_ name: String, _ value: String) -> RequestPattern { header(name, .equal(value)) }

    /// Requires a parameter of the query, decoded: `.query("page", 2)`, `.query("tag", .includes("new", "sale"))`.
    public func query(_ name: String, _ matcher: ValueMatcher) -> RequestPattern {
        changing { $0.queryParameters.require(name, matcher, maySeveral: true) }
    }

    /// Requires a parameter of the query with this value.
    public func query(_ name: String, _ value: String) -> RequestPattern { query(name, .equal(value)) }

    /// Requires a field of a form, whose type is `application/x-www-form-urlencoded`.
    public func form(_ name: String, _ matcher: ValueMatcher) -> RequestPattern {
        changing { $0.formParameters.require(name, matcher, maySeveral: true) }
    }

    /// Requires a field of a form with this value.
    public func form(_ name: String, _ value: String) -> RequestPattern { form(name, .equal(value)) }

    /// Restricts a variable of the path, as clients send it:
    /// `.get("/users/{id}").pathParameter("id", .matching("[0-9]+"))`. Each `**` is a variable, too: `0`, `1`, …
    public func pathParameter(_ variable: String, _ matcher: ValueMatcher) -> RequestPattern {
        changing { $0.pathParameters.require(variable, (try? matcher.spelledAsPath()) ?? matcher) }
    }

    /// Requires this value of a variable of the path.
    public func pathParameter(_ variable: String, _ value: String) -> RequestPattern {
        pathParameter(variable, .equal(value))
    }

    /// Requires a cookie.
    public func cookie(_ name: String, _ matcher: ValueMatcher) -> RequestPattern {
        changing { $0.cookies.require(name, matcher) }
    }

    /// Requires a cookie of this value.
    public func cookie(_ name: String, _ value: String) -> RequestPattern { cookie(name, .equal(value)) }

    /// Requires `Authorization: Basic …` of this user.
    public func basicAuth(_ username: String, _ password: String) -> RequestPattern {
        changing { $0.basicAuth = BasicAuth(username: username, password: password) }
    }

    /// Requires something of the body, such as `.json(order)` or `.jsonPath("$.items")`; of several matchers all.
    public func body(_ matchers: ValueMatcher...) -> RequestPattern {
        changing { $0.bodyPatterns += matchers }
    }

    /// Requires this body.
    public func body(_ text: String) -> RequestPattern { body(.equal(text)) }

    /// Requires a part of a multipart body that satisfies a pattern; of several patterns, one for each.
    public func multipart(_ parts: MultipartPattern...) -> RequestPattern {
        changing { $0.multipartPatterns += parts }
    }

    /// Requires the host that the request was sent to, without its port.
    public func host(_ matcher: ValueMatcher) -> RequestPattern { changing { $0.host = matcher } }

    /// Requires this host.
    public func host(_ name: String) -> RequestPattern { host(.equal(name)) }

    /// Requires the port that the request was sent to.
    public func port(_ port: Int) -> RequestPattern { changing { $0.port = port } }

    /// Requires a scheme: `http` or `https`.
    public func scheme(_ scheme: String) -> RequestPattern { changing { $0.scheme = scheme } }

    /// Requires something of the client's address, or of `X-Forwarded-For` if the request has that.
    public func clientIP(_ matcher: ValueMatcher) -> RequestPattern { changing { $0.clientIp = matcher } }

    /// Requires that a custom matcher of the daemon holds, such as `state-matcher`.
    public func custom(_ name: String, _ parameters: JSONObject = [:]) -> RequestPattern {
        changing {
            $0.customMatcher = CustomMatcher(name: name, parameters: parameters.isEmpty ? nil : parameters)
        }
    }

    /// Requires something of the session's state, by the parameters of `state-matcher`:
    /// `.state(["hasContext": "user-1"])`.
    public func state(_ parameters: JSONObject) -> RequestPattern { custom("state-matcher", parameters) }

    /// A copy with a change.
    public func changing(_ change: (inout RequestPattern) -> Void) -> RequestPattern {
        var copy = self
        change(&copy)
        return copy
    }
}

extension MultipartPattern {
    /// A part of this name, which is that of a form's field, and of this file name.
    public static func part(_ name: String? = nil, fileName: String? = nil) -> MultipartPattern {
        var part = MultipartPattern(name: name, fileName: fileName, matchingType: .any)
        part.requireDisposition()
        return part
    }

    /// Requires a header of the part.
    public func header(_ name: String, _ matcher: ValueMatcher) -> MultipartPattern {
        var copy = self
        copy.headers.require(name, matcher, hasCase: false, maySeveral: true)
        return copy
    }

    /// Requires something of the part's content.
    public func body(_ matchers: ValueMatcher...) -> MultipartPattern {
        var copy = self
        copy.bodyPatterns += matchers
        return copy
    }

    /// Requires that every part satisfies the pattern, rather than one.
    public func every() -> MultipartPattern {
        var copy = self
        copy.matchingType = .all
        return copy
    }
}

extension [NamedMatcher] {
    /// Adds a condition, besides the one of the same name if there is one.
    /// - Parameter maySeveral: whether the name may have several values, so that each condition may have its own.
    mutating func require(
        _ name: String, _ matcher: ValueMatcher, hasCase: Bool = true, maySeveral: Bool = false
    ) {
        let known = firstIndex {
            $0.name == name || !hasCase && $0.name.lowercased() == name.lowercased()
        }
        guard let known else { return append(NamedMatcher(name, matcher)) }
        let other = self[known].matcher
        // A matcher of several values cannot be in one of a single value.
        let hasList = other.operator == .includes || matcher.operator == .includes
        if maySeveral, hasList || other.needsValue && matcher.needsValue {
            self[known].matcher = .includes(other.included + matcher.included)
        } else {
            self[known].matcher = .all(other, matcher)
        }
    }
}

extension ValueMatcher {
    /// The matchers within `includes`, or the matcher itself.
    fileprivate var included: [ValueMatcher] {
        guard self.operator == .includes, let elements = operand.arrayValue else { return [self] }
        return elements.compactMap { element in
            element.objectValue.flatMap { object in
                ValueMatcher.deciding(object, .single).map { ValueMatcher($0, json: object) }
            }
        }
    }
}
