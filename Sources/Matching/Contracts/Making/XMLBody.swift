import SDBasics
import SDJSON
import SDOpenAPI

/// Writes values as XML, by the keyword `xml` of their schemas.
struct XMLBody {
    private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    static func bytes(of value: JSONValue, _ schema: APISchema?, _ maker: inout ValueMaker) -> [UInt8] {
        var body = XMLBody()
        let list = schema.map { [$0] } ?? []
        let shape = maker.shape(of: list)
        if let items = value.arrayValue {
            // A document has a single root.
            let name = shape.xml?["name"]?.stringValue ?? shape.name ?? "items"
            let inner = maker.itemSchemas(shape)
            let itemName = maker.shape(of: inner).xmlName ?? "item"
            body.open(body.prefixed(name, shape.xml), shape.xml)
            for item in items { body.write(item, inner, itemName, &maker) }
            body.text += "</\(body.prefixed(name, shape.xml))>"
        } else {
            body.write(value, list, shape.xmlName ?? "xml", &maker)
        }
        return Array((body.text + "\n").utf8)
    }

    private func prefixed(_ name: String, _ xml: JSONObject?) -> String {
        let safe = Self.name(name)
        guard let prefix = xml?["prefix"]?.stringValue, !prefix.isEmpty else { return safe }
        return "\(Self.name(prefix)):\(safe)"
    }

    private mutating func open(_ name: String, _ xml: JSONObject?, attributes: String = "") {
        text += "<\(name)"
        if let space = xml?["namespace"]?.stringValue {
            let prefix = xml?["prefix"]?.stringValue.map { ":" + Self.name($0) } ?? ""
            text += " xmlns\(prefix)=\"\(Self.escaped(space))\""
        }
        text += attributes + ">"
    }

    private mutating func write(_ value: JSONValue, _ schemas: [APISchema], _ name: String, _ maker: inout ValueMaker) {
        let shape = maker.shape(of: schemas)
        let tag = prefixed(name, shape.xml)
        switch value {
        case .array(let items):
            let inner = maker.itemSchemas(shape)
            let innerShape = maker.shape(of: inner)
            let isWrapped = shape.xml?["wrapped"]?.boolValue == true || shape.xml?["nodeType"]?.stringValue == "element"
            if isWrapped { open(tag, shape.xml) }
            let itemName = innerShape.xml?["name"]?.stringValue ?? name
            for item in items { write(item, inner, itemName, &maker) }
            if isWrapped { text += "</\(tag)>" }
        case .object(let object):
            var attributes = ""
            var members: [(JSONObject.Member, [APISchema], Shape)] = []
            for member in object.members {
                let own = maker.xmlMembers(member.key, of: shape)
                let described = maker.shape(of: own)
                if described.xml?["attribute"]?.boolValue == true
                    || described.xml?["nodeType"]?.stringValue == "attribute"
                {
                    let attribute = prefixed(described.xml?["name"]?.stringValue ?? member.key, described.xml)
                    attributes += " \(attribute)=\"\(Self.escaped(Self.plain(member.value)))\""
                } else {
                    members.append((member, own, described))
                }
            }
            open(tag, shape.xml, attributes: attributes)
            for (member, own, described) in members {
                switch described.xml?["nodeType"]?.stringValue {
                case "text": text += Self.escaped(Self.plain(member.value))
                case "cdata": text += "<![CDATA[\(Self.plain(member.value).replacing(text: "]]>", with: "]] >"))]]>"
                default: write(member.value, own, described.xml?["name"]?.stringValue ?? member.key, &maker)
                }
            }
            text += "</\(tag)>"
        default:
            open(tag, shape.xml)
            text += Self.escaped(Self.plain(value)) + "</\(tag)>"
        }
    }

    private static func plain(_ value: JSONValue) -> String {
        value.isNull ? "" : value.stringValue ?? value.compactText
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 32 && scalar != "\t" && scalar != "\n" && scalar != "\r": result += "?"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A valid XML name.
    private static func name(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            let isStart = scalar.properties.isAlphabetic || scalar == "_"
            let isName =
                isStart || scalar.value >= 48 && scalar.value < 58 || scalar == "-" || scalar == "." || scalar == ":"
            if name.isEmpty, !isStart { name += "_" }
            if isName { name.unicodeScalars.append(scalar) } else if !name.isEmpty, name != "_" { name += "_" }
        }
        return name.isEmpty ? "_" : name
    }
}

extension Shape {
    /// The name of its element: from `xml`, else the component's.
    fileprivate var xmlName: String? { xml?["name"]?.stringValue ?? name }
}

extension ValueMaker {
    /// The schemas of items, wherever described.
    fileprivate mutating func itemSchemas(_ shape: Shape) -> [APISchema] {
        let own = shape.lists.compactMap { $0.items ?? $0.prefix.first }
        if !own.isEmpty { return own }
        for branch in shape.choices.flatMap(\.branches) {
            let found = self.shape(of: branch.schemas).lists.compactMap { $0.items ?? $0.prefix.first }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The schemas of a member, wherever described.
    fileprivate mutating func xmlMembers(_ name: String, of shape: Shape) -> [APISchema] {
        if let own = members(name, of: shape), !own.isEmpty { return own }
        for branch in shape.choices.flatMap(\.branches) {
            let described = self.shape(of: branch.schemas)
            if let found = members(name, of: described), !found.isEmpty { return found }
        }
        return []
    }
}
