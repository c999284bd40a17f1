public import SDJSON
public import SDStubModel

extension PatternEvaluation {
    /// The expectation of a pattern for one part of a request.
    public enum Expected: Sendable {
        case method(MethodPattern)
        case url(URLPattern)
        /// A scheme or port.
        case value(JSONValue)
        case matcher(ValueMatcher)
        case user(BasicAuth)
        case part(MultipartPattern)
        case custom(CustomMatcher)

        /// The value in the stub's document; for credentials, the user name.
        public var json: JSONValue {
            switch self {
            case .method(let method): .string(method.shownText)
            case .url(let url): .string(url.text)
            case .value(let value): value
            case .matcher(let matcher): .object(matcher.json)
            case .user(let auth): .string(auth.username)
            case .part(let part): part.json
            case .custom: .null
            }
        }
    }
}

extension PatternEvaluation.Condition {
    /// The member of the pattern's document.
    public var member: String {
        if case .url(let url) = expected { url.fieldName } else { attribute.rawValue }
    }

    /// The matcher of a header, field or body; nil for other parts.
    public var matcher: ValueMatcher? {
        if case .matcher(let matcher) = expected { matcher } else { nil }
    }
}

extension RequestPattern {
    /// The conditions on one part of a multipart body, as conditions on a request.
    init(of part: MultipartPattern) {
        self.init()
        headers = part.headers
        bodyPatterns = part.bodyPatterns
    }

    /// A pattern's expectation for a part of a request.
    /// - Parameter index: the index among conditions of this kind; nil without such a condition.
    func asked(
        _ attribute: PatternEvaluation.Attribute, _ index: Int
    ) -> (key: String?, expected: PatternEvaluation.Expected) {
        func field(_ matchers: [NamedMatcher]) -> (String?, PatternEvaluation.Expected) {
            let named = matchers.indices.contains(index) ? matchers[index] : nil
            return (named?.name, named.map { .matcher($0.matcher) } ?? .value(.null))
        }
        let expected: PatternEvaluation.Expected?
        switch attribute {
        case .header: return field(headers)
        case .pathParameter: return field(pathParameters)
        case .queryParameter: return field(queryParameters)
        case .formParameter: return field(formParameters)
        case .cookie: return field(cookies)
        case .certificate: return field(clientCertificate)
        case .body:
            let matcher = bodyPatterns.indices.contains(index) ? bodyPatterns[index] : nil
            return (String(index), matcher.map { .matcher($0) } ?? .value(.null))
        case .multipart:
            let part = multipartPatterns.indices.contains(index) ? multipartPatterns[index] : nil
            return (String(index), part.map { .part($0) } ?? .value(.null))
        case .customMatcher: return (customMatcher?.name, customMatcher.map { .custom($0) } ?? .value(.null))
        case .method: expected = .method(method)
        case .url: expected = .url(url)
        case .host: expected = host.map { .matcher($0) }
        case .clientIP: expected = clientIp.map { .matcher($0) }
        case .port: expected = port.map { .value(.number(JSONNumber($0))) }
        case .scheme: expected = scheme.map { .value(.string($0)) }
        case .basicAuth: expected = .user(basicAuth ?? BasicAuth(username: "", password: ""))
        }
        return (nil, expected ?? .value(.null))
    }
}
