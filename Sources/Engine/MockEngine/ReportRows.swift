import SDAnswering
import SDJSON
import SDJournal
import SDMatching
import SDStubModel
import SDXML

/// The rows of WireMock's report: a stub's conditions beside the tested values of the request.
struct ReportRows {
    private let pattern: RequestPattern
    private let evaluation: PatternEvaluation
    private let redaction: Redaction?
    private(set) var rows: [ReportLayout.Row] = []

    /// Makes the rows.
    /// - Parameters:
    ///   - scenarioState: the current state of the stub's scenario.
    ///   - redaction: the values to hide; nil for the report that the client of the request gets.
    init(
        _ mapping: StubMapping, _ evaluation: PatternEvaluation, scenarioState: String?, redaction: Redaction?
    ) {
        pattern = redaction.shown(mapping.request)
        self.evaluation = redaction.shown(evaluation, of: mapping.request)
        self.redaction = redaction
        if let name = mapping.name {
            rows.append(.init(stub: name))
            rows.append(.empty)
        }
        addHead()
        section { $0.addHeaders() }
        if condition(.url)?.passes == true {
            section { rows in
                rows.addEach(rows.pattern.pathParameters, "Path parameter", { .pathParameter($0) }, Self.pathParameter)
            }
        }
        section { $0.addEach($0.pattern.queryParameters, "Query", { .queryParameter($0) }, Self.query) }
        section { $0.addEach($0.pattern.formParameters, "Form data", { .formParameter($0) }, Self.form) }
        section { $0.addEach($0.pattern.cookies, "Cookie", { .cookie($0) }, Self.cookie) }
        section {
            $0.addEach($0.pattern.clientCertificate, "Client certificate", { .certificate($0) }, Self.certificate)
        }
        addBody()
        addMultipart()
        if let custom = pattern.customMatcher { addCustom(custom) }
        addScenario(mapping, scenarioState)
        addLifecycle(mapping)
    }

    private func condition(_ attribute: PatternEvaluation.Attribute) -> PatternEvaluation.Condition? {
        evaluation.conditions.first { $0.attribute == attribute }
    }

    /// Adds rows, followed by an empty one if there are any.
    private mutating func section(_ add: (inout ReportRows) -> Void) {
        let count = rows.count
        add(&self)
        if rows.count > count { rows.append(.empty) }
    }

    private mutating func add(_ stub: String, _ actual: String, _ name: String, passes: Bool) {
        let message = passes ? nil : actual.isEmpty ? "\(name) is not present" : "\(name) does not match"
        rows.append(.init(stub: stub, request: actual, message: message))
    }

    // MARK: - Head

    private mutating func addHead() {
        if let host = pattern.host, let seen = condition(.host) {
            let name = host.isEquality ? "" : "[\(host.shownName)] "
            add(name + host.expectedText, seen.actual.first ?? "", "Host", passes: seen.passes)
        }
        if let port = pattern.port, let seen = condition(.port) {
            add(String(port), seen.actual.first ?? "", "Port", passes: seen.passes)
        }
        if let client = pattern.clientIp, let seen = condition(.clientIP) {
            add(
                "\(client.shownName) \(client.expectedSingleText)", seen.actual.first ?? "", "ClientIp",
                passes: seen.passes)
        }
        if let scheme = pattern.scheme, let seen = condition(.scheme) {
            add(scheme, seen.actual.first ?? "", "Scheme", passes: seen.passes)
        }
        if let seen = condition(.method) {
            add(pattern.method.shownText, seen.actual.first ?? "", "HTTP method", passes: seen.passes)
        }
        addURL()
        rows.append(.empty)
    }

    private mutating func addURL() {
        guard let seen = condition(.url) else { return }
        let (prefix, text) = pattern.url.shown
        var message = seen.passes ? nil : "URL does not match"
        var hint = ""
        if pattern.url.hasUnescapedQuestionMark {
            hint = ". When using a regex, \"?\" should be \"\\?\""
        }
        // WireMock says nothing of it; its own words of a template stay.
        if case .urlPath = pattern.url, !seen.passes, pattern.url.hasQueryInPath {
            hint = ". A path has no query: \"url\" matches it"
        }
        if pattern.url != .any, !text.hasPrefix("/") { hint += ". URLs must start with a /" }
        if !hint.isEmpty { message = (message ?? "null") + hint }
        rows.append(.init(stub: prefix + text, request: seen.actual.first ?? "", message: message))
    }

    // MARK: - Fields

