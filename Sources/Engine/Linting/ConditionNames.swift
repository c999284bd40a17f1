import SDJSON
import SDStubModel

/// Numbers conditions: two conditions have the same number if they are equal byte for byte.
///
/// If a stub's numbers are a subset of another's, the other has at least the same conditions. A condition that does not
/// restrict has no number.
struct ConditionNames {
    private var numbers: [[UInt8]: Int] = [:]

    /// The numbers of a stub's conditions in ascending order, which is the order of their first occurrence.
    mutating func conditions(of mapping: StubMapping) -> [Int] {
        var list = List()
        list.gather(mapping)
        let found = list.conditions.map { number(of: $0) }
        return Set(found).sorted()
    }

    private mutating func number(of condition: [UInt8]) -> Int {
        if let known = numbers[condition] { return known }
        let next = numbers.count
        numbers[condition] = next
        return next
    }

    /// The conditions of one stub as bytes.
    private struct List {
        private(set) var conditions: [[UInt8]] = []

        mutating func gather(_ mapping: StubMapping) {
            let request = mapping.request
            if let scheme = request.scheme { add("scheme", scheme) }
            if let host = request.host { add("host", matcher: host) }
            if let port = request.port { add("port", String(port)) }
            if let client = request.clientIp { add("client", matcher: client) }
            for header in request.headers { add("header", header.name.lowercased(), matcher: header.matcher) }
            for form in request.formParameters { add("form", form.name, matcher: form.matcher) }
            // A query that cannot be decoded fails every condition on it, even `anything`.
            if !request.queryParameters.isEmpty { add("query") }
            for query in request.queryParameters { add("query", query.name, matcher: query.matcher) }
            // A missing cookie satisfies only `absent`, not even `anything`.
            for cookie in request.cookies { add("cookie", cookie.name, json: .object(cookie.matcher.json)) }
            if case .urlPathTemplate(let template) = request.url {
                for parameter in request.pathParameters {
                    add("path", template, parameter.name, matcher: parameter.matcher)
                }
            }
            if let auth = request.basicAuth { add("auth", auth.username, auth.password) }
            for field in request.clientCertificate { add("certificate", field.name, matcher: field.matcher) }
            for body in request.bodyPatterns { add("body", matcher: body) }
            for part in request.multipartPatterns { add("multipart", json: part.json) }
            if let custom = request.customMatcher { add("custom", json: custom.json) }
            if let name = mapping.scenarioName, let state = mapping.requiredScenarioState {
                add("scenario", name, state)
            }
        }

        private mutating func add(_ words: String..., matcher: ValueMatcher) {
            if matcher.operator != .anything { append(words, .object(matcher.json)) }
        }

        private mutating func add(_ words: String..., json: JSONValue? = nil) {
            append(words, json)
        }

        /// Appends the words and the JSON, separated by a byte that UTF-8 does not contain.
        private mutating func append(_ words: [String], _ json: JSONValue?) {
            var bytes: [UInt8] = []
            for word in words {
                bytes += word.utf8
                bytes.append(0xFF)
            }
            if let json { bytes += json.compactBytes }
            conditions.append(bytes)
        }
    }
}
