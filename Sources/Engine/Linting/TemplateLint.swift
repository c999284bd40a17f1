import SDBasics
import SDJSON
import SDMatching
import SDStubModel
import SDTemplating

/// Findings about the templates of a stub, and about texts that are none and look like one of another tool.
struct TemplateLint {
    private let scope: TemplateScope
    private let path: [String]
    private(set) var findings: [LintFinding] = []

    /// - Parameter path: the path of the object that holds the templates.
    init(_ scope: TemplateScope, at path: [String]) {
        self.scope = scope
        self.path = path
    }

    mutating func look(at text: String?, _ field: String...) {
        guard let text else { return }
        for remark in Template.remarks(on: text, in: scope) { add(remark, at: field) }
    }

    mutating func look(at json: JSONValue?, _ field: String...) {
        guard let json else { return }
        if let text = json.stringValue, field.last == "data" {
            for remark in Template.remarks(on: text, in: scope) { add(remark, at: field) }
        } else {
            for remark in Template.remarks(onJSON: json, in: scope) { add(remark, at: field) }
        }
    }

    /// Looks at each text of a document by itself.
    mutating func look(atTextsOf json: JSONValue, _ field: [String]) {
        switch json {
        case .string(let text):
            for remark in Template.remarks(on: text, in: scope) { add(remark, at: field) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { look(atTextsOf: element, field + [String(index)]) }
        case .object(let object):
            for member in object.members { look(atTextsOf: member.value, field + [member.key]) }
        case .null, .bool, .number: break
        }
    }

    /// Looks at the texts of a response that is a template.
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
        // The list stands alone, or in an object.
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

    /// Looks for expressions of other tools in the texts of a response that is no template.
    mutating func look(atTextsOf response: ResponseDefinition) {
        if let body = response.body {
            for remark in Template.remarks(onPlain: body, in: scope) { add(remark, at: ["body"]) }
        }
        if let json = response.jsonBody {
            for remark in Template.remarks(onPlainJSON: json, in: scope) { add(remark, at: ["jsonBody"]) }
        }
        for header in response.headers {
            for value in header.values {
                for remark in Template.remarks(onPlain: value, in: scope) { add(remark, at: ["headers", header.name]) }
            }
        }
    }

    private mutating func add(_ remark: TemplateRemark, at field: [String]) {
        let code: StubFinding.Code =
            switch remark.kind {
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
                code: code, pointer: JSONPointer(path + field + remark.path), message: remark.message,
                expected: remark.expected, suggestion: remark.suggestion))
    }
}

extension TemplateScope {
    /// The names for a template of a stub.
    init(_ place: Place, of mapping: borrowing StubMapping, parameters: [String]? = nil) {
        self.init(place, parameters: parameters, query: mapping.request.queryParameters.map(\.name))
        switch mapping.request.url {
        // The stubs of a collection share their headers and have different paths.
        case _ where mapping.resource != nil: variables = nil
        case .urlPathTemplate(let text): variables = PathTemplate(text)?.names
        default: variables = []
        }
    }
}

extension ResponseDefinition {
    /// Whether its body is a script or a page, where `${…}` is the author's own.
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
