import SDBasics
import SDJSON
import SDJSONSchema
import SDMatching
public import SDStubModel

/// Findings about a request pattern: of a stub, or of a query.
public struct PatternLint {
    private let request: RequestPattern
    /// The path of the pattern in its document.
    private let base: [String]
    private var findings: [LintFinding] = []

    /// The findings about a pattern of a call.
    /// - Parameter base: the path of the pattern in the call's document.
    public static func findings(in request: RequestPattern, at base: [String] = []) -> [LintFinding] {
        if isPlain(request) { return [] }
        let compiled = request.mentionsSchema ? try? CompiledPattern(request, at: JSONPointer(base).text) : nil
        return findings(in: request, compiled: compiled, at: base)
    }

    /// - Parameter pattern: the compiled pattern, which knows the problems of its schemas; nil for none.
    static func findings(
        in request: RequestPattern, compiled pattern: CompiledPattern?, at base: [String]
    ) -> [LintFinding] {
        var lint = PatternLint(request, base)
        lint.lookAtURL()
        lint.lookAtCustomMatcher()
        lint.lookAtMatchers(MatcherLint.findings)
        if let pattern { lint.lookAtSchemas(pattern) }
        return lint.findings + RequestLint.findings(in: request, at: base)
    }

    private init(_ request: RequestPattern, _ base: [String]) {
        self.request = request
        self.base = base
    }

    private mutating func add(
        _ code: StubFinding.Code, at path: [String], _ message: String, expected: String? = nil,
        suggestion: String? = nil
    ) {
        findings.append(
            LintFinding(
                code: code, pointer: JSONPointer(base + path), message: message, expected: expected,
                suggestion: suggestion))
    }

    // MARK: - URL

    private mutating func lookAtURL() {
        switch request.url {
        case .any, .url: break
        case .urlPattern(let text): lookAtExpression(text, "urlPattern")
        case .urlPathPattern(let text): lookAtExpression(text, "urlPathPattern")
        case .urlPath(let text): lookForQuery(text, "urlPath", better: "\"url\"")
        case .urlPathTemplate(let text):
            let outside = text.split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, part in
                index == 0 ? part : part.drop { $0 != "}" }
            }
            lookForQuery(outside.joined(), "urlPathTemplate", better: "\"queryParameters\"")
        }
    }

    private mutating func lookAtExpression(_ text: String, _ field: String) {
        let query = QueryInExpression(text)
        if let corrected = query.corrected {
            let elsewhere = field == "urlPathPattern" ? ", which belongs in \"urlPattern\": a path has no query" : ""
            add(
                .unescapedQuestionMark, at: [field],
                "the ? makes the element before it optional; to begin a query, write \\?" + elsewhere,
                suggestion: corrected)
        } else if query.requiresQuestionMark, field == "urlPathPattern" {
            add(.queryInPath, at: [field], "a path has no query, so this never matches; \"urlPattern\" matches both")
        }
    }

    private mutating func lookForQuery(_ text: String, _ field: String, better: String) {
        guard text.unicodeScalars.contains("?") else { return }
        add(.queryInPath, at: [field], "a path has no query, so this never matches; \(better) matches the query")
    }

    // MARK: - Matchers

    private static let customMatchers = ["graphql-body-matcher", "state-matcher"]

    private mutating func lookAtCustomMatcher() {
        guard let name = request.customMatcher?.name, !Self.customMatchers.contains(name) else { return }
        add(
            .unknownCustomMatcher, at: ["customMatcher", "name"],
            "there is no custom matcher of this name, so the stub never matches; supported are "
                + Self.customMatchers.joined(separator: " and "),
            suggestion: nearestName(to: name, among: Self.customMatchers))
    }

    private typealias Look = (ValueMatcher, [String]) -> [MatcherLint.Found]

    private mutating func lookAtMatchers(_ look: Look) {
        func named(_ matchers: [NamedMatcher], _ path: [String]) -> [MatcherLint.Found] {
            matchers.flatMap { look($0.matcher, path + [$0.name]) }
        }
        func listed(_ matchers: [ValueMatcher], _ path: [String]) -> [MatcherLint.Found] {
            matchers.enumerated().flatMap { look($1, path + [String($0)]) }
                + MatcherLint.contradictions(in: matchers, at: path)
        }
        var found = request.host.map { look($0, ["host"]) } ?? []
        found += request.clientIp.map { look($0, ["clientIp"]) } ?? []
        found += named(request.headers, ["headers"])
        found += named(request.queryParameters, ["queryParameters"])
        found += named(request.formParameters, ["formParameters"])
        if case .urlPathTemplate = request.url { found += named(request.pathParameters, ["pathParameters"]) }
        found += named(request.cookies, ["cookies"])
        found += named(request.clientCertificate, ["clientCertificate"])
        found += listed(request.bodyPatterns, ["bodyPatterns"])
        for (index, part) in request.multipartPatterns.enumerated() {
            let path = ["multipartPatterns", String(index)]
            found += named(part.headers, path + ["headers"])
            found += listed(part.bodyPatterns, path + ["bodyPatterns"])
        }
        for found in found {
            add(found.code, at: found.path, found.message, expected: found.expected, suggestion: found.suggestion)
        }
    }

    private mutating func lookAtSchemas(_ pattern: CompiledPattern) {
        for warning in pattern.schemaWarnings {
            let problem = warning.problem
            let place = warning.isText && !problem.pointer.tokens.isEmpty ? " at \(problem.pointer.text)" : ""
            let message =
                warning.isInvalid
                ? "not a valid JSON Schema, so this never matches"
                : "this part of the JSON Schema does not have the effect that it seems to have"
            findings.append(
                LintFinding(
                    code: warning.isInvalid ? .invalidSchema : .schemaProblem, pointer: warning.pointer,
                    message: message + place + ": " + problem.message, suggestion: nil))
        }
    }
}

extension RequestPattern {
    /// Whether one of its matchers, or a nested one, is a JSON Schema.
    fileprivate var mentionsSchema: Bool {
        let named = [headers, queryParameters, formParameters, pathParameters, cookies, clientCertificate].joined().map(
            \.matcher)
        let inParts = multipartPatterns.flatMap { $0.headers.map(\.matcher) + $0.bodyPatterns }
        return (named + bodyPatterns + inParts).contains { JSONValue.object($0.json).hasKey("matchesJsonSchema") }
    }
}

extension JSONValue {
    fileprivate func hasKey(_ name: String) -> Bool {
        switch self {
        case .array(let elements): elements.contains { $0.hasKey(name) }
        case .object(let object): object.members.contains { $0.key == name || $0.value.hasKey(name) }
        case .null, .bool, .number, .string: false
        }
    }
}