    /// Adds the headers. Basic authentication is a header like the others and replaces one of the same name. WireMock
    /// puts it and the others into a hash table; without it, headers are in the stub's order.
    private mutating func addHeaders() {
        var rows = pattern.headers.enumerated().map { index, header in
            (name: header.name, expected: Self.header(header), attribute: PatternEvaluation.Attribute.header(index))
        }
        if let auth = pattern.basicAuth {
            let name = "Authorization"
            let credentials =
                redaction == nil ? Base64.encode(Array("\(auth.username):\(auth.password)".utf8)) : Redaction.mark
            let row =
                (name: name, expected: "\(name) [prefix] : Basic \(credentials)", attribute: .basicAuth)
                as (name: String, expected: String, attribute: PatternEvaluation.Attribute)
            let others = rows.count
            if let place = rows.firstIndex(where: { $0.name == name }) { rows[place] = row } else { rows.append(row) }
            let buckets = JavaHash.bucketCount(copying: others, holding: rows.count)
            // Stable: headers in the same bucket stay in order.
            rows = rows.enumerated().map { (JavaHash.bucket(of: $1.name, among: buckets), $0, $1) }
                .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        }
        for row in rows {
            guard let seen = condition(row.attribute) else { continue }
            let actual = seen.actual.map { "\(row.name): \($0)" }.joined(separator: "\n")
            add(row.expected, actual, "Header", passes: seen.passes)
        }
    }

    private mutating func addEach(
        _ matchers: [NamedMatcher], _ name: String, _ attribute: (Int) -> PatternEvaluation.Attribute,
        _ text: (NamedMatcher, [String]) -> (expected: String, actual: String)
    ) {
        for (index, matcher) in matchers.enumerated() {
            guard let seen = condition(attribute(index)) else { continue }
            let (expected, actual) = text(matcher, seen.actual)
            add(expected, actual, name, passes: seen.passes)
        }
    }

    private static func header(_ header: NamedMatcher) -> String {
        let matcher = header.matcher
        switch matcher.operator {
        case _ where matcher.isEquality: return "\(header.name): \(matcher.expectedText)"
        case .hasExactly: return "\(header.name) exactly \(matcher.expectedText)"
        case .includes: return "\(header.name) including \(matcher.expectedText)"
        default: return "\(header.name) [\(matcher.shownName)] : \(matcher.expectedFieldText)"
        }
    }

    private static func query(_ named: NamedMatcher, _ actual: [String]) -> (expected: String, actual: String) {
        ("Query: " + parameter(named), actual.map { "\(named.name): \($0)" }.joined(separator: "\n"))
    }

    private static func form(_ named: NamedMatcher, _ actual: [String]) -> (expected: String, actual: String) {
        ("Form: " + parameter(named), actual.map { "\(named.name): \($0)" }.joined(separator: "\n"))
    }

    private static func pathParameter(_ named: NamedMatcher, _ actual: [String]) -> (expected: String, actual: String) {
        let absent = "Path parameter: \(named.name) [absent] null"
        let expected = named.matcher.isAbsence ? absent : "Path parameter: " + parameter(named)
        return (expected, actual.first ?? "")
    }

    private static func cookie(_ named: NamedMatcher, _ actual: [String]) -> (expected: String, actual: String) {
        let matcher = named.matcher
        let text = matcher.isEquality ? "=" : " [\(matcher.shownName)] "
        return ("Cookie: \(named.name)\(text)\(matcher.expectedSingleText)", actual.first ?? "")
    }

    private static func certificate(_ named: NamedMatcher, _ actual: [String]) -> (expected: String, actual: String) {
        ("Client certificate: \(parameter(named))", actual.joined(separator: "\n"))
    }

    private static func parameter(_ named: NamedMatcher) -> String {
        let matcher = named.matcher
        switch matcher.operator {
        case _ where matcher.isEquality: return "\(named.name) = \(matcher.expectedText)"
        case .hasExactly: return "\(named.name) exactly \(matcher.expectedText)"
        case .includes: return "\(named.name) including \(matcher.expectedText)"
        default: return "\(named.name) [\(matcher.shownName)] \(matcher.expectedFieldText)"
        }
    }

    // MARK: - Body

    /// Adds only the failing conditions of a body.
    private mutating func addBody() {
        for (index, matcher) in pattern.bodyPatterns.enumerated() {
            guard let seen = condition(.body(index)), !seen.passes else { continue }
            addBody(matcher, seen.actual.joined(separator: "\n"))
        }
    }

