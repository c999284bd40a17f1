public import SDJSON
public import SDJournal
import SDLinting
public import SDMatching
public import SDStubModel

extension NearMiss {
    /// The near miss with every condition and its actual value: an addition to WireMock.
    /// - Parameter redaction: the values of the request to hide; nil where the caller has described the request.
    public func detailedJSON(_ redaction: Redaction?) -> JSONValue {
        var json: JSONObject = ["stubMapping": mappingJSON(redaction), "distance": distance.jsonNumber]
        json["file"] = reference.file.map { .string($0) }
        json["line"] = reference.line.map { .number(JSONNumber($0)) }
        json["key"] = .string(redaction.shownURL(reference.key))
        json["scenarioState"] = scenarioState.map { .string($0) }
        json["ineligible"] = ineligibility.map { .string($0) }
        let pattern = redaction.shown(stub.request)
        json["attributes"] = .array(
            redaction.shown(evaluation, of: stub.request).conditions.map { $0.json(pattern) })
        // What is hardly meant in the pattern may be why it does not match.
        let warnings = redaction == nil ? PatternLint.findings(in: stub.request, at: ["request"]) : []
        if !warnings.isEmpty { json["warnings"] = .array(warnings.map { .string($0.problem.description) }) }
        return .object(json)
    }

    /// The stub, which may expect the very values that are hidden in requests, and answer with others.
    private func mappingJSON(_ redaction: Redaction?) -> JSONValue {
        guard let redaction else { return stub.json() }
        var shown = stub
        shown.request = Optional(redaction).shown(stub.request)
        let text = redaction.body(shown.json().compactBytes, type: "application/json")
        return (try? JSONValue(parsing: text)) ?? .null
    }
}

extension PatternEvaluation.Condition {
    /// A condition: its subject, its expected and actual value, its verdict and its distance.
    public func json(_ pattern: RequestPattern) -> JSONValue {
        let (name, key, expected) = described(pattern)
        var json: JSONObject = ["attribute": .string(name)]
        json["name"] = key.map { .string($0) }
        json["expected"] = expected
        json["actual"] = actual.count == 1 ? .string(actual[0]) : .array(actual.map { .string($0) })
        if !differences.isEmpty { json["differences"] = .array(differences.map { .string($0) }) }
        json["matches"] = .bool(passes)
        json["distance"] = distance.jsonNumber
        return .object(json)
    }

    func described(_ pattern: RequestPattern) -> (name: String, key: String?, expected: JSONValue) {
        func field(_ name: String, _ matchers: [NamedMatcher], _ index: Int) -> (String, String?, JSONValue) {
            guard matchers.indices.contains(index) else { return (name, nil, .null) }
            return (name, matchers[index].name, .object(matchers[index].matcher.json))
        }
        switch attribute {
        case .host: return ("host", nil, pattern.host.map { .object($0.json) } ?? .null)
        case .port: return ("port", nil, pattern.port.map { .number(JSONNumber($0)) } ?? .null)
        case .clientIP: return ("clientIp", nil, pattern.clientIp.map { .object($0.json) } ?? .null)
        case .scheme: return ("scheme", nil, pattern.scheme.map { .string($0) } ?? .null)
        case .method: return ("method", nil, .string(pattern.method.shownText))
        case .url: return (pattern.url.fieldName, nil, .string(pattern.url.text))
        case .header(let index): return field("headers", pattern.headers, index)
        case .basicAuth: return ("basicAuth", nil, .string(pattern.basicAuth?.username ?? ""))
        case .pathParameter(let index): return field("pathParameters", pattern.pathParameters, index)
        case .queryParameter(let index): return field("queryParameters", pattern.queryParameters, index)
        case .formParameter(let index): return field("formParameters", pattern.formParameters, index)
        case .cookie(let index): return field("cookies", pattern.cookies, index)
        case .body(let index):
            let matcher = pattern.bodyPatterns.indices.contains(index) ? pattern.bodyPatterns[index] : nil
            return ("bodyPatterns", String(index), matcher.map { .object($0.json) } ?? .null)
        case .multipart(let index):
            let part = pattern.multipartPatterns.indices.contains(index) ? pattern.multipartPatterns[index] : nil
            return ("multipartPatterns", String(index), part?.json ?? .null)
        case .certificate(let index): return field("clientCertificate", pattern.clientCertificate, index)
        case .customMatcher: return ("customMatcher", pattern.customMatcher?.name, .null)
        }
    }
}

extension URLPattern {
    /// The field of the request pattern.
    var fieldName: String {
        switch self {
        case .any, .url: "url"
        case .urlPattern: "urlPattern"
        case .urlPath: "urlPath"
        case .urlPathPattern: "urlPathPattern"
        case .urlPathTemplate: "urlPathTemplate"
        }
    }

    /// The URL as written; `(always)` for any URL.
    var text: String {
        switch self {
        case .any: "(always)"
        case .url(let text), .urlPattern(let text), .urlPath(let text), .urlPathPattern(let text),
            .urlPathTemplate(let text):
            text
        }
    }
}

extension Double {
    /// The number as JSON; null for one that JSON does not have.
    package var jsonNumber: JSONValue { JSONNumber(self).map(JSONValue.number) ?? .null }
}
