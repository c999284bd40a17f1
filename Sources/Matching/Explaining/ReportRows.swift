import SDBasics
import SDJSON
package import SDStubModel
import SDXML

/// The rows of WireMock's report: a stub's conditions beside the request's tested values.
package struct ReportRows {
    typealias Condition = PatternEvaluation.Condition

    private let evaluation: PatternEvaluation
    package private(set) var rows: [ReportLayout.Row] = []

    /// Makes the rows.
    /// - Parameter scenarioState: the current state of the stub's scenario.
    package init(_ mapping: StubMapping, _ evaluation: PatternEvaluation, scenarioState: String?) {
        self.evaluation = evaluation
        if let name = mapping.name {
            rows.append(.init(stub: name))
            rows.append(.empty)
        }
        addHead()
        section { $0.addHeaders() }
        for (attribute, name) in Self.fields { section { $0.addFields(attribute, name) } }
        for condition in evaluation.failing where condition.attribute == .body {
            addBody(condition)
        }
        addMultipart()
        if let custom = evaluation.pattern.customMatcher { addCustom(custom) }
        addScenario(mapping, scenarioState)
        addLifecycle(mapping)
    }

    private func conditions(_ attribute: PatternEvaluation.Attribute) -> [Condition] {
        evaluation.conditions.filter { $0.attribute == attribute }
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
        for condition in evaluation.conditions {
            let actual = condition.actual.first ?? ""
            switch (condition.attribute, condition.expected) {
            case (.host, .matcher(let host)):
                let name = host.isEquality ? "" : "[\(host.shownName)] "
                add(name + host.expectedText, actual, "Host", passes: condition.passes)
            case (.clientIP, .matcher(let client)):
                add(
                    "\(client.shownName) \(client.expectedSingleText)", actual, "ClientIp", passes: condition.passes)
            case (.port, .value(let port)): add(port.compactText, actual, "Port", passes: condition.passes)
            case (.scheme, .value(let scheme)):
                add(scheme.stringValue ?? "", actual, "Scheme", passes: condition.passes)
            case (.method, .method(let method)):
                add(method.shownText, actual, "HTTP method", passes: condition.passes)
            case (.url, .url(let url)): addURL(url, actual, passes: condition.passes)
            default: break
            }
        }
        rows.append(.empty)
    }

    private mutating func addURL(_ url: URLPattern, _ actual: String, passes: Bool) {
        let (prefix, text) = url.shown
        var message = passes ? nil : "URL does not match"
        var hint = ""
        if url.hasUnescapedQuestionMark {
            hint = ". When using a regex, \"?\" should be \"\\?\""
        }
        // WireMock does not mention it; its words about a template stay.
        if case .urlPath = url, !passes, url.hasQueryInPath {
            hint = ". A path has no query: \"url\" matches it"
        }
        if url != .any, !text.hasPrefix("/") { hint += ". URLs must start with a /" }
        if !hint.isEmpty { message = (message ?? "null") + hint }
        rows.append(.init(stub: prefix + text, request: actual, message: message))
    }

    // MARK: - Fields

    /// Adds the headers. Basic authentication is a header like the others, and replaces one of the same name. With it,
    /// WireMock keeps the headers in a hash table; without it, they are in the stub's order.
    private mutating func addHeaders() {
        var fields = conditions(.header).sorted { $0.index < $1.index }.map { header in
            (name: header.key ?? "", expected: Self.header(header), header)
        }
        for condition in conditions(.basicAuth) {
            guard case .user(let auth) = condition.expected else { continue }
            let name = "Authorization"
            let credentials =
                auth.password == HiddenValue.mark
                ? auth.password : Base64.encode(Array("\(auth.username):\(auth.password)".utf8))
            let field = (name: name, expected: "\(name) [prefix] : Basic \(credentials)", condition)
            let others = fields.count
            if let place = fields.firstIndex(where: { $0.name == name }) {
                fields[place] = field
            } else {
                fields.append(field)
            }
            let buckets = JavaHash.bucketCount(copying: others, holding: fields.count)
            // Stable: headers in the same bucket keep their order.
            fields = fields.enumerated().map { (JavaHash.bucket(of: $1.name, among: buckets), $0, $1) }
                .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        }
        for (name, expected, condition) in fields { addHeader(name, expected, condition) }
    }

    /// The other fields in the report's order, with their names there.
    private static let fields: [(PatternEvaluation.Attribute, String)] = [
        (.pathParameter, "Path parameter"), (.queryParameter, "Query"), (.formParameter, "Form data"),
        (.cookie, "Cookie"), (.certificate, "Client certificate"),
    ]

    private mutating func addFields(_ attribute: PatternEvaluation.Attribute, _ name: String) {
        if attribute == .pathParameter, !conditions(.url).allSatisfy(\.passes) { return }
        for condition in conditions(attribute) {
            let (expected, actual) = Self.parameter(condition)
            add(expected, actual, name, passes: condition.passes)
        }
    }

    private static func parameter(_ condition: Condition) -> (expected: String, actual: String) {
        guard let name = condition.key, let matcher = condition.matcher else { return ("", "") }
        let expected = field(condition, equality: " = ", name: " ")
        let (first, all) = (condition.actual.first ?? "", named(name, condition.actual))
        switch condition.attribute {
        case .queryParameter: return ("Query: " + expected, all)
        case .formParameter: return ("Form: " + expected, all)
        case .pathParameter:
            return ("Path parameter: " + (matcher.isAbsence ? "\(name) [absent] null" : expected), first)
        case .cookie:
            let text = matcher.isEquality ? "=" : " [\(matcher.shownName)] "
            return ("Cookie: \(name)\(text)\(matcher.expectedSingleText)", first)
        default: return ("Client certificate: " + expected, condition.actual.joined(separator: "\n"))
        }
    }

    private static func header(_ condition: Condition) -> String {
        field(condition, equality: ": ", name: " : ")
    }

    /// The name of a field and its expectation.
    /// - Parameters:
    ///   - equality: the text before a value compared for equality.
    ///   - name: the text between the name of another matcher and its operand.
    private static func field(_ condition: Condition, equality: String, name: String) -> String {
        guard let field = condition.key, let matcher = condition.matcher else { return "" }
        switch matcher.operator {
        case _ where matcher.isEquality: return field + equality + matcher.expectedText
        case .hasExactly: return "\(field) exactly \(matcher.expectedText)"
        case .includes: return "\(field) including \(matcher.expectedText)"
        default: return "\(field) [\(matcher.shownName)]\(name)\(matcher.expectedFieldText)"
        }
    }

    /// The values of a field, each after its name.
    private static func named(_ name: String, _ actual: [String]) -> String {
        actual.map { "\(name): \($0)" }.joined(separator: "\n")
    }

    private mutating func addHeader(_ name: String, _ expected: String, _ header: Condition) {
        add(expected, Self.named(name, header.actual), "Header", passes: header.passes)
    }

    // MARK: - Body

    /// Adds a failing condition on a body.
    private mutating func addBody(_ condition: Condition) {
        guard let matcher = condition.matcher else { return }
        let actual = condition.actual.joined(separator: "\n")
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

    /// Adds the failed multipart patterns: each with all parts, or with one row if the request has none.
    private mutating func addMultipart() {
        for condition in conditions(.multipart) {
            guard evaluation.isMultipart else {
                let name = "[Multipart request body]"
                rows.append(.init(stub: name, message: "\(name) is not present"))
                continue
            }
            guard !condition.passes, case .part(let pattern) = condition.expected else { continue }
            for part in evaluation.parts where part.pattern == condition.index {
                rows.append(.empty)
                rows.append(
                    .init(stub: pattern.name.map { "[Multipart: \($0)]" } ?? "[Multipart]", request: "[\(part.name)]")
                )
                rows.append(.empty)
                add(part)
                rows.append(.init(stub: "[/Multipart]", request: "[/\(part.name)]"))
                rows.append(.empty)
            }
        }
    }

    /// Adds the conditions on a part; none if all pass, as one of several parts may.
    private mutating func add(_ part: PatternEvaluation.Part) {
        guard !(part.headers + part.bodies).allSatisfy(\.passes) else { return }
        let count = rows.count
        section { rows in
            for header in part.headers { rows.addHeader(header.key ?? "", Self.header(header), header) }
        }
        for condition in part.bodies where !condition.passes { addBody(condition) }
        if rows.count > count { rows.append(.empty) }
    }

    // MARK: - Other rows

    private mutating func addCustom(_ matcher: CustomMatcher) {
        let text = "[custom matcher: \(matcher.name ?? "")]"
        rows.append(.init(stub: text, request: text))
    }

    /// Adds the reasons why a stub does not answer that WireMock lacks.
    private mutating func addLifecycle(_ mapping: StubMapping) {
        if mapping.enabled == false { rows.append(.init(stub: "[Enabled: false]", message: "Stub is not enabled")) }
        if let times = mapping.times, mapping.timesLeft == 0 {
            rows.append(.init(stub: "[Times: \(times)]", request: "[Left: 0]", message: "Stub is used up"))
        }
    }

    /// Adds the scenario. As in WireMock, it is marked as failed even if the states are equal, to show the state.
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

    /// Whether it has a `?` that was meant to start a query and makes the character before it optional.
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
