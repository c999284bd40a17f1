import SDBasics
public import SDHTTPTransport
import SDJSON
public import SDStubModel

/// Requests with secrets redacted.
extension Redaction? {
    /// The target as the client sent it, without user information.
    public func target(of request: Request) -> String {
        var target = String(decoding: request.target, as: UTF8.self)
        // The target alone would not show the host.
        if request.isIntercepted, target.hasPrefix("/"), let host = request.authority ?? request.header(hostField) {
            target = (request.isSecure ? "https://" : "http://") + String(decoding: host, as: UTF8.self) + target
        }
        return redactedURL(target.withoutUser)
    }

    /// The path and query.
    public func url(of request: Request) -> String {
        redactedURL(String(decoding: request.url, as: UTF8.self))
    }

    /// The request of an event, redacted for documents.
    public func redacted(_ event: ServeEvent) -> LoggedRequest { redacted(LoggedRequest(event)) }

    /// A request, redacted for documents.
    public func redacted(_ logged: LoggedRequest) -> LoggedRequest {
        guard self != nil else { return logged }
        var result = logged
        result.host = logged.host?.withoutUser
        result.url = logged.url.map(redactedURL)
        result.absoluteURL = logged.absoluteURL.map(redactedURL)
        result.headers = logged.headers.map(redacted)
        result.cookies = logged.cookies?.map { cookie in
            ResponseHeader(cookie.name, cookie.values.map { redacted("Cookie", $0) })
        }
        result.query = redacted(logged.query)
        result.form = redacted(logged.form)
        let type = logged.headers?.first { $0.name.lowercased() == "content-type" }?.values.first
        result.body = logged.body.map { redacted(body: $0, type: type) }
        if result.body != logged.body || logged.body == nil {
            result.bodyText = logged.bodyText.map { text in
                // The text is UTF-8, whatever charset the body had.
                let type = type.map { String($0.prefix { $0 != ";" }) + (boundary($0) ?? "") }
                return String(decoding: redacted(body: Array(text.utf8), type: type), as: UTF8.self)
            }
        }
        // A document that was sent as a form, as curl does by default, has its secrets in the names of fields.
        let isHidden = result.body != logged.body || result.bodyText != logged.bodyText
        if isHidden {
            result.form =
                Self.isDocument(logged)
                ? [] : result.form.map { ResponseHeader(redactedURL($0.name), $0.values) }
        }
        return result
    }

    private static func isDocument(_ logged: LoggedRequest) -> Bool {
        let first = (logged.body ?? logged.bodyText.map { Array($0.utf8) } ?? []).first { $0 > UInt8(ascii: " ") }
        return first.map { [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<")].contains($0) } ?? false
    }

    private func boundary(_ type: String) -> String? {
        type.split(separator: ";").first { $0.drop { $0 == " " }.lowercased().hasPrefix("boundary=") }.map { ";" + $0 }
    }

    /// Header fields or parameters, redacted.
    public func redacted(_ fields: [ResponseHeader]) -> [ResponseHeader] {
        guard self != nil else { return fields }
        return fields.map { field in ResponseHeader(field.name, field.values.map { redacted(field.name, $0) }) }
    }

    /// A stub's reference, redacted: its name and key may contain expected values.
    public func redacted(_ stub: StubReference) -> StubReference {
        StubReference(
            id: stub.id, name: stub.name.map(redactedURL), file: stub.file, line: stub.line, key: redactedURL(stub.key))
    }

    /// A stub's pattern, which may expect the very values that are hidden in requests.
    package func redacted(_ pattern: RequestPattern) -> RequestPattern {
        guard let redaction = self else { return pattern }
        func fields(_ matchers: [NamedMatcher], areCookies: Bool = false) -> [NamedMatcher] {
            matchers.map { named in
                guard redaction.hides(areCookies ? "cookie" : named.name), named.matcher.operator != .absent
                else {
                    return NamedMatcher(named.name, redaction.matcher(named.matcher))
                }
                return NamedMatcher(named.name, ValueMatcher(.equalTo, Redaction.mark))
            }
        }
        var result = pattern
        result.url = pattern.url.mapText(redaction.text)
        result.headers = fields(pattern.headers)
        result.queryParameters = fields(pattern.queryParameters)
        result.formParameters = fields(pattern.formParameters)
        result.pathParameters = fields(pattern.pathParameters)
        result.cookies = fields(pattern.cookies, areCookies: true)
        if let auth = pattern.basicAuth {
            result.basicAuth = BasicAuth(username: auth.username, password: Redaction.mark)
        }
        if let parameters = pattern.customMatcher?.parameters {
            let bytes = JSONValue.object(parameters).compactBytes
            result.customMatcher?.parameters = (try? JSONValue(parsing: redaction.body(bytes, type: nil)))?.objectValue
        }
        result.bodyPatterns = pattern.bodyPatterns.map(redaction.matcher)
        for index in result.multipartPatterns.indices {
            result.multipartPatterns[index].headers = fields(pattern.multipartPatterns[index].headers)
            result.multipartPatterns[index].bodyPatterns = pattern.multipartPatterns[index].bodyPatterns.map(
                redaction.matcher)
        }
        return result
    }
}

extension Redaction {
    /// A matcher, which may expect the very values that are hidden in requests.
    fileprivate func matcher(_ matcher: ValueMatcher) -> ValueMatcher {
        let original = JSONValue.object(matcher.json)
        let json = expressions(in: original)
        let shown = body(json.compactBytes, type: nil)
        guard shown != original.compactBytes, let object = try? JSONValue(parsing: shown).objectValue else {
            return matcher
        }
        return ValueMatcher(matcher.operator, json: object)
    }
}

extension URLPattern {
    /// A URL pattern of the same kind with the text transformed.
    fileprivate func mapText(_ change: (String) -> String) -> URLPattern {
        switch self {
        case .any: .any
        case .url(let text): .url(change(text))
        case .urlPattern(let text): .urlPattern(change(text))
        case .urlPath(let text): .urlPath(change(text))
        case .urlPathPattern(let text): .urlPathPattern(change(text))
        case .urlPathTemplate(let text): .urlPathTemplate(change(text))
        }
    }
}

private let hostField = Array("host".utf8)
