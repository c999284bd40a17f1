import SDJSON
import SDJournal
import SDMatching
import SDReports
import SDStubModel

/// What keeps the stub nearest to a request from answering it, and the smallest change with which it would.
struct SmallestChange {
    /// A clause for each condition that fails, such as `the header Accept is absent; the stub wants application/json`.
    let differences: [String]
    /// A sentence without a full stop.
    let sentence: String
    let conditions: [Report.Condition]
    /// Whether the URL is another one altogether, so that nobody meant this stub.
    let isFar: Bool

    /// The names of a pattern's members, as readers of a report know them.
    private static let shownNames = [
        "urlPath": "path", "urlPathTemplate": "path", "urlPathPattern": "path", "urlPattern": "url",
        "headers": "header", "queryParameters": "query parameter", "formParameters": "form field",
        "cookies": "cookie", "pathParameters": "path parameter", "bodyPatterns": "body", "multipartPatterns": "part",
    ]

    /// The part of a URL that differs beyond which it is another one altogether.
    private static let far = 0.5
    /// The longest shown part of a value, in characters.
    private static let longest = 200

    init(of miss: NearMiss, _ redaction: Redaction?) {
        let pattern = redaction.shown(miss.stub.request)
        let evaluation = redaction.shown(miss.evaluation, of: miss.stub.request)
        let failing = evaluation.conditions.filter { !$0.passes }.map { Difference($0, pattern) }
        conditions = evaluation.conditions.map { condition in
            let (name, key, _) = condition.described(pattern)
            return Report.Condition(
                name: key.map { "\(Self.shownNames[name] ?? name) \($0)" } ?? Self.shownNames[name] ?? name,
                expected: Self.cut(condition.expected(pattern)),
                actual: condition.shownActual.map(Self.cut), passes: condition.passes)
        }
        let state = miss.ineligibility
        differences = failing.map(\.clause) + (state.map { [$0] } ?? [])
        isFar = evaluation.conditions.contains { condition in
            condition.attribute == .url && !pattern.url.hasQueryInPath
                && condition.distance < 1 && condition.distance > Self.far
                && pattern.url.distanceByParts(of: condition.actual.first ?? "") > Self.far
        }
        if isFar {
            sentence = "No stub comes near the request: add one for it"
        } else if let only = failing.first, failing.count == 1, state == nil {
            sentence = "Only \(only.clause). \(only.change)"
        } else if !failing.isEmpty {
            let changes = failing.prefix(3).map(\.change).joined(separator: ". ")
            let more = failing.count > 3 ? ". And \(failing.count - 3) more" : ""
            let also = state.map { ". Then the stub's state is in the way: \($0)" } ?? ""
            sentence =
                "\(failing.count) condition\(failing.count == 1 ? " differs" : "s differ"). \(changes)\(more)\(also)"
        } else {
            sentence =
                state.map { "Only the stub's state is in the way: \($0)" } ?? "The stub would answer the request now"
        }
    }

    static func cut(_ text: String) -> String {
        text.count > longest ? text.prefix(longest) + "…" : text
    }
}

/// A condition that fails, in words.
private struct Difference {
    /// What differs, with both values.
    let clause: String
    /// What to change, in the imperative.
    let change: String

