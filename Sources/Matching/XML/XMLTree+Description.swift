/// Paths and values of a tree, for descriptions of differences.
extension XMLTree {
    /// The maximum length of a shown value, in bytes.
    private static let longestShown = 80
    private static let maxNames = 8

    /// The node's XPath, such as `/order/item[2]` or `/order/@id`.
    func path(_ index: Int32, _ attribute: Name? = nil) -> String {
        var steps: [String] = []
        var current = index
        while current != Self.none, self[current].kind != .document {
            steps.append(step(current))
            current = self[current].parent
        }
        steps.reverse()
        if let attribute { steps.append("@" + String(decoding: attribute.qualified, as: UTF8.self)) }
        return "/" + steps.joined(separator: "/")
    }

    private func step(_ index: Int32) -> String {
        let node = self[index]
        let name =
            switch node.kind {
            case .element: shownName(index)
            case .text, .cdata: "text()"
            case .comment: "comment()"
            case .instruction: "processing-instruction()"
            case .document: ""
            }
        guard node.parent != Self.none else { return name }
        let alike = children(of: node.parent).filter { self[$0].kind == node.kind && self[$0].name == node.name }
        guard alike.count > 1, let place = alike.firstIndex(of: index) else { return name }
        return "\(name)[\(place + 1)]"
    }

    func shownName(_ index: Int32) -> String {
        name(index).map { String(decoding: $0.qualified, as: UTF8.self) } ?? ""
    }

    func shownContent(_ index: Int32) -> String { Self.shown(Array(content(index))) }

    /// The value in quotes, cut if it is long; "none" for nil.
    static func shown(_ value: [UInt8]?) -> String {
        guard let value else { return "none" }
        let text = String(decoding: value.prefix(longestShown), as: UTF8.self)
        return "\"\(text)\(value.count > longestShown ? "…" : "")\""
    }

    /// The number of children and the first names.
    func shownChildren(_ index: Int32) -> String {
        let names = children(of: index).prefix(Self.maxNames + 1).map {
            self[$0].kind == .element ? shownName($0) : step($0)
        }
        return Self.shown(self[index].childCount, "child", "children", names)
    }

    func shown(_ attributes: XMLAttributes) -> String {
        let names = attributes.plain.map {
            String(decoding: self.names[Int($0.attribute.name)].qualified, as: UTF8.self)
        }
        return Self.shown(names.count, "attribute", "attributes", names)
    }

    private static func shown(_ count: Int, _ one: String, _ many: String, _ names: [String]) -> String {
        if count == 0 { return "no \(many)" }
        let list = names.prefix(maxNames).joined(separator: ", ") + (names.count > maxNames ? ", …" : "")
        return "\(count) \(count == 1 ? one : many) (\(list))"
    }
}

extension XMLTree.Kind {
    /// The kind with its article.
    var shown: String {
        switch self {
        case .text, .cdata: "a text"
        case .comment: "a comment"
        case .instruction: "a processing instruction"
        case .element: "an element"
        case .document: "a document"
        }
    }
}
