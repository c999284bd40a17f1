import SDJSON
import SDOpenAPI
import SDPlatform

/// Combines schemas into shapes.
struct ShapeReader {
    let schemas: SchemaFinder
    /// The enclosing schemas with dynamic anchors, outermost first.
    var scope: [APISchema] = []
    /// The budget for the work.
    let budget: WorkBudget

    /// The maximum number of schemas that describe one value.
    private static let maxPlaces = 2_000

    /// The combined requirements of schemas.
    func shape(of list: [APISchema]) -> Shape {
        var shape = Shape()
        for schema in list { add(schema, to: &shape) }
        return shape
    }

    /// Adds a schema that a value must also satisfy.
    func add(_ schema: APISchema, to shape: inout Shape) {
        shape.sources.append(schema)
        shape.identities.append(schemas.end(of: schema).place)
        include(schema, in: &shape)
    }

    private func include(_ schema: APISchema, in shape: inout Shape) {
        guard shape.contradiction == nil, shape.places.insert(schema.place).inserted else { return }
        guard shape.places.count <= Self.maxPlaces else {
            return shape.fail("The schema has too many parts", at: schema.place)
        }
        guard draws(100) else { return shape.failForWork(at: schema.place) }
        switch schema.json {
        case .bool(false): shape.fail("The schema is false, so that nothing is valid", at: schema.place)
        case .object(let object): include(object, schema, in: &shape)
        default: break
        }
    }

    /// Spends budget steps.
    func draws(_ steps: Int) -> Bool { budget.spend(steps, for: ValueMaker.work) }

    private func include(_ object: JSONObject, _ schema: APISchema, in shape: inout Shape) {
        if SchemaFinder.hasDynamicAnchors(object) { shape.anchored.append(schema) }
        if let reference = object["$ref"]?.stringValue {
            guard let target = schemas.target(of: reference, in: schema) else {
                return shape.fail("The reference `\(reference)` leads nowhere", at: schema.place)
            }
            if shape.name == nil { shape.name = schemas.name(of: target) }
            include(target, in: &shape)
            guard !schemas.isOfToday else { return addKeywords(object, schema, to: &shape) }
            // Before 3.1, keywords beside a reference do not count. Many tools respect them, so they are respected if
            // both can be satisfied.
            var narrowed = shape
            addKeywords(object, schema, to: &narrowed)
            if narrowed.contradiction == nil { shape = narrowed }
            return
        }
        addKeywords(object, schema, to: &shape)
    }

    private func addKeywords(_ object: JSONObject, _ schema: APISchema, to shape: inout Shape) {
        if let reference = object["$dynamicRef"]?.stringValue ?? object["$recursiveRef"]?.stringValue,
            let target = schemas.dynamicTarget(of: reference, in: schema, scope: scope + shape.anchored)
        {
            include(target, in: &shape)
        }
        addTypes(object, schema, to: &shape)
        addValues(object, schema, to: &shape)
        addNumbers(object, to: &shape)
        addTexts(object, schema, to: &shape)
        addMembers(object, schema, to: &shape)
        addItems(object, schema, to: &shape)
        addHints(object, to: &shape)
        for (index, part) in (object["allOf"]?.arrayValue ?? []).enumerated() {
            include(schema.part(part, "allOf", String(index)), in: &shape)
        }
        addChoices(object, schema, to: &shape)
        if shape.types.isEmpty {
            shape.fail("No type of value satisfies all of the schemas", at: schema.place)
        }
    }

    // MARK: - Types and values

    private func addTypes(_ object: JSONObject, _ schema: APISchema, to shape: inout Shape) {
        let listed: [ValueTypes]
        switch object["type"] {
        case .string(let name): listed = ValueTypes(named: name).map { [$0] } ?? []
        case .array(let names): listed = names.compactMap { $0.stringValue.flatMap(ValueTypes.init(named:)) }
        default: listed = []
        }
        guard !listed.isEmpty else { return }
        var types = listed.reduce(into: ValueTypes()) { $0.formUnion($1) }
        if object["nullable"]?.boolValue == true { types.formUnion(.null) }
        shape.types.formIntersection(types)
        if shape.listedTypes.isEmpty { shape.listedTypes = listed }
    }

