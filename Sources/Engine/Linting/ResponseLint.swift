import SDBasics
import SDHTTPTransport
import SDJSON
import SDStubModel
import SDTemplating

/// Findings about the response of a stub, or about each of its responses.
struct ResponseLint {
    private let response: ResponseDefinition
    private let path: [String]
    private var findings: [LintFinding] = []

    /// - Parameter isTemplate: whether responses are templates by default.
    static func findings(in mapping: StubMapping, isTemplate: Bool = false) -> [LintFinding] {
        let scope = TemplateScope(.response, of: mapping)
        return responses(of: mapping).flatMap { findings(in: $0.response, at: $0.path, isTemplate, scope) }
    }

    /// Whether the response declares that it is a template.
    static func isTemplate(_ response: ResponseDefinition) -> Bool {
        response.template ?? response.transformers.contains(templateTransformer)
    }

    static func responses(of mapping: StubMapping) -> [(response: ResponseDefinition, path: [String])] {
        guard let sequence = mapping.responses else { return [(mapping.response, ["response"])] }
        return sequence.entries.enumerated().map { ($1.response, ["responses", String($0)]) }
    }

    private static func findings(
        in response: ResponseDefinition, at path: [String], _ isTemplate: Bool, _ scope: TemplateScope
    ) -> [LintFinding] {
        var lint = ResponseLint(response, path)
        for header in response.headers {
            lint.findings += HeaderNameLint.finding(header.name, at: path + ["headers"]).map { [$0] } ?? []
        }
        lint.lookAtHeaderValues()
        lint.lookAtStatus()
        lint.lookForJSONInText()
        lint.lookAtTransformers()
        lint.lookAtFaults()
        lint.lookAtProxy()
        let isTemplate = response.template ?? (isTemplate || Self.isTemplate(response))
        lint.lookAtTemplates(isTemplate, scope)
        if response.template == nil, !isTemplate { lint.lookForExpressions() }
        return lint.findings
    }

    private init(_ response: ResponseDefinition, _ path: [String]) {
        self.response = response
        self.path = path
    }

    private mutating func add(
        _ code: StubFinding.Code, at field: [String], _ message: String, expected: String
    ) {
        findings.append(
            LintFinding(code: code, pointer: JSONPointer(path + field), message: message, expected: expected))
    }

    /// The field with the body; nil if the body is empty.
    private var bodyField: String? {
        if let body = response.body { return body.isEmpty ? nil : "body" }
        if response.jsonBody != nil { return "jsonBody" }
        if let body = response.base64Body { return body.isEmpty ? nil : "base64Body" }
        return response.bodyFileName == nil ? nil : "bodyFileName"
    }

    private mutating func lookAtHeaderValues() {
        for header in response.headers where header.values.contains(where: \.hasLineEnd) {
            add(
                .headerValue, at: ["headers", header.name], "a header has one line, and line ends are sent as blanks",
                expected: "a text of one line, or a list of several values")
        }
        for header in response.headers {
            guard let seconds = Self.seconds(ofWait: header) else { continue }
            findings.append(
                LintFinding(
                    code: .headerValue, pointer: JSONPointer(path + ["headers", header.name]),
                    message: "clients read seconds without a unit here, or a date",
                    expected: "a whole number of seconds", suggestion: String(seconds)))
        }
    }

    /// The seconds of a `Retry-After` with a unit, rounded up; nil for any other header.
    static func seconds(ofWait header: ResponseHeader) -> Int? {
        guard header.name.utf8.count == "retry-after".utf8.count, header.name.lowercased() == "retry-after",
            let value = header.values.first
        else { return nil }
        return DurationText.milliseconds(value).map { ($0 + 999) / 1_000 }
    }

    private mutating func lookAtStatus() {
        lookForImpossibleStatus()
        guard [204, 304].contains(response.status), response.fault == nil, let bodyField else { return }
        add(
            .bodyWithoutContent, at: [bodyField], "a response with the status \(response.status) has no body",
            expected: "no body, or a status such as 200")
    }

    /// Finds informational statuses, and numbers that are not statuses.
    private mutating func lookForImpossibleStatus() {
        let status = response.status
        guard !(200...999).contains(status), response.fault == nil else { return }
        add(
            .impossibleStatus, at: ["status"],
            status == 101
                ? "nothing switches protocols here"
                : status < 200 ? "clients wait for the response after a status of \(status)" : "\(status) is no status",
            expected: "a status from 200 to 999"
                + (100...199 ~= status && status != 101 ? ", or this one in \"early\" before it" : ""))
    }

