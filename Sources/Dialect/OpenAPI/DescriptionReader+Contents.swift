import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The body of requests, references followed; nil if it is broken.
    mutating func body(_ node: Node) -> APIBody? {
        guard let target = followed(node), object(target) != nil else { return nil }
        guard target.place != node.place else { return readBody(node) }
        if let part = shared.bodies[target.place] {
            trouble = trouble ?? part.trouble
            return part.value
        }
        let part = withTrouble { $0.readBody(target) }
        shared.bodies[target.place] = (part.0, part.1)
        trouble = trouble ?? part.1
        return part.0
    }

    private mutating func readBody(_ node: Node) -> APIBody {
        checkNames(of: node, ["description", "content", "required", "$ref", "summary"])
        if node["content"] == nil {
            report(
                node.place, "a body without content", expected: "such as content: {application/json: {…}}",
                isError: false)
        }
        return APIBody(
            isRequired: flag(node["required"]) ?? false, contents: contents(node["content"]), place: node.place)
    }

    /// The content types of `content`.
    mutating func contents(_ node: Node?) -> [APIContent] {
        members(node, of: "content types").compactMap { type, node in
            if !type.contains("/") {
                report(
                    node.place, "\(quoted(type)) is no content type", expected: "such as application/json",
                    isAboutName: true, isError: false)
            }
            guard let target = followed(node), object(target) != nil else { return nil }
            checkNames(of: target, contentMembers)
            return APIContent(
                type: type, schema: target["schema"].flatMap { self.schema($0) },
                itemSchema: target["itemSchema"].flatMap { self.schema($0) }, examples: examples(of: target),
                encoding: target["encoding"].flatMap { object($0, "an object of encodings") }, place: target.place)
        }
    }

    private var contentMembers: [String] {
        let names = ["schema", "example", "examples", "encoding"]
        return version == .v32
            ? names + ["itemSchema", "prefixEncoding", "itemEncoding", "description", "$ref"] : names
    }

    /// The examples of a content, parameter or header.
    mutating func examples(of node: Node) -> [APIExample] {
        var found: [APIExample] = []
        // An example may be null.
        if let value = node.value["example"] { found.append(APIExample(name: "", value: value, serialized: nil)) }
        guard let several = node["examples"] else { return found }
        if let values = several.value.arrayValue {
            report(
                several.place, "examples without names", expected: "an object of examples by name",
                found: several.value.shortDescription, isError: false)
            for (index, value) in values.enumerated() {
                found.append(APIExample(name: String(index + 1), value: value, serialized: nil))
            }
            return found
        }
        // Whatever is wrong with an example, the operation is served.
        let (examples, _) = withTrouble { reader in
            reader.members(several, of: "examples").compactMap { reader.example($0, $1) }
        }
        return found + examples
    }

    private mutating func example(_ name: String, _ node: Node) -> APIExample? {
        guard let target = followed(node), object(target, "an example with a value") != nil else { return nil }
        checkNames(
            of: target,
            ["summary", "description", "value", "externalValue", "$ref"]
                + (version == .v32 ? ["dataValue", "serializedValue"] : []))
        let value = target.value["dataValue"] ?? target.value["value"]
        let text = text(target["serializedValue"])
        if value == nil, text == nil {
            if target["externalValue"] == nil {
                report(target.place, "an example without value", expected: "a value", isError: false)
            }
            return nil
        }
        return APIExample(name: name, value: value, serialized: text)
    }
}
