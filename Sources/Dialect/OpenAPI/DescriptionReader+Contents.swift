import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// A request body, with references resolved; nil if it is invalid.
    mutating func body(_ node: Node) -> APIBody? {
        guard let target = followed(node), object(target) != nil else { return nil }
        guard target.place != node.place else { return readBody(node) }
        let part = share(body: target)
        trouble = trouble ?? part.trouble
        return part.value
    }

    /// A request body that is referred to; read once.
    @discardableResult
    mutating func share(body node: Node) -> SharedParts.Part<APIBody> {
        if let part = shared.bodies[node.place] { return part }
        let part = collectingFirstError { reader in reader.followed(node).map { reader.readBody($0) } }
        shared.bodies[node.place] = part
        return part
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

    /// The media types of `content`.
    mutating func contents(_ node: Node?) -> [APIContent] {
        members(node, of: "content types").compactMap { type, node in
            let isText = type.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            if !type.contains("/") || !isText {
                report(
                    node.place, "\(quoted(type)) is no content type", expected: "such as application/json",
                    isAboutName: true, isError: false)
            }
            guard isText else { return nil }
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
        // Problems of an example do not affect the operation.
        let (examples, _) = collectingFirstError { reader in
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
        let value = target.value["dataValue"] ?? target.value["value"] ?? outerValue(target["externalValue"])
        let text = text(target["serializedValue"])
        if value == nil, text == nil {
            report(target.place, "an example without value", expected: "a value", isError: false)
            return nil
        }
        return APIExample(name: name, value: value, serialized: text)
    }

    /// The external document of an example; reports an invalid one.
    private mutating func outerValue(_ node: Node?) -> JSONValue? {
        guard let node, let text = text(node) else { return nil }
        guard check(text, at: node.place, node.place), let place = documents.resolve(text, from: node.place) else {
            return nil
        }
        return documents.value(at: place)
    }
}
