internal import SDJSON
import SDRegularExpressions
internal import SDStubModel

/// Compiles a request pattern into tests, and collects all problems. Its matchers are in
/// `PatternCompiler+Values.swift`.
package struct PatternCompiler {
    /// Reads a file below `__files`; nil if it is missing.
    let files: (String) -> [UInt8]?
    private(set) var problems: [PatternProblem] = []
    /// Warnings about the schemas, in the order of the pattern's fields.
    var schemaWarnings: [SchemaWarning] = []

    init(files: @escaping (String) -> [UInt8]?) {
        self.files = files
    }

    mutating func refuse(
        _ code: PatternProblem.Code, _ place: PatternPlace, _ message: String, wireMock detail: String? = nil
    ) {
        problems.append(
            PatternProblem(code: code, pointer: place.pointer, message: message, wireMockDetail: detail))
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
            return template(text, at: place.member("urlPathTemplate")).map { .template($0) } ?? .any
        }
    }

    mutating func template(_ text: String, at place: @autoclosure () -> PatternPlace) -> PathTemplate? {
        if let template = PathTemplate(text) { return template }
        refuse(.badTemplate, place(), "a path template has at most \(PathTemplate.maxVariables) variables")
        return nil
    }

    mutating func regex(_ text: String, at place: @autoclosure () -> PatternPlace) -> JavaRegex? {
        do throws(RegexProblem) {
            return try JavaRegex(text)
        } catch {
            refuse(.badRegex(error), place(), error.description, wireMock: error.javaMessage)
            return nil
        }
    }

    // MARK: - Everything else

    mutating func conditions(_ pattern: RequestPattern, _ url: URLTest, at place: PatternPlace) -> RequestConditions {
        var conditions = RequestConditions()
        conditions.scheme = pattern.scheme.map { Array($0.utf8) }
        conditions.host = pattern.host.flatMap { valueTest($0, at: place.member("host")) }
        conditions.port = pattern.port
        conditions.clientIP = pattern.clientIp.flatMap { valueTest($0, at: place.member("clientIp")) }
        conditions.pathParameters = pathParameters(
            pattern.pathParameters, of: url, at: place.member("pathParameters"))
        conditions.headers = headers(pattern.headers, at: place.member("headers"))
        // WireMock stores both in one table by their names as written: the later one remains.
        if pattern.basicAuth != nil {
            conditions.headers.removeAll { pattern.headers[$0.index].name == BasicAuthTest.headerName }
        }
        conditions.queryParameters = fields(pattern.queryParameters, at: place.member("queryParameters"))
        conditions.formParameters = fields(pattern.formParameters, at: place.member("formParameters"))
        for cookie in pattern.cookies {
            if let test = valueTest(cookie.matcher, at: place.member("cookies").member(cookie.name)) {
                conditions.cookies.append(.init(name: Array(cookie.name.utf8), test: test))
            }
        }
        conditions.basicAuth = pattern.basicAuth.map { BasicAuthTest($0) }
        if !pattern.clientCertificate.isEmpty {
            conditions.certificate = multiValueTests(
                pattern.clientCertificate, at: place.member("clientCertificate")
            ).compactMap { name, test in CertificateField(rawValue: name).map { .init(field: $0, test: test) } }
        }
        conditions.body = bodyTests(pattern.bodyPatterns, at: place.member("bodyPatterns"))
        for (index, part) in pattern.multipartPatterns.enumerated() {
            conditions.multipart.append(multipart(part, at: place.member("multipartPatterns").element(index)))
        }
        conditions.custom = pattern.customMatcher.map { custom($0, at: place.member("customMatcher")) }
        return conditions
    }

    private mutating func headers(
        _ matchers: [NamedMatcher], at place: @autoclosure () -> PatternPlace
    ) -> [RequestConditions.HeaderTest] {
        if matchers.isEmpty { return [] }
        return multiValueTests(matchers, at: place()).enumerated().map { index, named in
            .init(name: Array(named.0.lowercased().utf8), index: index, test: named.1)
        }
    }

    private mutating func fields(
        _ matchers: [NamedMatcher], at place: @autoclosure () -> PatternPlace
    ) -> [RequestConditions.FieldTest] {
        if matchers.isEmpty { return [] }
        return multiValueTests(matchers, at: place()).map { .init(name: Array($0.utf8), test: $1) }
    }

    /// The tests of path parameters. As in WireMock, they count only with a template.
    private mutating func pathParameters(
        _ matchers: [NamedMatcher], of url: URLTest, at place: @autoclosure () -> PatternPlace
    ) -> [RequestConditions.PathParameterTest] {
        guard !matchers.isEmpty, case .template(let template) = url else { return [] }
        let place = place()
        var tests: [RequestConditions.PathParameterTest] = []
        for named in matchers {
            guard let test = valueTest(named.matcher, at: place.member(named.name)) else { continue }
            tests.append(.init(capture: template.names.lastIndex(of: named.name), test: test))
        }
        return tests
    }

    private mutating func bodyTests(
        _ matchers: [ValueMatcher], at place: @autoclosure () -> PatternPlace
    ) -> [ValueTest] {
        if matchers.isEmpty { return [] }
        let place = place()
        var tests: [ValueTest] = []
        for (index, matcher) in matchers.enumerated() {
            if let test = valueTest(matcher, at: place.element(index)) { tests.append(test) }
        }
        return tests
    }

    private mutating func multipart(_ pattern: MultipartPattern, at place: PatternPlace) -> MultipartTest {
        MultipartTest(
            name: pattern.name, fileName: pattern.comparesFileName ? pattern.fileName.map { Array($0.utf8) } : nil,
            wantsAll: pattern.matchingType == .all, headers: headers(pattern.headers, at: place.member("headers")),
            body: bodyTests(pattern.bodyPatterns, at: place.member("bodyPatterns")))
    }

    private mutating func custom(_ matcher: CustomMatcher, at place: PatternPlace) -> CustomTest {
        let name = matcher.name ?? ""
        guard name == CustomTest.graphQLName else { return CustomTest(name: name, graphQL: nil) }
        let operand = JSONValue.object(matcher.parameters ?? JSONObject())
        return CustomTest(name: name, graphQL: graphQL(operand, at: place.member("parameters")))
    }
}