    private mutating func lookForJSONInText() {
        guard response.jsonBody?.holdsJSON == true else { return }
        add(
            .jsonInText, at: ["jsonBody"],
            "this is a string that contains JSON, and is sent as a JSON string in quotes",
            expected: "the JSON without the quotes around it, or the text as \"body\"")
    }

    private static let templateTransformer = "response-template"
    private static let transformers = [templateTransformer, ProxyDefinition.rewritingTransformer]

    private mutating func lookAtTransformers() {
        for (index, name) in response.transformers.enumerated() where !Self.transformers.contains(name) {
            findings.append(
                LintFinding(
                    code: .unknownTransformer, pointer: JSONPointer(path + ["transformers", String(index)]),
                    message: "there is no transformer \"\(name)\", and it has no effect",
                    expected: Self.templateTransformer,
                    suggestion: nearestName(to: name, among: Self.transformers)))
        }
    }

    // MARK: - Proxying

    /// Finds invalid base URLs, fields that a proxied answer replaces, and proxy fields without a proxy.
    private mutating func lookAtProxy() {
        guard let base = response.proxyBaseUrl else { return lookForProxyFields() }
        if !base.contains(text: "{{"), !ProxyDefinition.isAbsolute(base) {
            add(
                .proxyURL, at: ["proxyBaseUrl"], "this is no absolute URL, and every request gets a 500",
                expected: "a URL with its scheme, such as https://real.example")
        }
        lookAtBase(base)
        for field in Self.fieldsWithoutEffect(of: response) {
            add(
                .besideProxy, at: [field],
                "this has no effect, since the answer of the server at proxyBaseUrl passes as it comes",
                expected: "nothing here")
        }
        for header in response.additionalProxyRequestHeaders where header.values.count > 1 {
            add(
                .headerValue, at: ["additionalProxyRequestHeaders", header.name],
                "of several values only the first is sent, as by WireMock", expected: "one text")
        }
        var ignored = [bodyField, response.statusMessage.map { _ in "statusMessage" }]
        ignored.append(response.fault.map { _ in "fault" })
        ignored.append(response.status == 200 ? nil : "status")
        for field in ignored.compactMap(\.self) {
            add(
                .besideProxy, at: [field],
                "this is never sent, since the server at proxyBaseUrl answers", expected: "nothing here")
        }
        if response.proxyHttp2 == true, let reason = HTTPVersion.http2Problem {
            add(
                .missingLibrary, at: ["proxyHttp2"], "every request gets a 500, since \(reason)",
                expected: "the library, or a server that is called in HTTP/1.1")
        }
    }

    /// Finds parts of a base URL that redirect requests elsewhere than intended.
    private mutating func lookAtBase(_ base: String) {
        guard !base.contains(text: "{{"), ProxyDefinition.isAbsolute(base) else { return }
        if base.contains(text: "#") {
            add(
                .proxyURL, at: ["proxyBaseUrl"],
                "nothing behind # is sent, and so neither is the path of a request",
                expected: "a URL without a fragment")
        } else if base.contains(text: "?") {
            add(
                .proxyURL, at: ["proxyBaseUrl"], "the path of a request is put behind this query",
                expected: "a URL without a query")
        } else if !ProxyDefinition.hasCallableHost(base) {
            add(
                .proxyURL, at: ["proxyBaseUrl"],
                "its host or port is none that can be called, and every request gets a 500",
                expected: "a name or an address, and a port from 1 to 65535")
        }
    }

    /// The framing fields of the stub's own body that have no effect on a proxied one.
    private static func fieldsWithoutEffect(of response: borrowing ResponseDefinition) -> [String] {
        var fields: [String] = []
        if !response.trailers.isEmpty { fields.append("trailers") }
        if response.ranges == true { fields.append("ranges") }
        if response.conditional == true { fields.append("conditional") }
        return fields
    }

    private mutating func lookForProxyFields() {
        for field in Self.proxyFields(of: response) {
            findings.append(
                LintFinding(
                    code: .withoutProxy, pointer: JSONPointer(path + [field]),
                    message: "this has no effect, since no request is sent on", expected: "a proxyBaseUrl beside it",
                    isAboutName: true))
        }
    }

    /// The proxy fields, except the base URL.
    static func proxyFields(of response: borrowing ResponseDefinition) -> [String] {
        var fields: [String] = []
        if response.proxyUrlPrefixToRemove != nil { fields.append("proxyUrlPrefixToRemove") }
        if !response.additionalProxyRequestHeaders.isEmpty { fields.append("additionalProxyRequestHeaders") }
        if !response.removeProxyRequestHeaders.isEmpty { fields.append("removeProxyRequestHeaders") }
        if response.proxyHttp2 == true { fields.append("proxyHttp2") }
        return fields
    }

