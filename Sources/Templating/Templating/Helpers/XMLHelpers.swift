import SDPlatform
import SDXML

/// WireMock's XML helpers.
enum XMLHelpers {
    static let table: [String: Helper] = [
        "xPath": xPath(prefix: ""), "soapXPath": xPath(prefix: "/Envelope/Body/"), "formatXml": formatXML,
    ]

    private static func xPath(prefix: String) -> Helper {
        { call throws(RenderError) in
            let (subject, expression) = (call.subject, call.parameter(1))
            guard !expression.isNull else { return call.error("The XPath expression cannot be empty") }
            guard !subject.isNull else { return call.error("null is not valid XML") }
            let text = subject.text
            let budget = call.renderer.environment.budget
            // The document and the expression are parsed on each call.
            try call.renderer.spend(1_000 + expression.text.utf8.count)
            guard let document = try? XMLDocument(parsing: Array(text.utf8)[...], namespaceAware: false, budget) else {
                return call.error("\(text) is not valid XML")
            }
            let xpath = XPath(prefix + expression.text, namespaces: nil)
            guard xpath.problem == nil else {
                return call.error("\(expression.text) is not a valid XPath expression")
            }
            switch xpath.select(in: document, budget) {
            case .nodes(let nodes):
                return nodes.isEmpty ? .text("") : .values(nodes.map { .object(NodeModel(node: $0)) })
            case .value(let value): return .text(value)
            case .unknownPrefix: return .text("")
            case .failed:
                if budget.isSpent { throw .outOfTime }
                return call.error("\(expression.text) is not a valid XPath expression")
            }
        }
    }

    private static let formatXML: Helper = { call throws(RenderError) in
        let text = call.isBlock ? try call.blockText() : call.parameter(0).string ?? ""
        guard !TextHelpers.trimmed(text).isEmpty else {
            return call.error("formatXml should take a block of XML to format or a single parameter of type String")
        }
        guard let isPretty = JSONHelpers.isPretty(call) else { return JSONHelpers.formatProblem(call) }
        let bytes = Array(text.utf8)[...]
        let limit = call.renderer.environment.limits.output
        guard let formatted = isPretty ? XMLText.pretty(bytes, limit: limit) : XMLText.compact(bytes) else {
            return call.error("Input is not valid XML")
        }
        try call.renderer.checkSize(formatted.utf8.count)
        return .text(formatted)
    }
}

/// An XML node: it prints as XML, and has a name, a text and attributes.
private struct NodeModel: TemplateObject {
    let node: XPathNode

    var text: String { node.shown }

    var members: [(key: String, value: TemplateValue)]? {
        let attributes = TemplateMap(node.attributes.map { ($0.name, .text($0.value)) })
        return [("attributes", .map(attributes)), ("name", .text(node.name)), ("text", .text(node.text))]
    }

    func member(_ name: String) -> TemplateValue? { members?.first { $0.key == name }?.value }
}
