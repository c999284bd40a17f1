import SDJSON

/// Keywords that only schemas of OpenAPI documents have.
extension SchemaCompiler {
    /// `readOnly` and `writeOnly`. From 3.1 on they are annotations, except for required properties.
    mutating func addDirections(of object: JSONObject, to builder: inout NodeBuilder) {
        guard builder.dialect.draft <= .v7 else { return }
        if object["readOnly"]?.boolValue == true { builder.rules.append(.forbidden(.request)) }
        if object["writeOnly"]?.boolValue == true { builder.rules.append(.forbidden(.response)) }
    }

    /// `required`, which applies to a property only in the direction in which it is sent.
    mutating func addRequiredByDirection(
        _ required: JSONValue, of object: JSONObject, to builder: inout NodeBuilder
    ) {
        // As in draft 3, and in many documents, `required: true` makes the property itself required in its parent.
        guard let list = required.arrayValue else { return }
        let names = list.compactMap(\.stringValue)
        guard !names.isEmpty else { return }
        let properties = object["properties"]?.objectValue
        let directions = names.map { name in
            (name: name, unless: properties?[name].flatMap { direction(of: $0, builder.resource) })
        }
        if directions.contains(where: { $0.unless != nil }) {
            builder.rules.append(.requiredByDirection(directions))
        } else {
            builder.rules.append(.required(names))
        }
    }

    /// The direction in which a property is not sent; nil if it is always sent.
    private mutating func direction(of property: JSONValue, _ resource: Int) -> SchemaDocuments.Direction? {
        var schema = property
        var resource = resource
        for _ in 0..<8 {
            if schema["readOnly"]?.boolValue == true { return .request }
            if schema["writeOnly"]?.boolValue == true { return .response }
            guard let reference = schema["$ref"]?.stringValue,
                let (place, _) = library.target(of: reference, in: resource),
                let target = library.value(at: place)
            else { return nil }
            schema = target
            resource = library.resource(of: place)
        }
        return nil
    }

    mutating func addOpenAPIFormat(of object: JSONObject, to builder: inout NodeBuilder) {
        guard let name = object["format"]?.stringValue else { return }
        switch name {
        case "int32": builder.rules.append(.wholeNumber(bits: 32))
        case "int64": builder.rules.append(.wholeNumber(bits: 64))
        default:
            if let format = SchemaFormat(ofOpenAPI: name, builder.dialect.draft) {
                builder.rules.append(.format(format))
            }
        }
    }

    /// The choice among the schemas of `oneOf` or `anyOf` by the discriminator beside it; nil without one.
    mutating func choice(
        _ keyword: String, _ schemas: [Int], of object: JSONObject, _ builder: NodeBuilder
    ) -> SchemaChoice? {
        guard builder.dialect.isOpenAPI, let property = object["discriminator"]?["propertyName"]?.stringValue,
            let branches = object[keyword]?.arrayValue, !branches.isEmpty
        else { return nil }
        var named: [(name: String, schema: Int)] = []
        var namedSchemas: Set<Int> = []
        for member in object["discriminator"]?["mapping"]?.objectValue?.members ?? [] {
            guard let target = member.value.stringValue,
                let place = place(ofMapping: target, builder.resource)
            else { continue }
            named.append((member.key, node(at: place)))
            namedSchemas.insert(node(at: place))
        }
        var isComplete = true
        var claims: [(tag: String, schema: Int)] = []
        for branch in branches {
            guard let reference = branch["$ref"]?.stringValue,
                let (place, _) = library.target(of: reference, in: builder.resource),
                let name = place.tokens.last
            else {
                isComplete = false
                continue
            }
            let schema = node(at: place)
            // Skip a name that the mapping gives to another schema.
            if named.contains(where: { $0.name == name }) { continue }
            let tags = tags(of: property, at: place, depth: 0)
            if !namedSchemas.contains(schema), !tags.contains(name) { claims += tags.map { ($0, schema) } }
            if namedSchemas.contains(schema) {
                // The schema's own name counts in addition to those of the mapping, but is not shown.
                named.append((name, schema))
            } else {
                named.insert((name, schema), at: namedSchemas.count)
                namedSchemas.insert(schema)
            }
        }
        // Many documents have values other than the schemas' names, and state them only here.
        for (tag, schema) in claims where claims.count(where: { $0.tag == tag }) == 1 {
            guard !named.contains(where: { $0.name == tag }) else { continue }
            let place = named.firstIndex { $0.schema == schema } ?? named.endIndex
            named.insert((tag, schema), at: place)
            if place + 1 < named.endIndex, named[place + 1].schema == schema {
                // No value of the schema is its name.
                named.remove(at: place + 1)
            }
        }
        guard !named.isEmpty else { return nil }
        return SchemaChoice(
            keyword: keyword, property: property, schemas: schemas, named: named, isComplete: isComplete)
    }

    /// The choice among the derived schemas of one with a discriminator and without alternatives; nil for any other.
    mutating func heirChoice(of object: JSONObject, _ builder: NodeBuilder) -> SchemaChoice? {
        guard builder.dialect.isOpenAPI, let discriminator = object["discriminator"], let heirs,
            let property = discriminator.stringValue ?? discriminator["propertyName"]?.stringValue
        else { return nil }
        let named = heirs(builder.place).map { (name: $0.value, schema: node(at: $0.place)) }
        guard !named.isEmpty else { return nil }
        return SchemaChoice(
            keyword: "discriminator", property: property, schemas: [], named: named, isComplete: false)
    }

    /// The texts that a schema allows for a property; empty for any.
    private mutating func tags(of property: String, at place: SchemaPlace, depth: Int) -> [String] {
        guard depth < 6, let schema = library.value(at: place)?.objectValue else { return [] }
        if let member = schema["properties"]?[property] {
            if let constant = member["const"]?.stringValue { return [constant] }
            let listed = (member["enum"]?.arrayValue ?? []).compactMap(\.stringValue)
            if !listed.isEmpty { return listed }
        }
        if let reference = schema["$ref"]?.stringValue,
            let (target, _) = library.target(of: reference, in: library.resource(of: place))
        {
            return tags(of: property, at: target, depth: depth + 1)
        }
        for index in (schema["allOf"]?.arrayValue ?? []).indices.prefix(16) {
            let part = SchemaPlace(document: place.document, tokens: place.tokens + ["allOf", String(index)])
            let found = tags(of: property, at: part, depth: depth + 1)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The location of a schema named in a mapping: by a reference, or by a component's name.
    private mutating func place(ofMapping target: String, _ resource: Int) -> SchemaPlace? {
        let isName = target.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2E || $0 == 0x2D || $0 == 0x5F }
        if isName {
            for folder in ["/components/schemas/", "/definitions/"] {
                if let (place, _) = library.target(of: "#" + folder + target, in: resource) { return place }
            }
        }
        return library.target(of: target, in: resource)?.place
    }
}
