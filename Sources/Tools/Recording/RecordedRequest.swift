import SDBasics
import SDCapture
import SDJSON
import SDJournal
import SDMatching
import SDStubModel

/// An exchange's request, parsed once: decoded for matchers, and as a stub's pattern.
struct RecordedRequest {
    private let exchange: RecordedExchange
    private let described: DescribedRequest
    private let details: RequestDetails

    init(_ exchange: RecordedExchange) {
        self.exchange = exchange
        var logged = LoggedRequest()
        logged.method = exchange.method
        logged.url = exchange.target
        logged.absoluteURL = exchange.url
        logged.headers = grouped(exchange.requestHeaders.map { ($0.name, $0.value) }, ignoringCase: true)
        logged.body = exchange.requestBody
        described = DescribedRequest(logged, now: exchange.wallTime, isWhole: true)
        details = RequestDetails(described, bodyLimit: 1 << 40)
    }

    func matches(_ pattern: CompiledPattern) -> Bool {
        var views = RequestViews(described)
        return pattern.matches(described, &views)
    }

    /// The pattern that WireMock makes of the request.
    func pattern(_ spec: RecordSpec) -> RequestPattern {
        var pattern = RequestPattern(method: .exactly(exchange.method), url: url)
        if case .urlPath = pattern.url { pattern.queryParameters = queryParameters }
        for header in spec.captureHeaders {
            guard let value = exchange.requestHeaders.first(named: header.name) else { continue }
            var json: JSONObject = ["equalTo": .string(value)]
            json["caseInsensitive"] = header.caseInsensitive.map(JSONValue.bool)
            pattern.headers.append(NamedMatcher(header.name, ValueMatcher(.equalTo, json: json)))
        }
        addConditions(to: &pattern)
        if !exchange.requestBody.isEmpty, exchange.missingRequestBytes == 0 {
            pattern.bodyPatterns = [bodyPattern(spec.bodyMatcher)]
        }
        return pattern
    }

    /// The fields of a form, each with its values.
    var form: [ResponseHeader] {
        grouped(
            details.form.map { (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)) })
    }

    /// The pattern that WireMock's `--record-mappings` makes of the request. Any multipart body matches.
    func mappingPattern(_ headers: [String]) -> RequestPattern {
        var pattern = RequestPattern(method: .exactly(exchange.method), url: .url(Self.whole(exchange)))
        let names = Set(headers.map { $0.lowercased() })
        for header in grouped(exchange.requestHeaders.map { ($0.name, $0.value) }, ignoringCase: true)
        where names.contains(header.name.lowercased()) {
            pattern.headers.append(NamedMatcher(header.name, ValueMatcher(.equalTo, header.values[0])))
        }
        addConditions(to: &pattern)
        let type = RecordedType(exchange.requestHeaders.first(named: "Content-Type"))
        guard !exchange.requestBody.isEmpty, exchange.missingRequestBytes == 0, !type.mentions("multipart/") else {
            return pattern
        }
        let isTyped = type.mentions("json") || type.mentions("xml")
        pattern.bodyPatterns = [isTyped ? bodyPattern(.auto()) : isExact ? text(nil) : bytes]
        return pattern
    }

    /// The target without the question mark of an empty query, which matchers do not see.
    private static func whole(_ exchange: RecordedExchange) -> String {
        let target = exchange.target
        return target.hasSuffix("?") && !target.dropLast().contains("?") ? String(target.dropLast()) : target
    }

    /// The path, if the query can be parsed; otherwise the whole target.
    private var url: URLPattern {
        let target = Self.whole(exchange)
        guard let mark = target.firstIndex(of: "?"), !target.hasSuffix("?"), !details.query.isEmpty else {
            return .url(target)
        }
        return .urlPath(String(target[..<mark]))
    }

    private var queryParameters: [NamedMatcher] {
        let parameters = details.query.map {
            (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        }
        return grouped(parameters).map { parameter in
            let values = parameter.values.map { JSONValue.object(["equalTo": .string($0)]) }
            return NamedMatcher(parameter.name, ValueMatcher(.hasExactly, operand: .array(values)))
        }
    }

    private func addConditions(to pattern: inout RequestPattern) {
        for matcher in RecordedCondition.matchers(exchange)
        where !pattern.headers.contains(where: { $0.name.lowercased() == matcher.name.lowercased() }) {
            pattern.headers.append(matcher)
        }
    }

    // MARK: Body

    private func bodyPattern(_ matcher: RecordSpec.BodyMatcher) -> ValueMatcher {
        switch matcher {
        case .equalTo(let caseInsensitive): return text(caseInsensitive)
        case .equalToJson(let order, let extra): return sure(json(order, extra)) ?? text(nil)
        case .equalToXml: return sure(xml) ?? text(nil)
        case .auto(let order, let extra, let caseInsensitive):
            let type = RecordedType(exchange.requestHeaders.first(named: "Content-Type"))
            // A body that does not fit its type is compared as text; WireMock fails to record it.
            if type.mentions("json"), let json = sure(json(order, extra)) { return json }
            if type.mentions("xml"), let xml = sure(xml) { return xml }
            if type.mediaType == "multipart/form-data" { return any }
            return type.mediaType != nil && !type.isText || !isExact ? bytes : text(caseInsensitive)
        }
    }

    /// The body as text; bytes invalid in its charset become U+FFFD.
    private var bodyText: String { String(decoding: details.bodyText, as: UTF8.self) }

    /// Whether the text represents the body exactly.
    private var isExact: Bool {
        guard let text = String(validating: details.bodyText, as: UTF8.self) else { return false }
        return !text.unicodeScalars.contains("\u{FFFD}") || details.bodyText == details.body
    }

    /// The body as a JSON or XML pattern, with anything in the place of a secret.
    private var patternText: String {
        exchange.requestPattern.map { String(decoding: $0, as: UTF8.self) } ?? bodyText
    }

    private var any: ValueMatcher { ValueMatcher(.anything, operand: .string("anything")) }

    private func text(_ caseInsensitive: Bool?) -> ValueMatcher {
        if exchange.hidesRequest { return any }
        var json: JSONObject = ["equalTo": .string(bodyText)]
        json["caseInsensitive"] = caseInsensitive.map(JSONValue.bool)
        return ValueMatcher(.equalTo, json: json)
    }

    private func json(_ order: Bool?, _ extra: Bool?) -> ValueMatcher {
        var json: JSONObject = ["equalToJson": .string(patternText)]
        json["ignoreArrayOrder"] = order.map(JSONValue.bool)
        json["ignoreExtraElements"] = extra.map(JSONValue.bool)
        return ValueMatcher(.equalToJson, json: json)
    }

    private var xml: ValueMatcher {
        var json: JSONObject = ["equalToXml": .string(patternText)]
        if exchange.requestPattern != nil { json["enablePlaceholders"] = true }
        return ValueMatcher(.equalToXml, json: json)
    }

    private var bytes: ValueMatcher {
        exchange.hidesRequest ? any : ValueMatcher(.binaryEqualTo, Base64.encode(details.body))
    }

    /// The matcher, if it compiles and matches its own body.
    private func sure(_ matcher: ValueMatcher) -> ValueMatcher? {
        var pattern = RequestPattern()
        pattern.bodyPatterns = [matcher]
        guard isExact, let compiled = try? CompiledPattern(pattern, at: ""), matches(compiled) else { return nil }
        return matcher
    }
}

extension [RecordedExchange.Field] {
    /// The first value of a header.
    func first(named name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.lowercased() == name }?.value
    }
}
