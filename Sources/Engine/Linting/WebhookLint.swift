import SDBasics
import SDJSON
import SDStubModel
import SDTemplating

/// Findings about the listeners of a stub: unknown names, and webhooks that cannot be sent as intended.
struct WebhookLint {
    private var findings: [LintFinding] = []
    /// The names available to templates of listeners.
    private let scope: TemplateScope

    private init(_ scope: TemplateScope) {
        self.scope = scope
    }

    static func findings(in mapping: borrowing StubMapping) -> [LintFinding] {
        guard mapping.serveEventListeners != nil || mapping.postServeActions != nil else { return [] }
        var lint = WebhookLint(TemplateScope(.webhook, of: mapping))
        for (index, listener) in (mapping.serveEventListeners?.arrayValue ?? []).enumerated() {
            lint.look(at: listener, ["serveEventListeners", String(index)], names: listenerNames)
        }
        for (index, action) in (mapping.postServeActions?.arrayValue ?? []).enumerated() {
            lint.look(at: action, ["postServeActions", String(index)], names: ["webhook"])
        }
        return lint.findings
    }

    private static let listenerNames = ["webhook", "recordState", "deleteState"]

    private mutating func look(at listener: JSONValue, _ path: [String], names: [String]) {
        let name = listener["name"]?.stringValue ?? ""
        guard names.contains(name) else {
            findings.append(
                LintFinding(
                    code: .unknownListener, pointer: JSONPointer(path + ["name"]),
                    message: "there is no listener \"\(name)\", and it has no effect",
                    expected: "one of \(names.joined(separator: ", "))", suggestion: nearestName(to: name, among: names)
                ))
            return
        }
        if name == "webhook" {
            lookAtWebhook(listener["parameters"], path + ["parameters"])
        } else if let parameters = listener["parameters"] {
            var scope = scope
            scope.place = .listener
            var lint = TemplateLint(scope, at: path)
            lint.look(atTextsOf: parameters, ["parameters"])
            findings += lint.findings
        }
    }

    private mutating func lookAtWebhook(_ parameters: JSONValue?, _ path: [String]) {
        var reader = ModelReader()
        let read = WebhookParameters(parameters, &reader)
        for problem in reader.problems {
            findings.append(
                LintFinding(
                    code: .webhook, pointer: JSONPointer(path + problem.place.tokens),
                    message: "the webhook cannot be sent: \(problem.message)", expected: problem.expected,
                    isAboutName: problem.isAboutName, suggestion: problem.suggestion))
        }
        guard case .object(let object)? = parameters else { return }
        lookAtNames(object, path)
        lookAtBodies(object, read, path)
        lookAtURL(read.url, path + ["url"])
        lookAtMethod(read.method, path + ["method"])
        for header in read.headers {
            findings += HeaderNameLint.finding(header.name, at: path + ["headers"]).map { [$0] } ?? []
        }
        for member in object.members where ["url", "method", "headers", "body", "jsonBody"].contains(member.key) {
            lookAtTemplates(member.value, path + [member.key])
        }
        var scope = scope
        scope.parameters = object.keys
        var lint = TemplateLint(scope, at: path)
        for member in object.members where Self.templated.contains(member.key) {
            if member.key == "jsonBody" {
                lint.look(at: member.value, member.key)
            } else {
                lint.look(atTextsOf: member.value, [member.key])
            }
        }
        findings += lint.findings
    }

    private static let templated = [
        "url", "method", "headers", "body", "jsonBody", "bodyFileName", "multipart", "hmac",
    ]

    private mutating func add(
        _ path: [String], _ message: String, expected: String, isAboutName: Bool = false, suggestion: String? = nil
    ) {
        findings.append(
            LintFinding(
                code: .webhook, pointer: JSONPointer(path), message: message, expected: expected,
                isAboutName: isAboutName, suggestion: suggestion))
    }

