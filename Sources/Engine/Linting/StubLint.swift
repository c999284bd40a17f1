import SDJSON
import SDJSONSchema
public import SDMatching
public import SDStubModel
import SDText

/// Findings about a single stub.
public struct StubLint {
    struct Found {
        let code: StubFinding.Code
        let pointer: JSONPointer
        let message: String
        var expected: String?
        var isAboutName = false
        var suggestion: String?
    }

    private let mapping: StubMapping
    private var findings: [Found] = []

    static func findings(in mapping: StubMapping, compiled pattern: CompiledPattern) -> [Found] {
        var lint = StubLint(mapping)
        lint.lookAtURL()
        lint.lookAtCustomMatcher()
        lint.lookAtMatchers(MatcherLint.findings)
        lint.lookAtSchemas(pattern)
        return lint.findings + RequestLint.findings(in: mapping.request) + ResponseLint.findings(in: mapping)
    }

    /// The findings that the daemon logs when it reads a stub: that it can never answer, though WireMock takes it, that
    /// a schema says less than it seems to, that a fault has no effect, or that a template asks for what is not there.
    public static func startFindings(in mapping: StubMapping, compiled pattern: CompiledPattern) -> [StubWarning] {
        guard
            mapping.request.customMatcher != nil || !pattern.schemaRemarks.isEmpty || mapping.responses != nil
                || ResponseLint.isWorthALook(mapping.response)
        else { return [] }
        var lint = StubLint(mapping)
        lint.lookAtCustomMatcher()
        lint.lookAtSchemas(pattern)
        let found = lint.findings + ResponseLint.startFindings(in: mapping)
        return found.map { found in
            let isOfTemplate = found.code == .unknownTemplateName || found.code == .unendedTag
            let meant = isOfTemplate ? found.suggestion.map { "; did you mean `\($0)`?" } ?? "" : ""
            return StubWarning(pointer: found.pointer, message: found.message + meant)
        }
    }

    private init(_ mapping: StubMapping) {
        self.mapping = mapping
    }

    private mutating func add(
        _ code: StubFinding.Code, at path: [String], _ message: String, expected: String? = nil,
        suggestion: String? = nil
    ) {
        findings.append(
            Found(
                code: code, pointer: JSONPointer(["request"] + path), message: message, expected: expected,
                suggestion: suggestion))
    }

    // MARK: - URL

    private mutating func lookAtURL() {
        switch mapping.request.url {
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
        guard let name = mapping.request.customMatcher?.name, !Self.customMatchers.contains(name) else { return }
        add(
            .unknownCustomMatcher, at: ["customMatcher", "name"],
            "there is no custom matcher of this name, so the stub never matches; supported are "
                + Self.customMatchers.joined(separator: " and "),
            suggestion: nearestName(to: name, among: Self.customMatchers))
    }

    private typealias Look = (ValueMatcher, [String]) -> [MatcherLint.Found]

    private mutating func lookAtMatchers(_ look: Look) {
        let request = mapping.request
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
        found += listed(request.bodyPatterns, ["bodyPatterns"])
        for (index, part) in request.multipartPatterns.enumerated() {
            let path = ["multipartPatterns", String(index)]
            found += named(part.headers, path + ["headers"])
            found += listed(part.bodyPatterns, path + ["bodyPatterns"])
        }
        for found in found { add(found.code, at: found.path, found.message, expected: found.expected) }
    }

    private mutating func lookAtSchemas(_ pattern: CompiledPattern) {
        for remark in pattern.schemaRemarks {
            let problem = remark.problem
            let place = remark.isText && !problem.pointer.tokens.isEmpty ? " at \(problem.pointer.text)" : ""
            let message =
                remark.isInvalid
                ? "not a valid JSON Schema, so this never matches"
                : "this part of the JSON Schema does not have the effect that it seems to have"
            findings.append(
                Found(
                    code: remark.isInvalid ? .invalidSchema : .schemaProblem, pointer: remark.pointer,
                    message: message + place + ": " + problem.message, suggestion: nil))
        }
    }
}
