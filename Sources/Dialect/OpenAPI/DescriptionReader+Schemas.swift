import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// A schema at its place; what is wrong in it is reported, once. Schemas that it refers to wait.
    mutating func schema(_ node: Node) -> APISchema? {
        if let known = schemas[node.place] {
            trouble = trouble ?? known
        } else {
            let (_, found) = withTrouble { $0.look(at: node.value, node.place) }
            schemas.updateValue(found, forKey: node.place)
            trouble = trouble ?? found
        }
        return APISchema(place: node.place, json: node.value)
    }

    /// Looks at the schemas that were referred to, and those that they refer to.
    mutating func lookAtWaitingSchemas() {
        while let place = waitingSchemas.popLast() {
            guard schemas[place] == nil, let value = documents.value(at: place) else { continue }
            _ = schema(Node(place: place, value: value))
        }
        for (place, text) in waitingReferences { _ = check(text, at: place) }
        waitingReferences = []
    }

    private static let single = [
        "additionalProperties", "items", "not", "contains", "propertyNames", "if", "then", "else", "unevaluatedItems",
        "unevaluatedProperties", "contentSchema", "additionalItems",
    ]
    private static let lists = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
    private static let maps = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]
    private static let types = ["string", "number", "integer", "boolean", "array", "object", "null"]

    private mutating func look(at value: JSONValue, _ place: DocumentSet.Place) {
        schemaNodes += 1
        guard schemaNodes <= Self.mostSchemaNodes else {
            if schemaNodes == Self.mostSchemaNodes + 1 {
                report(place, "too many schemas", expected: "at most \(Self.mostSchemaNodes)")
            }
            return
        }
        guard let object = value.objectValue else {
            if value.boolValue == nil {
                report(place, "not a schema", expected: "an object", found: value.shortDescription)
            }
            return
        }
        for member in object.members { look(at: member, place) }
    }

    private mutating func look(at member: JSONObject.Member, _ place: DocumentSet.Place) {
        let (name, value) = (member.key, member.value)
        switch value {
        case .object(let members):
            if Self.single.contains(name) {
                look(at: value, place.appending(name))
            } else if Self.maps.contains(name) {
                let inner = place.appending(name)
                for member in members.members { look(at: member.value, inner.appending(member.key)) }
            } else if name == "discriminator", let mapping = members["mapping"]?.objectValue {
                let inner = place.appending(name).appending("mapping")
                for member in mapping.members { lookAtMapping(member, inner) }
            } else if name == "dependencies" {
                let inner = place.appending(name)
                for member in members.members where member.value.objectValue != nil {
                    look(at: member.value, inner.appending(member.key))
                }
            }
        case .array(let elements):
            guard Self.lists.contains(name) else { return }
            let inner = place.appending(name)
            for index in elements.indices { look(at: elements[index], inner.appending(index)) }
        case .string(let text):
            switch name {
            case "$ref": lookAtReference(text, place)
            case "$dynamicRef", "$recursiveRef": break
            case "$anchor", "$dynamicAnchor": documents.anchors[place.document, default: [:]][text] = place
            case "$id": documents.ids[String(text.prefix { $0 != "#" })] = place
            case "type" where !Self.types.contains(text) && !(version == .v2 && text == "file"):
                report(
                    place.appending(name), "unknown type \(quoted(text))", expected: oneOf(Self.types),
                    suggestion: nearestName(to: text, among: Self.types), isError: false)
            default: break
            }
        default: break
        }
    }

    private mutating func lookAtReference(_ text: String, _ place: DocumentSet.Place) {
        if case .success(let parts) = DocumentReference.reading(text, in: documents.folderName(of: place.document)) {
            if case .anchor = parts.fragment, documents.resolve(text, from: place) == nil {
                waitingReferences.append((place, text))
                return
            }
        }
        guard check(text, at: place), let target = documents.resolve(text, from: place) else { return }
        if schemas[target] == nil { waitingSchemas.append(target) }
    }

    /// A value of a mapping is a reference, or the name of a schema.
    private mutating func lookAtMapping(_ member: JSONObject.Member, _ place: DocumentSet.Place) {
        guard let text = member.value.stringValue else { return }
        let isName = !text.contains("/") && !text.contains("#") && !text.contains(".")
        let reference = isName ? "#/components/schemas/\(text)" : text
        guard documents.resolve(reference, from: place) == nil else {
            if let target = documents.resolve(reference, from: place), schemas[target] == nil {
                waitingSchemas.append(target)
            }
            return
        }
        guard !isName else {
            report(
                place.appending(member.key), "there is no schema \(quoted(text))", expected: "a schema or a reference",
                isError: false)
            return
        }
        let (isThere, _) = withTrouble { $0.check(text, at: place) }
        if isThere, let target = documents.resolve(text, from: place) { waitingSchemas.append(target) }
    }
}