    private func addValues(_ object: JSONObject, _ schema: APISchema, to shape: inout Shape) {
        var lists: [[JSONValue]] = []
        if let values = object["enum"]?.arrayValue { lists.append(values) }
        if let value = object["const"] { lists.append([value]) }
        for values in lists {
            guard let known = shape.fixed else {
                shape.fixed = values
                continue
            }
            guard draws(Self.product(known.count, values.count)) else {
                return shape.failForWork(at: schema.place)
            }
            shape.fixed = known.filter { value in values.contains { $0.hasSameValue(as: value) } }
        }
        if let fixed = shape.fixed, fixed.isEmpty {
            shape.fail("No value is in all of the lists of values (`enum`, `const`)", at: schema.place)
        }
    }

    private func addHints(_ object: JSONObject, to shape: inout Shape) {
        if object["readOnly"]?.boolValue == true { shape.isReadOnly = true }
        if object["writeOnly"]?.boolValue == true { shape.isWriteOnly = true }
        if shape.xml == nil { shape.xml = object["xml"]?.objectValue }
        var examples: [JSONValue] = []
        if let example = object["example"] ?? object["x-example"] { examples.append(example) }
        switch object["examples"] {
        case .array(let values): examples += values.prefix(20)
        // Not in the standard, but used by analogy to media types.
        case .object(let named): examples += named.members.prefix(20).compactMap { $0.value["value"] }
        default: break
        }
        // An empty default is not informative.
        if let value = object["default"], value != "", value != [], value != [:] { examples.append(value) }
        shape.shown += examples
    }

    // MARK: - Numbers and texts

    private func addNumbers(_ object: JSONObject, to shape: inout Shape) {
        func decimal(_ name: String) -> JSONDecimal? { object[name]?.numberValue.map { JSONDecimal($0) } }
        if let least = decimal("minimum") {
            shape.raise(to: Shape.Bound(value: least, isExclusive: object["exclusiveMinimum"]?.boolValue == true))
        }
        if let least = decimal("exclusiveMinimum") { shape.raise(to: Shape.Bound(value: least, isExclusive: true)) }
        if let most = decimal("maximum") {
            shape.lower(to: Shape.Bound(value: most, isExclusive: object["exclusiveMaximum"]?.boolValue == true))
        }
        if let most = decimal("exclusiveMaximum") { shape.lower(to: Shape.Bound(value: most, isExclusive: true)) }
        if let divisor = decimal("multipleOf"), !divisor.digits.isEmpty, !divisor.isNegative {
            shape.divisors.append(divisor)
        }
    }

    private func addTexts(_ object: JSONObject, _ schema: APISchema, to shape: inout Shape) {
        if let least = object.count("minLength") { shape.minLength = max(shape.minLength, least) }
        if let most = object.count("maxLength") { shape.maxLength = min(shape.maxLength ?? most, most) }
        if let pattern = object["pattern"]?.stringValue, !shape.patterns.contains(pattern) {
            shape.patterns.append(pattern)
        }
        if shape.format == nil { shape.format = object["format"]?.stringValue }
        if shape.contentEncoding == nil { shape.contentEncoding = object["contentEncoding"]?.stringValue?.lowercased() }
        if shape.contentType == nil { shape.contentType = object["contentMediaType"]?.stringValue?.lowercased() }
        if shape.contentSchema == nil, let content = object["contentSchema"] {
            shape.contentSchema = schema.part(content, "contentSchema")
        }
    }

    // MARK: - Objects and lists

