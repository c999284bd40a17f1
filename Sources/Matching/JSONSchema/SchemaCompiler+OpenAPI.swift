import SDJSON

/// Keywords that only schemas of OpenAPI documents have.
extension SchemaCompiler {
    /// `readOnly` and `writeOnly`. From 3.1 on they are annotations, except for what is required.
    mutating func addDirections(of object: JSONObject, to builder: inout NodeBuilder) {
        guard builder.dialect.draft <= .v7 else { return }
        if object["readOnly"]?.boolValue == true { builder.rules.append(.forbidden(.request)) }
        if object["writeOnly"]?.boolValue == true { builder.rules.append(.forbidden(.response)) }
    }

    /// `required`, which counts for a property only in the direction in which it is sent.
    mutating func addRequiredByDirection(
        _ required: JSONValue, of object: JSONObject, to builder: inout NodeBuilder
    ) {
        // As in draft 3, which many documents have, `required: true` says something of the property's own parent.
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

    /// The direction in which a property is not sent; nil for one that is always sent.
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
        for branch in branches {
            guard let reference = branch["$ref"]?.stringValue,
                let (place, _) = library.target(of: reference, in: builder.resource),
                let name = place.tokens.last
            else {
                isComplete = false
                continue
            }
            let schema = node(at: place)
            // A name that the mapping gives to another schema is taken.
            if named.contains(where: { $0.name == name }) { continue }
            if namedSchemas.contains(schema) {
                // The name of the schema counts beside those of the mapping, but is not the one to be shown.
                named.append((name, schema))
            } else {
                named.insert((name, schema), at: namedSchemas.count)
                namedSchemas.insert(schema)
            }
        }
        guard !named.isEmpty else { return nil }
        return SchemaChoice(
            keyword: keyword, property: property, schemas: schemas, named: named, isComplete: isComplete)
    }

    /// The place of a schema that a mapping names: by a reference, or by the name of a component.
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
