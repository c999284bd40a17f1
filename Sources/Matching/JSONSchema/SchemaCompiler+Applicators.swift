import SDJSON

/// The keywords that apply schemas to a value or its parts.
extension SchemaCompiler {
    mutating func addMemberRules(of object: JSONObject, to builder: inout NodeBuilder) throws(SchemaProblem) {
        var rules = MemberRules()
        for name in object["properties"]?.objectValue?.keys ?? [] {
            rules.named[PropertyName(name)] = node(at: builder.place("properties", name))
        }
        if let patterns = object["patternProperties"], patterns.objectValue == nil {
            throw problem("patternProperties", "an object", patterns, builder)
        }
        for source in object["patternProperties"]?.objectValue?.keys ?? [] {
            let pointer = builder.pointer.appending("patternProperties").appending(source)
            rules.patterns.append(
                (try pattern(source, at: pointer), node(at: builder.place("patternProperties", source))))
        }
        if object["additionalProperties"] != nil {
            rules.additional = node(at: builder.place("additionalProperties"))
        }
        if !rules.named.isEmpty || !rules.patterns.isEmpty || rules.additional != nil {
            builder.rules.append(.members(rules))
        }
        if builder.dialect.draft >= .v6, object["propertyNames"] != nil {
            builder.rules.append(.propertyNames(node(at: builder.place("propertyNames"))))
        }
        addDependencies(of: object, to: &builder)
    }

    private mutating func addDependencies(of object: JSONObject, to builder: inout NodeBuilder) {
        var required: [(name: String, required: [String])] = []
        var schemas: [(name: String, schema: Int)] = []
        for member in object["dependencies"]?.objectValue?.members ?? [] {
            if let names = member.value.arrayValue {
                required.append((member.key, names.compactMap(\.stringValue)))
            } else {
                schemas.append((member.key, node(at: builder.place("dependencies", member.key))))
            }
        }
        if builder.dialect.draft >= .v201909 {
            for name in object["dependentSchemas"]?.objectValue?.keys ?? [] {
                schemas.append((name, node(at: builder.place("dependentSchemas", name))))
            }
        }
        if !required.isEmpty { builder.rules.append(.dependentRequired(required)) }
        if !schemas.isEmpty { builder.rules.append(.dependentSchemas(schemas)) }
    }

    mutating func addItemRules(of object: JSONObject, to builder: inout NodeBuilder) throws(SchemaProblem) {
        let isNew = builder.dialect.draft >= .v202012
        let prefixKeyword = isNew ? "prefixItems" : "items"
        var restKeyword: String? = object["items"] == nil ? nil : "items"
        if isNew {
            if let prefix = object["prefixItems"], prefix.arrayValue == nil {
                throw problem("prefixItems", "a list of schemas", prefix, builder)
            }
            if let items = object["items"], items.objectValue == nil, items.boolValue == nil {
                throw problem("items", "a schema (a list of them is named `prefixItems` in this draft)", items, builder)
            }
        } else if object["items"]?.arrayValue != nil {
            restKeyword = object["additionalItems"] == nil ? nil : "additionalItems"
        }
        let prefixCount = object[prefixKeyword]?.arrayValue?.count ?? 0
        let prefix = (0..<prefixCount).map { place in node(at: builder.place(prefixKeyword, String(place))) }
        let rest = restKeyword.map { keyword in node(at: builder.place(keyword)) }
        if !prefix.isEmpty || rest != nil { builder.rules.append(.items(prefix: prefix, rest: rest)) }
        guard builder.dialect.draft >= .v6, object["contains"] != nil else { return }
        // Drafts 6 and 7 lack the two counts, but WireMock's validator applies them there too.
        let counts = builder.dialect.hasValidation
        builder.rules.append(
            .contains(
                node(at: builder.place("contains")),
                minimum: (counts ? count("minContains", of: object, builder) : nil) ?? 1,
                maximum: counts ? count("maxContains", of: object, builder) : nil, marks: isNew))
    }

    mutating func addCombinations(of object: JSONObject, to builder: inout NodeBuilder) throws(SchemaProblem) {
        if let all = try schemas("allOf", of: object, builder) { builder.rules.append(.allOf(all)) }
        if let any = try schemas("anyOf", of: object, builder) {
            if let choice = choice("anyOf", any, of: object, builder) {
                builder.rules.append(.chosen(choice))
            } else if !any.isEmpty {
                builder.rules.append(.anyOf(any))
            }
        }
        if let one = try schemas("oneOf", of: object, builder) {
            if let choice = choice("oneOf", one, of: object, builder) {
                builder.rules.append(.chosen(choice))
            } else if !one.isEmpty || !builder.dialect.isOpenAPI {
                builder.rules.append(.oneOf(one))
            }
        }
        if let choice = heirChoice(of: object, builder) { builder.rules.append(.chosen(choice)) }
        if object["not"] != nil { builder.rules.append(.not(node(at: builder.place("not")))) }
        guard builder.dialect.draft >= .v7, object["if"] != nil else { return }
        builder.rules.append(
            .conditional(
                test: node(at: builder.place("if")),
                then: object["then"] == nil ? nil : node(at: builder.place("then")),
                otherwise: object["else"] == nil ? nil : node(at: builder.place("else"))))
    }

    private mutating func schemas(
        _ keyword: String, of object: JSONObject, _ builder: NodeBuilder
    ) throws(SchemaProblem) -> [Int]? {
        guard let value = object[keyword] else { return nil }
        guard let elements = value.arrayValue else { throw problem(keyword, "a list of schemas", value, builder) }
        return elements.indices.map { node(at: builder.place(keyword, String($0))) }
    }
}
