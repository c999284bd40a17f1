import SDJSON
import SDShorthand
package import SDStubModel

/// Further conditions; all must hold. Two conditions on the same name must both hold.
extension Stub.Request {
    /// Requires a header; names compare case-insensitively: `.header("Authorization", .contains("Bearer"))`.
    public func header(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.headers.require(name, matcher.model, hasCase: false, maySeveral: true) }
    }

    /// Requires a header of this value.
    public func header(_ name: String, _ value: String) -> Stub.Request { header(name, .equal(value)) }

    /// Requires a decoded query parameter: `.query("page", 2)`, `.query("tag", .includes("new", "sale"))`.
    public func query(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.queryParameters.require(name, matcher.model, maySeveral: true) }
    }

    /// Requires a query parameter with this value.
    public func query(_ name: String, _ value: String) -> Stub.Request { query(name, .equal(value)) }

    /// Requires a form field (`application/x-www-form-urlencoded`).
    public func form(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.formParameters.require(name, matcher.model, maySeveral: true) }
    }

    /// Requires a form field with this value.
    public func form(_ name: String, _ value: String) -> Stub.Request { form(name, .equal(value)) }

    /// Restricts a path variable, in its encoded form: `.get("/users/{id}").pathParameter("id", .matching("[0-9]+"))`.
    /// Each `**` is a variable, too: `0`, `1`, …
    public func pathParameter(_ variable: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.pathParameters.require(variable, (try? matcher.model.spelledAsPath()) ?? matcher.model) }
    }

    /// Requires this value of a path variable.
    public func pathParameter(_ variable: String, _ value: String) -> Stub.Request {
        pathParameter(variable, .equal(value))
    }

    /// Requires a cookie.
    public func cookie(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.cookies.require(name, matcher.model) }
    }

    /// Requires a cookie of this value.
    public func cookie(_ name: String, _ value: String) -> Stub.Request { cookie(name, .equal(value)) }

    /// Requires `Authorization: Basic …` for this user.
    public func basicAuth(_ username: String, _ password: String) -> Stub.Request {
        changing { $0.basicAuth = BasicAuth(username: username, password: password) }
    }

    /// Requires a body that matches all of these, such as `.json(order)` or `.jsonPath("$.items")`.
    public func body(_ matchers: Stub.Match...) -> Stub.Request {
        changing { $0.bodyPatterns += matchers.map(\.model) }
    }

    /// Requires this body.
    public func body(_ text: String) -> Stub.Request { body(.equal(text)) }

    /// Requires a part of a multipart body for each of these patterns.
    public func multipart(_ parts: Stub.Part...) -> Stub.Request {
        changing { $0.multipartPatterns += parts.map(\.model) }
    }

    /// Requires a field of the client certificate: `.clientCertificate(.subject, .contains("CN=alice"))`. `.absent`
    /// matches a request without a certificate.
    public func clientCertificate(_ field: Stub.CertificateField, _ matcher: Stub.Match) -> Stub.Request {
        changing {
            $0.clientCertificate.require(field.rawValue, matcher.model, maySeveral: field == .alternativeNames)
        }
    }

    /// Requires this value in the client certificate.
    public func clientCertificate(_ field: Stub.CertificateField, _ value: String) -> Stub.Request {
        clientCertificate(field, .equal(value))
    }

    /// Requires a custom matcher of the daemon, such as `state-matcher`.
    public func custom(_ name: String, _ parameters: [String: Stub.JSON] = [:]) -> Stub.Request {
        changing {
            $0.customMatcher = CustomMatcher(name: name, parameters: parameters.isEmpty ? nil : JSONObject(parameters))
        }
    }

    /// Requires a condition on the session's state, by the parameters of `state-matcher`:
    /// `.state(["hasContext": "user-1"])`.
    public func state(_ parameters: [String: Stub.JSON]) -> Stub.Request { custom("state-matcher", parameters) }

    /// A copy with a changed model.
    package func changing(_ change: (inout SDStubModel.RequestPattern) -> Void) -> Stub.Request {
        var copy = self
        change(&copy.model)
        return copy
    }
}

extension Stub.Part {
    /// A part with this form field name and file name.
    public static func part(_ name: String? = nil, fileName: String? = nil) -> Stub.Part {
        var part = SDStubModel.MultipartPattern(name: name, fileName: fileName, matchingType: .any)
        part.requireDisposition()
        return Stub.Part(model: part)
    }

    /// Requires a header of the part.
    public func header(_ name: String, _ matcher: Stub.Match) -> Stub.Part {
        var copy = self
        copy.model.headers.require(name, matcher.model, hasCase: false, maySeveral: true)
        return copy
    }

    /// Requires content of the part that matches all of these.
    public func body(_ matchers: Stub.Match...) -> Stub.Part {
        var copy = self
        copy.model.bodyPatterns += matchers.map(\.model)
        return copy
    }

    /// Requires that every part satisfies the pattern, rather than at least one.
    public func every() -> Stub.Part {
        var copy = self
        copy.model.matchingType = .all
        return copy
    }
}

extension [NamedMatcher] {
    /// Adds a condition; an earlier one of the same name stays.
    /// - Parameter maySeveral: whether the name may have several values, so that each condition may match its own.
    mutating func require(
        _ name: String, _ matcher: SDStubModel.ValueMatcher, hasCase: Bool = true, maySeveral: Bool = false
    ) {
        let known = firstIndex {
            $0.name == name || !hasCase && $0.name.lowercased() == name.lowercased()
        }
        guard let known else { return append(NamedMatcher(name, matcher)) }
        let other = self[known].matcher
        // A multi-value matcher cannot be nested in a single-value one.
        let hasList = other.operator == .includes || matcher.operator == .includes
        if maySeveral, hasList || other.needsValue && matcher.needsValue {
            self[known].matcher = Stub.Match.includes((other.included + matcher.included).map(Stub.Match.init)).model
        } else {
            self[known].matcher = Stub.Match.all(Stub.Match(other), Stub.Match(matcher)).model
        }
    }
}

extension SDStubModel.ValueMatcher {
    /// The matchers inside `includes`, or the matcher itself.
    fileprivate var included: [SDStubModel.ValueMatcher] {
        guard self.operator == .includes, let elements = operand.arrayValue else { return [self] }
        return elements.compactMap { element in
            element.objectValue.flatMap { object in
                SDStubModel.ValueMatcher.deciding(object, .single).map { SDStubModel.ValueMatcher($0, json: object) }
            }
        }
    }
}
