import SDBasics
public import SDPlatform

/// A node selected by an XPath, for templates.
public struct XPathNode: Sendable {
    /// The name as written, or `#text`, `#cdata-section`, `#comment`, `#document`.
    public let name: String
    /// The text inside the node.
    public let text: String
    /// The attributes of an element, sorted by name.
    public let attributes: [(name: String, value: String)]
    /// The printed text: an element as indented XML with a final line end.
    public let shown: String
}

/// The result of an XPath expression in a template.
public enum XPathSelection: Sendable {
    case nodes([XPathNode])
    /// A number, text or boolean as text.
    case value(String)
    /// The expression uses an undeclared prefix, and selects nothing.
    case unknownPrefix
    case failed(String)
}

extension XPath {
    /// Evaluates the expression for a template. Unlike for matchers, a CDATA section is printed with its markers.
    public func select(in document: XMLDocument, _ budget: WorkBudget) -> XPathSelection {
        switch evaluation(document, readsNodes: true, budget) {
        case .nodes(let nodes): .nodes(budget.isSpent ? [] : nodes.map(XPathNode.init))
        case .boolean(let value): .value(value ? "true" : "false")
        case .number(let value): .value(JavaNumber.text(value))
        case .string(let value): .value(value)
        case .failed(let reason): reason.contains(text: "prefix") ? .unknownPrefix : .failed(reason)
        }
    }
}

extension XPathNode {
    fileprivate init(_ node: LibXML2Document.Node) {
        let shown = node.wireMockText
        switch node {
        case .tree(let tree):
            func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
            let isElement = !tree.nodes.isEmpty && tree[0].kind == .element
            let attributes =
                isElement ? tree.attributes(of: 0).map { (tree.names[Int($0.name)].qualified, $0.value) } : []
            self.init(
                name: isElement ? string(tree.name(0)?.qualified ?? []) : "#document", text: string(tree.text),
                attributes: attributes.sorted { $0.0.lexicographicallyPrecedes($1.0) }
                    .map { (name: string($0.0), value: string($0.1)) },
                shown: shown)
        case .text(let text): self.init(name: "#text", text: text, attributes: [], shown: shown)
        case .cdata(let text):
            self.init(name: "#cdata-section", text: text, attributes: [], shown: "[#cdata-section: \(text)]")
        case .attribute(let name, let value): self.init(name: name, text: value, attributes: [], shown: shown)
        case .comment(let text): self.init(name: "#comment", text: text, attributes: [], shown: shown)
        case .instruction(let target, let data): self.init(name: target, text: data, attributes: [], shown: shown)
        }
    }
}
