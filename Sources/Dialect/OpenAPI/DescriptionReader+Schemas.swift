import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// A schema with its location; each of its problems is reported once. Referenced schemas are checked later. Nil for
    /// an unresolvable reference, and for anything that is not a schema.
    mutating func schema(_ node: Node) -> APISchema? {
        if seenSchemas.insert(node.place).inserted { look(atWhole: node) }
        trouble = trouble ?? brokenSchemas[node.place]
        guard node.value.objectValue != nil || node.value.boolValue != nil else { return nil }
        // A deferred reference may still be resolved.
        if brokenSchemas[node.place] != nil, let text = node.value["$ref"]?.stringValue,
            documents.resolve(text, from: node.place) == nil
        {
            return nil
        }
        return APISchema(place: node.place, json: node.value)
    }

    private mutating func look(atWhole node: Node) {
        let (_, found) = collectingFirstError { $0.look(at: node.value, node.place) }
        if let found { brokenSchemas[node.place] = found }
    }

    /// Checks the schemas referred to, recursively.
    mutating func lookAtWaitingSchemas() {
        while true {
            while let place = waitingSchemas.popLast() {
                if let value = documents.value(at: place) { look(atWhole: Node(place: place, value: value)) }
            }
            guard let (place, text) = waitingReferences.popLast() else { return }
            if check(text, at: place), let target = documents.resolve(text, from: place) { willLook(at: target) }
        }
    }

    private mutating func willLook(at place: DocumentSet.Place) {
        if seenSchemas.insert(place).inserted { waitingSchemas.append(place) }
    }

    private mutating func look(at value: JSONValue, _ place: DocumentSet.Place) {
        schemaNodes += 1
        guard schemaNodes <= Self.maxSchemaNodes else {
            if schemaNodes == Self.maxSchemaNodes + 1 {
                report(place, "too many schemas", expected: "at most \(Self.maxSchemaNodes)")
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
        if DocumentSet.baseProperty(of: object) != nil { bases.append(place) }
        let included = (object["allOf"]?.arrayValue ?? []).compactMap { $0["$ref"]?.stringValue }
        if !included.isEmpty { descents.append((place, included)) }
    }

    private mutating func look(at member: JSONObject.Member, _ place: DocumentSet.Place) {
        guard let keyword = SchemaKeyword.all[member.key] else { return checkUnknown(member.key, place) }
        if !keyword.allows(member.value) {
            report(
                place.appending(member.key), "wrong type", expected: keyword.form.words,
                found: member.value.shortDescription, isError: keyword.isNeeded)
        }
        guard keyword.holds != .nothing else { return lookAtPlain(member, place) }
        let inner = place.appending(member.key)
        switch (keyword.holds, member.value) {
        case (.schema, .object), (.schemaOrList, .object): look(at: member.value, inner)
        case (.list, .array(let elements)), (.schemaOrList, .array(let elements)):
            for index in elements.indices { look(at: elements[index], inner.appending(index)) }
        case (.byName, .object(let members)):
            for member in members.members { look(at: member.value, inner.appending(member.key)) }
        case (.schemasOrNames, .object(let members)):
            for member in members.members where member.value.objectValue != nil {
                look(at: member.value, inner.appending(member.key))
            }
        case (.discriminator, .object(let members)):
            for member in members["mapping"]?.objectValue?.members ?? [] {
                checkMapping(member, inner.appending("mapping"))
            }
        default: break
        }
    }

    private mutating func lookAtPlain(_ member: JSONObject.Member, _ place: DocumentSet.Place) {
        switch (member.key, member.value) {
        case ("$ref", .string(let text)): lookAtReference(text, place)
        case ("$anchor", .string(let text)), ("$dynamicAnchor", .string(let text)):
            documents.anchors[place.document, default: [:]][text] = place
        case ("$id", .string(let text)):
            documents.ids[documents.base(of: place)?.url ?? String(text.prefix { $0 != "#" })] = place
        case ("type", .string(let text)): checkType(text, place.appending(member.key))
        case ("type", .array(let elements)):
            for (index, element) in elements.enumerated() {
                if let text = element.stringValue { checkType(text, place.appending(member.key).appending(index)) }
            }
        default: break
        }
    }

    private static let types = ["string", "number", "integer", "boolean", "array", "object", "null"]

    private mutating func checkType(_ text: String, _ place: DocumentSet.Place) {
        guard !Self.types.contains(text), !(version == .v2 && text == "file") else { return }
        report(
            place, "unknown type \(quoted(text))", expected: oneOf(Self.types),
            suggestion: nearestName(to: text, among: Self.types), isError: false)
    }

    /// Unknown names are allowed in a schema, but one that resembles a keyword is probably a mistake.
    private mutating func checkUnknown(_ name: String, _ place: DocumentSet.Place) {
        guard !Self.isExtension(name), name.utf8.count > 3 else { return }
        let meant = meantKeywords[name] ?? nearestName(to: name, among: SchemaKeyword.names)
        if meantKeywords.count < 10_000 { meantKeywords.updateValue(meant, forKey: name) }
        guard let meant else { return }
        report(
            place.appending(name), "unknown keyword \(quoted(name))", suggestion: meant, isAboutName: true,
            isError: false)
    }

    private mutating func lookAtReference(_ text: String, _ place: DocumentSet.Place) {
        if let target = documents.resolve(text, from: place) { return willLook(at: target) }
        if case .success(let parts) = DocumentReference.reading(text, in: documents.folderName(of: place.document)) {
            // The URL may be the `$id` of a schema that is read later.
            let isURL = if case .url = documents.localised(parts.target) { true } else { false }
            let isName = if case .anchor = parts.fragment { true } else { false }
            if isName || isURL || documents.base(of: place) != nil {
                waitingReferences.append((place, text))
                return
            }
        }
        if check(text, at: place), let target = documents.resolve(text, from: place) { willLook(at: target) }
    }

    /// A value of a mapping is a reference, or the name of a schema.
    private mutating func checkMapping(_ member: JSONObject.Member, _ place: DocumentSet.Place) {
        guard let text = member.value.stringValue else { return }
        let spot = place.appending(member.key)
        let isName = !text.utf8.contains { [0x23, 0x2E, 0x2F].contains($0) }
        if let target = documents.resolve(isName ? "#/components/schemas/\(text)" : text, from: place) {
            return willLook(at: target)
        }
        guard !isName else {
            report(
                spot, "there is no schema \(quoted(text))", expected: "a schema or a reference",
                suggestion: nearestName(
                    to: text, among: documents.documents[0].json["components"]?["schemas"]?.objectValue?.keys ?? []),
                isError: false)
            return
        }
        if check(text, at: place, spot), let target = documents.resolve(text, from: place) { willLook(at: target) }
    }
}
