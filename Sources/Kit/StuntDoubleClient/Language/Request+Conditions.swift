import SDJSON
import SDShorthand
package import SDStubModel

/// Further conditions, all of which must hold. Where a name is given twice, both of its conditions must.
extension Stub.Request {
    /// Requires a header, whose name compares without case: `.header("Authorization", .contains("Bearer"))`.
    public func header(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.headers.require(name, matcher.model, hasCase: false, maySeveral: true) }
    }

    /// Requires a header of this value.
    public func header(_ name: String, _ value: String) -> Stub.Request { header(name, .equal(value)) }

    /// Requires a parameter of the query, decoded: `.query("page", 2)`, `.query("tag", .includes("new", "sale"))`.
    public func query(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.queryParameters.require(name, matcher.model, maySeveral: true) }
    }

    /// Requires a parameter of the query with this value.
    public func query(_ name: String, _ value: String) -> Stub.Request { query(name, .equal(value)) }

    /// Requires a field of a form, whose type is `application/x-www-form-urlencoded`.
    public func form(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.formParameters.require(name, matcher.model, maySeveral: true) }
    }

    /// Requires a field of a form with this value.
    public func form(_ name: String, _ value: String) -> Stub.Request { form(name, .equal(value)) }

    /// Restricts a variable of the path, as clients send it:
    /// `.get("/users/{id}").pathParameter("id", .matching("[0-9]+"))`. Each `**` is a variable, too: `0`, `1`, …
    public func pathParameter(_ variable: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.pathParameters.require(variable, (try? matcher.model.spelledAsPath()) ?? matcher.model) }
    }

    /// Requires this value of a variable of the path.
    public func pathParameter(_ variable: String, _ value: String) -> Stub.Request {
        pathParameter(variable, .equal(value))
    }

    /// Requires a cookie.
    public func cookie(_ name: String, _ matcher: Stub.Match) -> Stub.Request {
        changing { $0.cookies.require(name, matcher.model) }
    }

    /// Requires a cookie of this value.
    public func cookie(_ name: String, _ value: String) -> Stub.Request { cookie(name, .equal(value)) }

    /// Requires `Authorization: Basic …` of this user.
    public func basicAuth(_ username: String, _ password: String) -> Stub.Request {
        changing { $0.basicAuth = BasicAuth(username: username, password: password) }
    }

    /// Requires something of the body, such as `.json(order)` or `.jsonPath("$.items")`; of several matchers all.
    public func body(_ matchers: Stub.Match...) -> Stub.Request {
        changing { $0.bodyPatterns += matchers.map(\.model) }
    }

    /// Requires this body.
    public func body(_ text: String) -> Stub.Request { body(.equal(text)) }

    /// Requires a part of a multipart body that satisfies a pattern; of several patterns, one for each.
    public func multipart(_ parts: Stub.Part...) -> Stub.Request {
        changing { $0.multipartPatterns += parts.map(\.model) }
    }

    /// Requires something of the certificate that the client shows: `.clientCertificate(.subject, .contains("CN=alice"))`.
    /// `.absent` holds without a certificate.
    public func clientCertificate(_ field: Stub.CertificateField, _ matcher: Stub.Match) -> Stub.Request {
        changing {
            $0.clientCertificate.require(field.rawValue, matcher.model, maySeveral: field == .alternativeNames)
        }
    }

    /// Requires this value of the certificate that the client shows.
    public func clientCertificate(_ field: Stub.CertificateField, _ value: String) -> Stub.Request {
        clientCertificate(field, .equal(value))
    }

    /// Requires that a custom matcher of the daemon holds, such as `state-matcher`.
    public func custom(_ name: String, _ parameters: [String: Stub.JSON] = [:]) -> Stub.Request {
        changing {
            $0.customMatcher = CustomMatcher(name: name, parameters: parameters.isEmpty ? nil : JSONObject(parameters))
        }
    }

    /// Requires something of the session's state, by the parameters of `state-matcher`:
    /// `.state(["hasContext": "user-1"])`.
    public func state(_ parameters: [String: Stub.JSON]) -> Stub.Request { custom("state-matcher", parameters) }

    /// A copy with a change.
    package func changing(_ change: (inout SDStubModel.RequestPattern) -> Void) -> Stub.Request {
        var copy = self
        change(&copy.model)
        return copy
    }
}

extension Stub.Part {
    /// A part of this name, which is that of a form's field, and of this file name.
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

    /// Requires something of the part's content.
    public func body(_ matchers: Stub.Match...) -> Stub.Part {
        var copy = self
        copy.model.bodyPatterns += matchers.map(\.model)
        return copy
    }

    /// Requires that every part satisfies the pattern, rather than one.
    public func every() -> Stub.Part {
        var copy = self
        copy.model.matchingType = .all
        return copy
    }
}

extension [NamedMatcher] {
    /// Adds a condition, besides the one of the same name if there is one.
    /// - Parameter maySeveral: whether the name may have several values, so that each condition may have its own.
    mutating func require(
        _ name: String, _ matcher: SDStubModel.ValueMatcher, hasCase: Bool = true, maySeveral: Bool = false
    ) {
        let known = firstIndex {
            $0.name == name || !hasCase && $0.name.lowercased() == name.lowercased()
        }
        guard let known else { return append(NamedMatcher(name, matcher)) }
        let other = self[known].matcher
        // A matcher of several values cannot be in one of a single value.
        let hasList = other.operator == .includes || matcher.operator == .includes
        if maySeveral, hasList || other.needsValue && matcher.needsValue {
            self[known].matcher = Stub.Match.includes((other.included + matcher.included).map(Stub.Match.init)).model
        } else {
            self[known].matcher = Stub.Match.all(Stub.Match(other), Stub.Match(matcher)).model
        }
    }
}

extension SDStubModel.ValueMatcher {
    /// The matchers within `includes`, or the matcher itself.
    fileprivate var included: [SDStubModel.ValueMatcher] {
        guard self.operator == .includes, let elements = operand.arrayValue else { return [self] }
        return elements.compactMap { element in
            element.objectValue.flatMap { object in
                SDStubModel.ValueMatcher.deciding(object, .single).map { SDStubModel.ValueMatcher($0, json: object) }
            }
        }
    }
}