    /// Names in other tools and in routes.
    private static let otherNames = [
        "json": "jsonBody", "file": "bodyFileName", "base64": "base64Body", "header": "headers", "uri": "url",
        "verb": "method", "retries": "retry", "signature": "hmac", "fixedDelayMilliseconds": "delay",
        "delayDistribution": "delay", "parts": "multipart",
    ]

    /// Finds parameters that are known under another name, unless a template uses them.
    private mutating func lookAtNames(_ object: JSONObject, _ path: [String]) {
        let text = JSONValue.object(object).compactText
        for name in object.keys where !WebhookParameters.names.contains(name) {
            let meant = Self.otherNames[name] ?? nearestName(to: name, among: WebhookParameters.names)
            guard let meant, !text.contains(text: "parameters.\(name)") else { continue }
            add(
                path + [name], "\"\(name)\" is for templates alone, and none reads it", expected: "a known parameter",
                isAboutName: true, suggestion: meant)
        }
    }

    private mutating func lookAtBodies(_ object: JSONObject, _ read: WebhookParameters, _ path: [String]) {
        let given = WebhookParameters.bodyNames.filter { object[$0].map { !$0.isNull } ?? false }
        guard let first = given.first else { return }
        if given.count > 1 {
            add(
                path + [given[1]], "a webhook has one body, and \"\(first)\" is sent",
                expected: "one of \(given.joined(separator: ", "))")
        }
        if ["body", "base64Body", "bodyFileName"].contains(first), object[first]?.stringValue == nil {
            add(
                path + [first], "a body that is no text is not sent", expected: "a text, or \"jsonBody\"",
                suggestion: first == "body" ? "jsonBody" : nil)
        }
        if !read.method.contains(text: "{{"), !["POST", "PUT", "PATCH"].contains(read.method) {
            add(
                path + [object["method"] == nil ? first : "method"],
                "a webhook with \(read.method) is sent without its body",
                expected: "the method POST, PUT or PATCH", suggestion: object["method"] == nil ? nil : "POST")
        }
    }

    private mutating func lookAtURL(_ url: String, _ path: [String]) {
        guard !url.isEmpty, !url.hasPrefix("{{") else { return }
        let lower = url.lowercased()
        guard !lower.hasPrefix("http://"), !lower.hasPrefix("https://") else {
            if url.contains(where: { $0 == " " }), !url.contains(text: "{{") {
                add(path, "a URL has no spaces", expected: "%20 in place of each")
            }
            return
        }
        let isPath = url.hasPrefix("/")
        let scheme = url.firstRange(ofText: "://").map { url[..<$0.lowerBound] }
        let problem =
            isPath
            ? "a path is no URL that can be called"
            : scheme.map { "a webhook to \($0):// is sent in HTTP all the same" } ?? "this is no URL that can be called"
        add(
            path, problem, expected: "http:// or https://, and a host",
            suggestion: isPath || scheme != nil ? nil : "http://\(url)")
    }

    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY"]

    private mutating func lookAtMethod(_ method: String, _ path: [String]) {
        guard !method.contains(text: "{{"), !Self.methods.contains(method) else { return }
        let nearest =
            Self.methods.contains(method.uppercased())
            ? method.uppercased() : nearestName(to: method.uppercased(), among: Self.methods)
        add(path, "\"\(method)\" is not a known method", expected: "a method such as POST", suggestion: nearest)
    }

    private mutating func lookAtTemplates(_ value: JSONValue, _ path: [String]) {
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() { lookAtTemplates(element, path + [String(index)]) }
        case .object(let object):
            for member in object.members { lookAtTemplates(member.value, path + [member.key]) }
        case .string(let text) where text.contains(text: "{{"):
            do throws(TemplateError) {
                _ = try Template(text)
            } catch {
                add(path, "the template cannot be read: at \(error)", expected: "a template")
                return
            }
        default: break
        }
    }
}
