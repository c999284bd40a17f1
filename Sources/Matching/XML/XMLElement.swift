package import SDPlatform

/// An element of a document as plain values. Comments are left out, and texts are trimmed.
package struct XMLElement: Sendable {
    /// The name without its prefix.
    package var name: String
    /// The attributes by name without prefixes; namespace declarations are left out.
    package var attributes: [(name: String, value: String)]
    package var children: [XMLElement]
    /// All text inside the element.
    package var text: String
}

extension XMLDocument {
    /// The root element; nil once the budget is exhausted.
    package func rootElement(_ budget: WorkBudget) -> XMLElement? {
        let tree = tree(.none, budget)
        guard !budget.isSpent, !tree.nodes.isEmpty,
            let root = tree.children(of: 0).first(where: { tree[$0].kind == .element })
        else { return nil }
        return element(root, in: tree, depth: 0)
    }

    private func element(_ index: Int32, in tree: XMLTree, depth: Int) -> XMLElement {
        let children = depth < 256 ? tree.children(of: index).filter { tree[$0].kind == .element } : []
        var attributes: [(name: String, value: String)] = []
        for attribute in tree.attributes(of: index) {
            let name = String(decoding: tree.names[Int(attribute.name)].qualified, as: UTF8.self)
            if name == "xmlns" || name.hasPrefix("xmlns:") { continue }
            attributes.append((Self.local(name), String(decoding: attribute.value, as: UTF8.self)))
        }
        return XMLElement(
            name: Self.local(tree.name(index).map { String(decoding: $0.qualified, as: UTF8.self) } ?? ""),
            attributes: attributes, children: children.map { element($0, in: tree, depth: depth + 1) },
            text: children.isEmpty ? String(decoding: tree.content(index), as: UTF8.self) : "")
    }

    private static func local(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
