internal import JSON
import RegularExpressions
internal import StubModel

/// Turns the model's matchers into tests, and gathers every problem on the way.
struct PatternCompiler {
    private(set) var problems: [PatternProblem] = []

    /// Nesting of `and`, `or` and `not` beyond any use.
    private static let deepestNesting = 64

    private mutating func refuse(_ code: PatternProblem.Code, _ place: PatternPlace, _ message: String) {
        problems.append(PatternProblem(code: code, pointer: place.pointer, message: message))
    }

    private mutating func refuseField(_ name: String, if isUsed: Bool, at place: PatternPlace) {
        if isUsed { refuse(.notServed, place.member(name), "`\(name)` is not served") }
    }

    /// Refuses every field in use that no test is made of.
    mutating func refuseUnserved(_ pattern: RequestPattern, at place: PatternPlace) {
        refuseField("scheme", if: pattern.scheme != nil, at: place)
        refuseField("host", if: pattern.host != nil, at: place)
        refuseField("port", if: pattern.port != nil, at: place)
        refuseField("clientIp", if: pattern.clientIp != nil, at: place)
        refuseField("formParameters", if: !pattern.formParameters.isEmpty, at: place)
        refuseField("cookies", if: !pattern.cookies.isEmpty, at: place)
        refuseField("basicAuth", if: pattern.basicAuth != nil, at: place)
        refuseField("bodyPatterns", if: !pattern.bodyPatterns.isEmpty, at: place)
        refuseField("multipartPatterns", if: !pattern.multipartPatterns.isEmpty, at: place)
        refuseField("customMatcher", if: pattern.customMatcher != nil, at: place)
    }

    // MARK: - URL

    mutating func url(_ pattern: URLPattern, at place: PatternPlace) -> URLTest {
        switch pattern {
        case .any: return .any
        case .url(let url): return .url(Array(url.utf8))
        case .urlPath(let path): return .path(Array(path.utf8))
        case .urlPattern(let text):
            return regex(text, at: place.member("urlPattern")).map { .urlPattern($0) } ?? .any
        case .urlPathPattern(let text):
            return regex(text, at: place.member("urlPathPattern")).map { .pathPattern($0) } ?? .any
        case .urlPathTemplate(let text):
            if let template = PathTemplate(text) { return .template(template) }
            refuse(
                .badTemplate, place.member("urlPathTemplate"),
                "a path template has at most \(PathTemplate.mostVariables) variables")
            return .any
        }
    }

    // MARK: - Values

    /// Tests with their names, in the order of the document.
    mutating func multiValueTests(_ matchers: [NamedMatcher], at place: PatternPlace) -> [(String, MultiValueTest)] {
        var tests: [(String, MultiValueTest)] = []
        for named in matchers {
            if let test = multiValueTest(named.matcher, at: place.member(named.name)) {
                tests.append((named.name, test))
            }
        }
        return tests
    }

    /// WireMock looks at path parameters only beside a template; without one they do not restrict.
    mutating func pathParameters(
        _ matchers: [NamedMatcher], of url: URLTest, at place: PatternPlace
    ) -> [CompiledPattern.PathParameterTest] {
        guard case .template(let template) = url else { return [] }
        var tests: [CompiledPattern.PathParameterTest] = []
        for named in matchers {
            guard let test = valueTest(named.matcher, at: place.member(named.name), depth: 0) else { continue }
            let capture = template.names.lastIndex(of: named.name)
            tests.append(CompiledPattern.PathParameterTest(capture: capture, test: test))
        }
        return tests
    }

    private mutating func multiValueTest(_ matcher: ValueMatcher, at place: PatternPlace) -> MultiValueTest? {

        switch matcher.operator {
        case .hasExactly: return list(matcher, at: place, depth: 0, least: 0).map { .hasExactly($0) }
        case .includes: return list(matcher, at: place, depth: 0, least: 0).map { .includes($0) }
        default: return valueTest(matcher, at: place, depth: 0).map { .any($0) }
        }
    }

    private mutating func valueTest(_ matcher: ValueMatcher, at place: PatternPlace, depth: Int) -> ValueTest? {
        switch matcher.operator {
        case .equalTo:
            guard let text = text(matcher, at: place) else { return nil }
            return ignoresCase(matcher) ? .equalToIgnoringCase(text) : .equalTo(Array(text.utf8))
        case .contains: return text(matcher, at: place).map { .contains(Array($0.utf8)) }
        case .doesNotContain: return text(matcher, at: place).map { .doesNotContain(Array($0.utf8)) }
        case .matches: return regex(matcher, at: place).map { .matches($0) }
        case .doesNotMatch: return regex(matcher, at: place).map { .doesNotMatch($0) }
        case .absent: return .absent
        case .anything: return .anything
        case .and: return list(matcher, at: place, depth: depth, least: 2).map { .and($0) }
        case .or: return list(matcher, at: place, depth: depth, least: 2).map { .or($0) }
        case .not:
            return nested(matcher.operand, at: place.member("not"), depth: depth).map { .not($0) }
        default:
            let name = matcher.operator.rawValue
            refuse(.notServed, place.member(name), "`\(name)` is not served")
            return nil
        }
    }

    private func ignoresCase(_ matcher: ValueMatcher) -> Bool {
        switch matcher.json["caseInsensitive"] {
        case .bool(let flag): flag
        case .string(let text): text == "true"
        default: false
        }
    }

    private mutating func text(_ matcher: ValueMatcher, at place: PatternPlace) -> String? {
        if case .string(let text) = matcher.operand { return text }
        let name = matcher.operator.rawValue
        refuse(.badOperand, place.member(name), "`\(name)` operand must be a non-null string")
        return nil
    }

    private mutating func list(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, least: Int
    ) -> [ValueTest]? {
        let name = matcher.operator.rawValue
        let place = place.member(name)
        guard case .array(let elements) = matcher.operand, elements.count >= least else {
            let count = least > 1 ? "an array of at least \(least) matchers" : "an array of matchers"
            refuse(.badOperand, place, "`\(name)` operand must be \(count)")
            return nil
        }
        var tests: [ValueTest] = []
        for (index, element) in elements.enumerated() {
            if let test = nested(element, at: place.element(index), depth: depth) { tests.append(test) }
        }
        return tests
    }

    /// A matcher within a matcher; its first known operator decides.
    private mutating func nested(_ value: JSONValue, at place: PatternPlace, depth: Int) -> ValueTest? {
        guard depth < Self.deepestNesting else {
            refuse(.badOperand, place, "matchers are nested too deeply")
            return nil
        }
        guard case .object(let object) = value,
            let `operator` = object.members.lazy.compactMap({ ValueMatcher.Operator(rawValue: $0.key) }).first
        else {
            refuse(.badOperand, place, "expected a matcher such as {\"equalTo\": \"x\"}")
            return nil
        }
        return valueTest(ValueMatcher(`operator`, json: object), at: place, depth: depth + 1)
    }

    // MARK: - Regular expressions

    private mutating func regex(_ matcher: ValueMatcher, at place: PatternPlace) -> JavaRegex? {
        guard let text = text(matcher, at: place) else { return nil }
        return regex(text, at: place.member(matcher.operator.rawValue))
    }

    private mutating func regex(_ text: String, at place: PatternPlace) -> JavaRegex? {
        do throws(RegexProblem) {
            return try JavaRegex(text)
        } catch {
            refuse(.badRegex(error), place, error.description)
            return nil
        }
    }
}
