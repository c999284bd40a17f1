import SDJSON

/// The keywords that test a value itself.
extension SchemaCompiler {
    mutating func addAssertions(of object: JSONObject, to builder: inout NodeBuilder) throws(SchemaProblem) {
        let draft = builder.dialect.draft
        let admitsNull = builder.dialect.nullableKeyword.map { object[$0]?.boolValue == true } ?? false
        if let type = object["type"] { addType(type, admitsNull, to: &builder) }
        if draft >= .v6, let constant = object["const"] { builder.rules.append(.constant(CanonicalValue(constant))) }
        if let values = object["enum"], !builder.dialect.isOpenAPI || values.arrayValue != nil {
            if values.arrayValue == nil { ignore("enum", "a list", values, builder, "no value is in it") }
            let listed = (values.arrayValue ?? []).map(CanonicalValue.init)
            builder.rules.append(
                .enumeration(Set(listed), admitsNull: admitsNull && builder.dialect.nullableCountsForEnum))
        }
        try addBounds(of: object, to: &builder)
        if let value = object["multipleOf"] {
            if let divisor = value.numberValue.map(JSONDecimal.init), !divisor.isZero, !divisor.isNegative {
                builder.rules.append(.multipleOf(divisor))
            } else {
                ignore("multipleOf", "a number above 0", value, builder)
            }
        }
        if let count = count("minLength", of: object, builder) { builder.rules.append(.minLength(count)) }
        if let count = count("maxLength", of: object, builder) { builder.rules.append(.maxLength(count)) }
        if let source = object["pattern"] {
            if let text = source.stringValue {
                builder.rules.append(.pattern(try pattern(text, at: builder.pointer.appending("pattern"))))
            } else {
                ignore("pattern", "a text", source, builder)
            }
        }
        if let count = count("minItems", of: object, builder) { builder.rules.append(.minItems(count)) }
        if let count = count("maxItems", of: object, builder) { builder.rules.append(.maxItems(count)) }
        if object["uniqueItems"]?.boolValue == true { builder.rules.append(.uniqueItems) }
        if let count = count("minProperties", of: object, builder) { builder.rules.append(.minProperties(count)) }
        if let count = count("maxProperties", of: object, builder) { builder.rules.append(.maxProperties(count)) }
        if let required = object["required"] {
            if builder.dialect.isOpenAPI {
                addRequiredByDirection(required, of: object, to: &builder)
            } else if let names = required.arrayValue {
                builder.rules.append(.required(names.map { $0.stringValue ?? $0.compactText }))
            } else {
                ignore("required", "a list of property names", required, builder)
            }
        }
        if draft >= .v201909, let dependent = object["dependentRequired"]?.objectValue {
            builder.rules.append(
                .dependentRequired(
                    dependent.members.map { ($0.key, ($0.value.arrayValue ?? []).compactMap(\.stringValue)) }))
        }
    }

    private mutating func addType(
        _ type: JSONValue, _ admitsNull: Bool, to builder: inout NodeBuilder
    ) {
        var types = TypeSet()
        for name in type.arrayValue ?? [type] {
            if let known = TypeSet.names.first(where: { $0.name == name.stringValue }) {
                let isPlain = known.type == .integer && builder.dialect.draft == .v4
                types.insert(isPlain ? .plainInteger : known.type)
            } else {
                let all = TypeSet.names.map(\.name).joined(separator: ", ")
                note(
                    builder.pointer.appending("type"),
                    "Expected one of \(all), found \(name.shortDescription), which no value has")
            }
        }
        // Swagger has the type `file`, and some documents invent types: nothing is known about their values.
        if builder.dialect.isOpenAPI, types.isEmpty { return }
        builder.rules.append(.type(types, admitsNull: admitsNull))
    }

    private mutating func addBounds(of object: JSONObject, to builder: inout NodeBuilder) throws(SchemaProblem) {
        let isDraft4 = builder.dialect.draft == .v4
        if let minimum = try number("minimum", of: object, builder) {
            let isExclusive = isDraft4 && object["exclusiveMinimum"]?.boolValue == true
            builder.rules.append(.minimum(minimum, isExclusive: isExclusive))
        }
        if let maximum = try number("maximum", of: object, builder) {
            let isExclusive = isDraft4 && object["exclusiveMaximum"]?.boolValue == true
            builder.rules.append(.maximum(maximum, isExclusive: isExclusive))
        }
        guard !isDraft4 else { return }
        if let minimum = try number("exclusiveMinimum", of: object, builder) {
            builder.rules.append(.minimum(minimum, isExclusive: true))
        }
        if let maximum = try number("exclusiveMaximum", of: object, builder) {
            builder.rules.append(.maximum(maximum, isExclusive: true))
        }
    }

    mutating func addFormat(of object: JSONObject, to builder: inout NodeBuilder) throws(SchemaProblem) {
        guard assertsFormat(in: builder.dialect) else { return }
        if builder.dialect.isOpenAPI { return addOpenAPIFormat(of: object, to: &builder) }
        if let name = object["format"]?.stringValue, let format = SchemaFormat(named: name) {
            builder.rules.append(.format(format))
        }
        guard builder.dialect.draft == .v7 else { return }
        let check = ContentCheck(
            isBase64: object["contentEncoding"]?.stringValue == "base64",
            isJSON: object["contentMediaType"]?.stringValue == "application/json")
        if check.isBase64 || check.isJSON { builder.rules.append(.content(check)) }
    }

    // MARK: - Operands

    private func number(
        _ keyword: String, of object: JSONObject, _ builder: NodeBuilder
    ) throws(SchemaProblem) -> JSONDecimal? {
        guard let value = object[keyword] else { return nil }
        guard let number = value.numberValue else { throw problem(keyword, "a number", value, builder) }
        return JSONDecimal(number)
    }

    /// The count of a keyword. An invalid count is ignored, as in WireMock's validator, but reported.
    mutating func count(_ keyword: String, of object: JSONObject, _ builder: NodeBuilder) -> Int? {
        guard let value = object[keyword] else { return nil }
        if let count = value.numberValue.flatMap({ JSONDecimal($0).count }) { return count }
        ignore(keyword, "a whole number, 0 or more", value, builder)
        return nil
    }

    mutating func ignore(
        _ keyword: String, _ expected: String, _ found: JSONValue, _ builder: NodeBuilder,
        _ consequence: String = "it is ignored"
    ) {
        note(
            builder.pointer.appending(keyword), "Expected \(expected), found \(found.shortDescription); \(consequence)")
    }

    func problem(
        _ keyword: String, _ expected: String, _ found: JSONValue, _ builder: NodeBuilder
    ) -> SchemaProblem {
        SchemaProblem(
            pointer: builder.pointer.appending(keyword),
            message: "Expected \(expected), found \(found.shortDescription)")
    }
}
