import SDBasics
import SDJSON
import SDMatching
import SDStubModel
import SDTemplating

/// Findings about the templates of a stub, and about plain texts that look like templates of another tool.
struct TemplateLint {
    private let scope: TemplateScope
    private let path: [String]
    private(set) var findings: [LintFinding] = []

    /// - Parameter path: the path of the object that contains the templates.
    init(_ scope: TemplateScope, at path: [String]) {
        self.scope = scope
        self.path = path
    }

    mutating func look(at text: String?, _ field: String...) {
        guard let text else { return }
        for warning in Template.warnings(on: text, in: scope) { add(warning, at: field) }
    }

    mutating func look(at json: JSONValue?, _ field: String...) {
        guard let json else { return }
        if let text = json.stringValue, field.last == "data" {
            for warning in Template.warnings(on: text, in: scope) { add(warning, at: field) }
        } else {
            for warning in Template.warnings(onJSON: json, in: scope) { add(warning, at: field) }
        }
    }

    /// Checks each text of a document by itself.
    mutating func look(atTextsOf json: JSONValue, _ field: [String]) {
        switch json {
        case .string(let text):
            for warning in Template.warnings(on: text, in: scope) { add(warning, at: field) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { look(atTextsOf: element, field + [String(index)]) }
        case .object(let object):
            for member in object.members { look(atTextsOf: member.value, field + [member.key]) }
        case .null, .bool, .number: break
        }
    }

    /// Checks the texts of a templated response.
    mutating func look(atTemplatesOf response: ResponseDefinition) {
        look(at: response.body, "body")
        look(at: response.jsonBody, "jsonBody")
        look(at: response.bodyFileName, "bodyFileName")
        look(at: response.statusMessage, "statusMessage")
        look(at: response.headers, "headers")
        look(at: response.proxyBaseUrl, "proxyBaseUrl")
        look(at: response.additionalProxyRequestHeaders, "additionalProxyRequestHeaders")
        if let stream = response.stream { look(at: stream) }
    }

    private mutating func look(at headers: [ResponseHeader], _ field: String) {
        for header in headers { for value in header.values { look(at: value, field, header.name) } }
    }

    private mutating func look(at stream: StreamDefinition) {
        var scope = scope
        scope.place = .stream
        // The list is the value itself, or a member of an object.
        let place = stream.name == nil && stream.rounds == nil ? ["stream"] : ["stream", "events"]
        for (index, item) in stream.items.enumerated() {
            var lint = TemplateLint(scope, at: path + place + [String(index)])
            switch item.content {
            case .event(let event):
                lint.look(at: event.comment, "comment")
                lint.look(at: event.event, "event")
                lint.look(at: event.id, "id")
                lint.look(at: event.data, "data")
            case .chunk(let text): lint.look(at: text, "chunk")
            case .base64, .hold: break
            }
            findings += lint.findings
        }
    }

    /// Searches the texts of a response that is not templated for expressions of other tools.
    mutating func look(atTextsOf response: ResponseDefinition) {
        if let body = response.body {
            for warning in Template.warnings(onPlain: body, in: scope) { add(warning, at: ["body"]) }
        }
        if let json = response.jsonBody {
            for warning in Template.warnings(onPlainJSON: json, in: scope) { add(warning, at: ["jsonBody"]) }
        }
        for header in response.headers {
            for value in header.values {
                for warning in Template.warnings(onPlain: value, in: scope) {
                    add(warning, at: ["headers", header.name])
                }
            }
        }
    }

    private mutating func add(_ warning: TemplateWarning, at field: [String]) {
        let code: StubFinding.Code =
            switch warning.kind {
            case .unknownName: .unknownTemplateName
            case .unendedTag: .unendedTag
            case .unknownLocale: .unknownLocale
            case .failingCall: .failingHelper
            case .helperOption: .helperOption
            case .comparison: .templateComparison
            case .otherSyntax: .otherTemplateSyntax
            }
        findings.append(
            LintFinding(
                code: code, pointer: JSONPointer(path + field + warning.path), message: warning.message,
                expected: warning.expected, suggestion: warning.suggestion))
    }
}

extension TemplateScope {
    /// The names available to a template of a stub.
    init(_ place: Place, of mapping: borrowing StubMapping, parameters: [String]? = nil) {
        self.init(place, parameters: parameters, query: mapping.request.queryParameters.map(\.name))
        switch mapping.request.url {
        // The stubs of a collection share their headers but have different paths.
        case _ where mapping.resource != nil: variables = nil
        case .urlPathTemplate(let text): variables = PathTemplate(text)?.names
        default: variables = []
        }
    }
}

extension ResponseDefinition {
    /// Whether its body is a script or a page, where `${…}` belongs to the author.
    var isScript: Bool {
        headers.contains { header in
            header.name.lowercased() == "content-type"
                && header.values.contains { value in
                    let type = value.lowercased()
                    return type.contains(text: "script") || type.contains(text: "html")
                }
        }
    }
}
