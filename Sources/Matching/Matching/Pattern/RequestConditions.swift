import SDPlatform
package import SDStubModel

/// The conditions of a request pattern beyond method and URL, in the order in which they are tested: cheap ones first,
/// the body last.
package struct RequestConditions: Sendable {
    package var scheme: [UInt8]?
    package var host: ValueTest?
    package var port: Int?
    package var clientIP: ValueTest?
    package var pathParameters: [PathParameterTest] = []
    package var headers: [HeaderTest] = []
    package var queryParameters: [FieldTest] = []
    package var formParameters: [FieldTest] = []
    package var cookies: [CookieTest] = []
    package var basicAuth: BasicAuthTest?
    package var certificate: [CertificateTest] = []
    package var body: [ValueTest] = []
    package var multipart: [MultipartTest] = []
    package var custom: CustomTest?

    /// A test of one header; the name is lower-case.
    package struct HeaderTest: Sendable {
        package let name: [UInt8]
        /// The index among the pattern's headers.
        package let index: Int
        package let test: MultiValueTest
    }

    /// A test of one parameter of the query or of a form.
    package struct FieldTest: Sendable {
        package let name: [UInt8]
        package let test: MultiValueTest
    }

    package struct CookieTest: Sendable {
        package let name: [UInt8]
        package let test: ValueTest
    }

    /// A test of a field of the client's certificate.
    package struct CertificateTest: Sendable {
        package let field: CertificateField
        package let test: MultiValueTest
    }

    /// A test of a template's variable, or of a missing value if the template has no such variable (`capture` is nil).
    package struct PathParameterTest: Sendable {
        package let capture: Int?
        package let test: ValueTest
    }

    /// Whether there is no condition.
    var isEmpty: Bool {
        !looksAtOrigin && pathParameters.isEmpty && headers.isEmpty && queryParameters.isEmpty && formParameters.isEmpty
            && cookies.isEmpty && basicAuth == nil && certificate.isEmpty && body.isEmpty && multipart.isEmpty
            && custom == nil
    }

    /// Whether any condition is on the body.
    var readsBody: Bool { !formParameters.isEmpty || !body.isEmpty || !multipart.isEmpty || custom?.graphQL != nil }

    /// The conditions except those on the body.
    var withoutBody: RequestConditions {
        var others = self
        others.formParameters = []
        others.body = []
        others.multipart = []
        if custom?.graphQL != nil { others.custom = nil }
        return others
    }

    package var looksAtOrigin: Bool { scheme != nil || host != nil || port != nil || clientIP != nil }

    /// Whether the request passes all of them. `url` is the pattern's URL test, which the request has passed.
    func pass(_ request: some MatchableRequest, _ url: URLTest, _ views: inout RequestViews) -> Bool {
        for header in headers
        where !header.test.passes(&views, forEach: { request.forEachHeaderText(header.name, $0) }) {
            return false
        }
        return (basicAuth?.passes(request) ?? true)
            && (queryParameters.isEmpty || fieldsPass(queryParameters, views.queryParameters(), &views))
            && (pathParameters.isEmpty || pathParametersPass(url, &views))
            && (!looksAtOrigin || originPasses(views.content(of: request).origin(of: request), &views))
            && (certificate.isEmpty || certificatePasses(request, &views))
            && (cookies.isEmpty || cookiesPass(views.content(of: request).cookies(of: request), &views))
            && (formParameters.isEmpty || fieldsPass(formParameters, views.content(of: request).form, &views))
            && (multipart.isEmpty || multipartPasses(views.content(of: request), &views))
            && (body.isEmpty || bodyPasses(views.content(of: request), &views))
            && (custom?.passes(views.content(of: request), &views) ?? true)
    }

    // MARK: - One part each

    func originPasses(_ origin: RequestOrigin, _ views: inout RequestViews) -> Bool {
        schemePasses(origin) && portPasses(origin) && (host?.passes(MatchValue(origin.host), &views) ?? true)
            && (clientIP?.passes(MatchValue(origin.client), &views) ?? true)
    }

    package func schemePasses(_ origin: RequestOrigin) -> Bool { scheme == nil || scheme == origin.scheme }
    package func portPasses(_ origin: RequestOrigin) -> Bool { port == nil || port == origin.port }

    private func pathParametersPass(_ url: URLTest, _ views: inout RequestViews) -> Bool {
        guard case .template(let template) = url, let values = template.captures(of: views.path, views.budget) else {
            return false
        }
        for parameter in pathParameters
        where !parameter.test.passes(parameter.capture.map { MatchValue(values[$0]) }, &views) {
            return false
        }
        return true
    }

    /// Whether the fields pass.
    /// - Parameter sent: the parameters of the query or a form; nil if they cannot be decoded.
    private func fieldsPass(
        _ fields: [FieldTest], _ sent: [QueryParameter]?, _ views: inout RequestViews
    ) -> Bool {
        guard let sent else { return false }
        // A request usually has few fields.
        let budget = sent.count > 64 ? views.budget : nil
        for field in fields
        where !field.test.passes(&views, forEach: { sent.forEachValue(of: field.name, budget, $0) }) {
            return false
        }
        return true
    }

    private func certificatePasses(_ request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        for condition in certificate {
            let values = request.certificateValues(condition.field)
            guard condition.test.passes(&views, forEach: { values.forEachText($0) }) else { return false }
        }
        return true
    }

    private func cookiesPass(_ sent: [QueryParameter], _ views: inout RequestViews) -> Bool {
        for cookie in cookies {
            var isThere = false
            var passes = false
            sent.forEachValue(of: cookie.name) { value in
                isThere = true
                passes = cookie.test.passes(MatchValue(value), &views)
                return !passes
            }
            guard isThere ? passes : cookie.test.isAbsent else { return false }
        }
        return true
    }

    private func bodyPasses(_ content: RequestContent, _ views: inout RequestViews) -> Bool {
        let value = content.body.map { MatchValue($0) }
        for test in body where !test.passes(value, &views) { return false }
        return true
    }

    private func multipartPasses(_ content: RequestContent, _ views: inout RequestViews) -> Bool {
        // WireMock has no sub-events for parts.
        let noteCount = views.notes.count
        defer { views.forgetNotes(beyond: noteCount) }
        for pattern in multipart where !pattern.passes(content, &views) { return false }
        return true
    }
}

extension [String] {
    /// Calls `body` with the bytes of each text, until it returns false.
    func forEachText(_ body: (ArraySlice<UInt8>) -> Bool) {
        for text in self where !body([UInt8](text.utf8)[...]) { return }
    }
}