    private func addMembers(_ object: JSONObject, _ schema: APISchema, to shape: inout Shape) {
        var part = Shape.ObjectPart()
        for member in object["properties"]?.objectValue?.members ?? [] {
            guard draws(50) else { return shape.failForWork(at: schema.place) }
            part.add(member.key, schema.part(member.value, "properties", member.key))
        }
        for member in object["patternProperties"]?.objectValue?.members ?? [] {
            part.patterns.append((member.key, schema.part(member.value, "patternProperties", member.key)))
        }
        if let additional = object["additionalProperties"] {
            part.additional = schema.part(additional, "additionalProperties")
        }
        if !part.properties.isEmpty || !part.patterns.isEmpty || part.additional != nil { shape.objects.append(part) }
        for name in object["required"]?.arrayValue ?? [] {
            guard draws(20) else { return shape.failForWork(at: schema.place) }
            name.stringValue.map { shape.require($0) }
        }
        if let least = object.count("minProperties") { shape.minProperties = max(shape.minProperties, least) }
        if let most = object.count("maxProperties") { shape.maxProperties = min(shape.maxProperties ?? most, most) }
        if let names = object["propertyNames"] { shape.nameSchemas.append(schema.part(names, "propertyNames")) }
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
            for member in object[keyword]?.objectValue?.members ?? [] {
                if let needs = member.value.arrayValue {
                    shape.dependentNames.append((member.key, needs.compactMap(\.stringValue)))
                } else {
                    shape.dependentSchemas.append((member.key, schema.part(member.value, keyword, member.key)))
                }
            }
        }
    }

    /// A number of steps, which may exceed any budget.
    static func product(_ left: Int, _ right: Int) -> Int {
        let (product, isTooLarge) = left.multipliedReportingOverflow(by: right)
        return isTooLarge ? 1 << 40 : min(product, 1 << 40)
    }

    private func addItems(_ object: JSONObject, _ schema: APISchema, to shape: inout Shape) {
        var part = Shape.ListPart()
        var prefixKeyword = "prefixItems"
        var restKeyword = "items"
        if object["items"]?.arrayValue != nil { (prefixKeyword, restKeyword) = ("items", "additionalItems") }
        for (index, item) in (object[prefixKeyword]?.arrayValue ?? []).prefix(1_000).enumerated() {
            part.prefix.append(schema.part(item, prefixKeyword, String(index)))
        }
        if let items = object[restKeyword], items.arrayValue == nil { part.items = schema.part(items, restKeyword) }
        if !part.prefix.isEmpty || part.items != nil { shape.lists.append(part) }
        if object["unevaluatedItems"]?.boolValue == false { shape.endsWithPrefix = true }
        if let least = object.count("minItems") { shape.minItems = max(shape.minItems, least) }
        if let most = object.count("maxItems") { shape.maxItems = min(shape.maxItems ?? most, most) }
        if object["uniqueItems"]?.boolValue == true { shape.isUnique = true }
        if let contained = object["contains"] {
            let least = object.count("minContains") ?? 1
            shape.contained.append(Shape.Containment(schema: schema.part(contained, "contains"), least: least))
        }
    }
}

extension JSONObject {
    /// A count; capped at the maximum.
    fileprivate func count(_ name: String) -> Int? {
        guard let number = self[name]?.numberValue else { return nil }
        let decimal = JSONDecimal(number)
        guard !decimal.isNegative, decimal.isInteger else { return nil }
        return decimal.intValue ?? .max
    }
}

extension Shape {
    /// Applies a lower bound, if it is narrower.
    fileprivate mutating func raise(to bound: Bound) {
        if let lower, bound.value < lower.value || bound.value == lower.value && lower.isExclusive { return }
        lower = bound
    }

    /// Applies an upper bound, if it is narrower.
    fileprivate mutating func lower(to bound: Bound) {
        if let upper, upper.value < bound.value || bound.value == upper.value && upper.isExclusive { return }
        upper = bound
    }
}

extension APISchema {
    /// A subschema.
    func part(_ json: JSONValue, _ tokens: String...) -> APISchema {
        var place = place
        place.pointer.tokens += tokens
        return APISchema(place: place, json: json)
    }
}