    init(_ condition: PatternEvaluation.Condition, _ pattern: RequestPattern) {
        let expected = SmallestChange.cut(condition.expected(pattern))
        let actual = condition.shownActual.map(SmallestChange.cut)
        let (_, key, _) = condition.described(pattern)
        let name = key ?? ""
        switch condition.attribute {
        case .method:
            clause = "the method differs: \(actual ?? "none"), the stub has \(expected)"
            change = "Send \(expected), or change the stub's method"
        case .url:
            let part = pattern.url.isOfPath ? "path" : "URL"
            let shown = pattern.url.isOfPath ? actual.map { String($0.prefix { $0 != "?" }) } : actual
            clause = "the \(part) differs: \(shown ?? "none"), the stub has \(expected)"
            if pattern.url.hasQueryInPath {
                change = "Put the query into \(pattern.url.fieldForQuery) of the stub: a path has none"
                return
            }
            let meant = pattern.url.isExact ? expected : shown.flatMap { Self.filled(expected, from: $0) }
            change = "Request \(meant ?? "what fits \(expected)"), or change the stub's \(part)"
        case .host, .port, .clientIP, .scheme:
            let part = condition.described(pattern).name
            clause = "the \(part) differs: \(actual ?? "unknown"), the stub wants \(expected)"
            change = "Send the request from or to \(expected), or leave \(part) out of the stub"
        case .header(let index):
            (clause, change) = Self.field("header", name, Self.matcher(pattern.headers, index), expected, actual) {
                "\(name): \($0)"
            }
        case .queryParameter(let index):
            (clause, change) = Self.field(
                "query parameter", name, Self.matcher(pattern.queryParameters, index), expected, actual
            ) { "\(name)=\($0)" }
        case .formParameter(let index):
            (clause, change) = Self.field(
                "form field", name, Self.matcher(pattern.formParameters, index), expected, actual
            ) { "\(name)=\($0)" }
        case .cookie(let index):
            (clause, change) = Self.field("cookie", name, Self.matcher(pattern.cookies, index), expected, actual) {
                "\(name)=\($0)"
            }
        case .pathParameter(let index):
            (clause, change) = Self.field(
                "path parameter", name, Self.matcher(pattern.pathParameters, index), expected, actual
            ) { "\(name)=\($0)" }
        case .basicAuth:
            clause = "the credentials \(actual == nil ? "are absent" : "differ"); the stub wants those of \(expected)"
            change = "Send the credentials of \(expected), or leave basicAuth out of the stub"
        case .body:
            let body = actual ?? ""
            clause =
                body.isEmpty
                ? "the body is empty; the stub wants \(expected)"
                : condition.differences.isEmpty
                    ? "the body is \(body); the stub wants \(expected)"
                    : "the body differs: \(Self.listed(condition.differences))"
            change = "Send a body that passes \(expected), or relax the stub's bodyPatterns"
        case .multipart:
            clause = "no part of the body passes the stub's multipartPatterns"
            change = "Send such a part, or relax the stub's multipartPatterns"
        case .certificate(let index):
            (clause, change) = Self.field(
                "client certificate's", name, Self.matcher(pattern.clientCertificate, index), expected, actual
            ) { "\(name)=\($0)" }
        case .customMatcher:
            clause = "the custom matcher \(name.isEmpty ? "" : "\(name) ")does not accept the request"
            change = "Leave it out of the stub"
        }
    }

    /// The most differences of a body that a sentence lists.
    private static let mostListed = 5

    private static func listed(_ differences: [String]) -> String {
        var texts = differences.prefix(mostListed).map { text in
            SmallestChange.cut(text.hasSuffix(".") ? String(text.dropLast()) : text)
        }
        let more = differences.count - mostListed
        if more > 0 { texts.append(differences.last == "and more" ? "and more" : "and \(more) more") }
        return texts.joined(separator: "; ")
    }

    /// The path that fits a template, with the parts of a request's in place of its variables; nil if they do not lie side
    /// by side.
    private static func filled(_ template: String, from path: String) -> String? {
        let (wanted, parts) = (template.split(separator: "/"), path.split(separator: "/"))
        guard wanted.count == parts.count else { return nil }
        let filled = zip(wanted, parts).map { $0.hasPrefix("{") && $0.hasSuffix("}") ? $1 : $0 }
        // A variable within a part, or an expression.
        guard !filled.contains(where: { $0.utf8.contains { "{}()[]*+?|^$\\".utf8.contains($0) } }) else { return nil }
        return "/" + filled.joined(separator: "/") + (template.hasSuffix("/") ? "/" : "")
    }

    private static func matcher(_ matchers: [NamedMatcher], _ index: Int) -> ValueMatcher? {
        matchers.indices.contains(index) ? matchers[index].matcher : nil
    }