    private mutating func addBody(_ matcher: ValueMatcher, _ actual: String) {
        switch matcher.operator {
        case .matchesJsonPath, .matchesXPath, .binaryEqualTo:
            add(matcher.expectedText, actual, "Body", passes: false)
        default:
            let shown =
                switch matcher.operator {
                case .equalToJson: Self.laidOut(actual)
                case .equalToXml: XMLText.prettyKeepingBlankText(Array(actual.utf8)[...]) ?? actual
                default: actual
                }
            rows.append(
                .init(
                    stub: "[\(matcher.shownName)]\n\(matcher.expectedText)", request: "\n" + shown,
                    message: "Body does not match"))
        }
    }

    private static func laidOut(_ json: String) -> String {
        (try? JSONValue(parsing: json, dialect: .lenient))?.prettyText ?? json
    }

    /// Adds the multipart patterns that fail: each with all parts, or a row each if the request has none.
    private mutating func addMultipart() {
        for (index, multipart) in pattern.multipartPatterns.enumerated() {
            guard evaluation.isMultipart else {
                let name = "[Multipart request body]"
                rows.append(.init(stub: name, message: "\(name) is not present"))
                continue
            }
            guard condition(.multipart(index))?.passes == false else { continue }
            for part in evaluation.parts where part.pattern == index {
                rows.append(.empty)
                rows.append(
                    .init(stub: multipart.name.map { "[Multipart: \($0)]" } ?? "[Multipart]", request: "[\(part.name)]")
                )
                rows.append(.empty)
                add(part, multipart)
                rows.append(.init(stub: "[/Multipart]", request: "[/\(part.name)]"))
                rows.append(.empty)
            }
        }
    }

    /// Adds the conditions on a part; none if all of them hold, as one of several parts may.
    private mutating func add(_ part: PatternEvaluation.Part, _ pattern: MultipartPattern) {
        guard !(part.headers + part.bodies).allSatisfy(\.passes) else { return }
        let count = rows.count
        section { rows in
            for (header, seen) in zip(pattern.headers, part.headers) {
                let actual = seen.actual.map { "\(header.name): \($0)" }.joined(separator: "\n")
                rows.add(Self.header(header), actual, "Header", passes: seen.passes)
            }
        }
        for (matcher, seen) in zip(pattern.bodyPatterns, part.bodies) where !seen.passes {
            addBody(matcher, seen.actual.joined(separator: "\n"))
        }
        if rows.count > count { rows.append(.empty) }
    }

    // MARK: - The rest

    private mutating func addCustom(_ matcher: CustomMatcher) {
        let text = "[custom matcher: \(matcher.name ?? "")]"
        rows.append(.init(stub: text, request: text))
    }

    /// Adds the reasons why a stub does not answer that WireMock does not have.
    private mutating func addLifecycle(_ mapping: StubMapping) {
        if mapping.enabled == false { rows.append(.init(stub: "[Enabled: false]", message: "Stub is not enabled")) }
        if let times = mapping.times, mapping.timesLeft == 0 {
            rows.append(.init(stub: "[Times: \(times)]", request: "[Left: 0]", message: "Stub is used up"))
        }
    }

    /// Adds the scenario. As in WireMock it is marked as failed even if the states are equal, because the row is there
    /// to show the state.
    private mutating func addScenario(_ mapping: StubMapping, _ state: String?) {
        guard let name = mapping.scenarioName, let required = mapping.requiredScenarioState, let state else {
            return
        }
        rows.append(
            .init(
                stub: "[Scenario '\(name)' state: \(required)]", request: "[Scenario '\(name)' state: \(state)]",
                message: "Scenario does not match"))
    }
}

extension MethodPattern {
    /// The text as a report shows it.
    var shownText: String {
        switch self {
        case .any: "ANY"
        case .exactly(let name): name
        case .oneOf(let names): "one of \(names.joined(separator: ", "))"
        case .noneOf(let names): "none of \(names.joined(separator: ", "))"
        }
    }
}

extension URLPattern {
    /// The kind of URL in brackets, and the text as written.
    fileprivate var shown: (prefix: String, text: String) {
        switch self {
        case .any: ("", "(always)")
        case .url(let text): ("", text)
        case .urlPattern(let text): ("[regex] ", text)
        case .urlPath(let text): ("[path] ", text)
        case .urlPathPattern(let text): ("[path regex] ", text)
        case .urlPathTemplate(let text): ("[path template] ", text)
        }
    }

    /// Whether there is a `?` that was meant to begin a query and makes the character before it optional.
    var hasUnescapedQuestionMark: Bool {
        guard case .urlPattern(let text) = self.asRegex else { return false }
        let characters = Array(text.unicodeScalars)
        guard let place = characters.firstIndex(of: "?") else { return false }
        return place < 2 || characters[place - 1] != "\\"
    }

    private var asRegex: URLPattern {
        if case .urlPathPattern(let text) = self { .urlPattern(text) } else { self }
    }
}
