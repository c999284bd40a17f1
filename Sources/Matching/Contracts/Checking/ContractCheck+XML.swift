import SDJSON
import SDOpenAPI
import SDPlatform
import SDXML

/// XML bodies, whose elements and attributes represent members.
extension ContractCheck {
    /// The value of an XML body by its schema; nil with a violation if it is not XML.
    mutating func xmlValue(_ body: [UInt8], _ content: APIContent) -> JSONValue? {
        // Without libxml2 it cannot be checked.
        guard XMLDocument.unavailable == nil else { return nil }
        let document: XMLDocument
        do throws(XMLProblem) {
            document = try XMLDocument(parsing: body[...], namespaceAware: false, budget)
        } catch {
            if !budget.isSpent {
                let start = JSONValue.string(String(decoding: body.prefix(40), as: UTF8.self)).shortDescription
                add(
                    Violation(
                        .body, message: "the body is not XML: \(error.message)", expected: "XML", found: start))
            }
            return nil
        }
        guard let root = document.rootElement(budget) else { return nil }
        let shape = shape(content.schema)
        if let name = shape.xml("name")?.stringValue, name != root.name {
            add(
                Violation(
                    .body, keyword: "xml",
                    message: "the root of the body is another element: expected <\(name)>, found <\(root.name)>",
                    expected: "<\(name)>", found: "<\(root.name)>"))
        }
        return reading.value(of: written(root, shape), shape)
    }

    private func written(_ element: XMLElement, _ shape: SchemaShape, depth: Int = 0) -> WrittenValue {
        // Deeper or more expensive than schemas describe: the budget reports it.
        guard depth < 64, budget.spend(100, for: Self.work) else { return .text(WrittenText(element.text)) }
        if shape.isList, !shape.isObject {
            let own = shape.element(0)
            return .list(element.children.map { written($0, own, depth: depth + 1) })
        }
        let isObject = shape.isObject || shape.types.isEmpty && !element.children.isEmpty
        guard isObject, !(shape.types.contains("string") && element.children.isEmpty) else {
            return .text(WrittenText(element.text))
        }
        let children = Dictionary(grouping: element.children, by: \.name)
        var members: [(name: String, value: WrittenValue)] = []
        var taken: Set<String> = []
        for name in shape.memberNames {
            let own = shape.member(name)
            let ownName = own.xml("name")?.stringValue ?? name
            if own.xml("attribute")?.boolValue == true {
                guard let attribute = element.attributes.first(where: { $0.name == ownName }) else { continue }
                members.append((name, .text(WrittenText(attribute.value))))
            } else if own.isList {
                let item = own.element(0)
                // Without a wrapper, elements have the name of their own schema or of the member.
                let isWrapped = own.xml("wrapped")?.boolValue == true
                let elementName = isWrapped ? ownName : item.xml("name")?.stringValue ?? ownName
                taken.insert(elementName)
                let found = children[elementName] ?? []
                guard !found.isEmpty else { continue }
                let items = isWrapped ? found[0].children : found
                members.append((name, .list(items.map { written($0, item, depth: depth + 1) })))
            } else {
                taken.insert(ownName)
                let found = children[ownName] ?? []
                guard let first = found.first else { continue }
                members.append(
                    (
                        name,
                        found.count == 1
                            ? written(first, own, depth: depth + 1)
                            : .list(found.map { written($0, own, depth: depth + 1) })
                    ))
            }
        }
        for child in element.children where taken.insert(child.name).inserted {
            let own = shape.member(child.name)
            let found = (children[child.name] ?? []).map { written($0, own, depth: depth + 1) }
            members.append((child.name, found.count == 1 ? found[0] : .list(found)))
        }
        return .members(members)
    }
}

extension SchemaShape {
    /// The value of the keyword `xml`.
    func xml(_ keyword: String) -> JSONValue? {
        for (_, json) in parts {
            if let value = json["xml"]?[keyword] { return value }
        }
        return nil
    }
}