    /// A header or parameter.
    /// - Parameter written: the field with a value as a request has it.
    private static func field(
        _ kind: String, _ name: String, _ matcher: ValueMatcher?, _ expected: String, _ actual: String?,
        written: (String) -> String
    ) -> (clause: String, change: String) {
        let isAbsence = matcher?.isAbsence == true
        let clause =
            switch (actual, isAbsence) {
            case (let actual?, true): "the \(kind) \(name) is there, \(actual); the stub wants none"
            case (let actual?, false): "the \(kind) \(name) is \(actual); the stub wants \(expected)"
            case (nil, _): "the \(kind) \(name) is absent; the stub wants \(expected)"
            }
        let change: String
        if isAbsence {
            change = "Leave the \(kind) out of the request, or the condition out of the stub"
        } else if let value = matcher?.writtenValue {
            let verb = actual == nil ? "Add the \(kind)" : "Send the \(kind)"
            change = "\(verb) \(SmallestChange.cut(written(value))) to the request, or relax the stub's condition"
        } else if actual == nil {
            change = "Add the \(kind) \(name) to the request, or leave the condition out of the stub"
        } else {
            change = "Send another value of \(name), or relax the stub's condition"
        }
        return (clause, change)
    }
}

extension PatternEvaluation.Condition {
    /// The tested values; nil if there was none.
    fileprivate var shownActual: String? {
        actual.isEmpty ? nil : actual.joined(separator: ", ")
    }

    /// What the stub wants, in words.
    fileprivate func expected(_ pattern: RequestPattern) -> String {
        let (_, _, json) = described(pattern)
        let matcher: ValueMatcher? =
            switch attribute {
            case .host: pattern.host
            case .clientIP: pattern.clientIp
            case .header(let index): pattern.headers.at(index)
            case .queryParameter(let index): pattern.queryParameters.at(index)
            case .formParameter(let index): pattern.formParameters.at(index)
            case .pathParameter(let index): pattern.pathParameters.at(index)
            case .cookie(let index): pattern.cookies.at(index)
            case .certificate(let index): pattern.clientCertificate.at(index)
            case .body(let index):
                pattern.bodyPatterns.indices.contains(index) ? pattern.bodyPatterns[index] : nil
            default: nil
            }
        guard let matcher else { return json.stringValue ?? json.compactText }
        if matcher.isAbsence { return "none" }
        // Without the layout, which takes lines.
        if [.equalToJson, .matchesJsonSchema, .equalToXml].contains(matcher.operator) {
            return "\(matcher.shownName) \(matcher.operand.stringValue ?? matcher.operand.compactText)"
        }
        return matcher.isEquality && matcher.operator == .equalTo
            ? matcher.expectedText : "\(matcher.shownName) \(matcher.expectedText)"
    }
}

extension [NamedMatcher] {
    fileprivate func at(_ index: Int) -> ValueMatcher? { indices.contains(index) ? self[index].matcher : nil }
}

extension ValueMatcher {
    /// The value that a request would have to have; nil where several would do, or where it is hidden.
    fileprivate var writtenValue: String? {
        guard [.equalTo, .contains].contains(`operator`), let text = operand.stringValue, text != Redaction.mark
        else { return nil }
        return text
    }
}

extension URLPattern {
    /// Whether it is the text itself that a request has to have.
    fileprivate var isExact: Bool {
        switch self {
        case .url, .urlPath: true
        case .any, .urlPattern, .urlPathPattern, .urlPathTemplate: false
        }
    }

    /// The distance of a URL from a path template, however long the values of variables are; 1 for a pattern of another kind.
    fileprivate func distanceByParts(of url: String) -> Double {
        guard case .urlPathTemplate(let template) = self else { return 1 }
        return RouteDistance.of(
            Array(url.utf8.prefix { $0 != UInt8(ascii: "?") })[...], from: Array(template.utf8)[...])
    }

    /// Whether the query does not matter.
    fileprivate var isOfPath: Bool {
        switch self {
        case .urlPath, .urlPathPattern, .urlPathTemplate: true
        case .any, .url, .urlPattern: false
        }
    }
}