    // MARK: - Faults

    /// Finds faults that need properties that the answer lacks: trailers, or the length of a stream or of a proxied
    /// body, which is unknown when the head is sent.
    private mutating func lookAtFaults() {
        guard let plan = response.faults else { return }
        let isProxied = response.proxyBaseUrl != nil
        let isLazy = isProxied || response.stream?.isMadeWhileSent(isTemplated: Self.isTemplate(response)) ?? false
        for (index, rule) in plan.rules.enumerated() {
            let place = ["fault"] + (plan.json.arrayValue == nil ? [] : [String(index)])
            for change in rule.changes {
                var reason =
                    isProxied
                    ? "the other server's body passes as it comes, whatever length it has"
                    : "this stream is made while it is sent and has no length before its end"
                let expected: String
                switch change {
                case .wrongLength where isProxied: expected = "a `Content-Length` among the stub's own headers"
                case .wrongLength where isLazy: expected = "a body in place of the stream"
                case .cut(.share, _) where isLazy: expected = "a number of bytes, or of chunks"
                case .dropTrailers where response.trailers.isEmpty && !isProxied:
                    (reason, expected) = ("the response has no trailers", "trailers beside the fault")
                default: continue
                }
                add(
                    .faultWithoutEffect, at: place + [change.name], "\(reason), so this has no effect",
                    expected: expected)
            }
        }
    }

    // MARK: - Templates

    /// - Parameter isTemplate: false if only the status and the delay are templates.
    private mutating func lookAtTemplates(_ isTemplate: Bool, _ scope: TemplateScope) {
        var scope = scope
        scope.parameters = response.transformerParameters?.keys ?? []
        var lint = TemplateLint(scope, at: path)
        lint.look(at: response.statusTemplate, "status")
        lint.look(at: response.fixedDelayTemplate, "fixedDelayMilliseconds")
        if isTemplate {
            lint.look(atTemplatesOf: response)
        } else if !response.isScript {
            lint.look(atTextsOf: response)
        }
        let isScript = response.isScript
        findings += lint.findings.filter { !(isScript && $0.code == .otherTemplateSyntax) }
    }

    // MARK: - Expressions

    private mutating func lookForExpressions() {
        if let text = response.body { lookForExpression(text, at: ["body"]) }
        if let name = response.bodyFileName { lookForExpression(name, at: ["bodyFileName"]) }
        if let json = response.jsonBody, let (expression, pointer) = Self.expression(in: json) {
            addExpression(expression, at: ["jsonBody"] + pointer)
        }
        for header in response.headers {
            for value in header.values { lookForExpression(value, at: ["headers", header.name]) }
        }
    }

    private mutating func lookForExpression(_ text: String, at field: [String]) {
        if let expression = Self.expression(in: text) { addExpression(expression, at: field) }
    }

    private mutating func addExpression(_ expression: String, at field: [String]) {
        add(
            .untemplatedExpression, at: field, "\(expression) is sent literally: the response is not a template",
            expected: "\"transformers\": [\"response-template\"] beside it, which makes it one, or the text to send")
    }

    /// The first `{{…}}` on one line that starts like a name, a helper or a block.
    private static func expression(in text: String) -> String? {
        var rest = text[...]
        while let open = rest.firstRange(ofText: "{{") {
            rest = rest[open.upperBound...]
            guard let close = rest.firstRange(ofText: "}}") else { return nil }
            let inner = rest[..<close.lowerBound]
            let first = inner.first { !"{#/^&~ ".contains($0) }
            if first?.isLetter == true, !inner.contains(where: \.isNewline) { return "{{\(inner.prefix(60))}}" }
        }
        return nil
    }

    private static func expression(in json: JSONValue) -> (String, [String])? {
        switch json {
        case .string(let text): return expression(in: text).map { ($0, []) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = expression(in: element) { return (found.0, [String(index)] + found.1) }
            }
        case .object(let object):
            for member in object.members {
                if let found = expression(in: member.value) {
                    return (found.0, [member.key] + found.1)
                }
            }
        default: break
        }
        return nil
    }
}

extension String {
    var hasLineEnd: Bool { utf8.contains { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") } }
}

extension JSONValue {
    /// Whether the text is a JSON object or list.
    var holdsJSON: Bool {
        guard let text = stringValue, let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "["
        else { return false }
        switch try? JSONValue(parsing: text) {
        case .object, .array: return true
        default: return false
        }
    }
}
