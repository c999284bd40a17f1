import SDJSON

extension Evaluation {
    /// Whether `value` satisfies `rule`.
    mutating func check(_ rule: SchemaRule, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        switch rule {
        case .never: return fail("", message: "no value is allowed here")
        case .unresolved(let reference):
            abandon("the reference \(JSONValue.string(reference).compactText) cannot be resolved")
            return false
        case .type, .constant, .enumeration: return checkIdentity(rule, value)
        case .minimum, .maximum, .multipleOf:
            guard case .number(let number) = value else { return true }
            return checkNumber(rule, number)
        case .minLength, .maxLength, .pattern, .format, .content:
            guard case .string(let text) = value else { return true }
            return checkText(rule, text)
        case .minItems, .maxItems, .uniqueItems, .items, .contains, .unevaluatedItems:
            guard case .array(let elements) = value else { return true }
            return checkElements(rule, elements, &marks)
        case .minProperties, .maxProperties, .required, .members, .propertyNames, .dependentRequired,
            .unevaluatedProperties:
            guard case .object(let object) = value else { return true }
            return checkMembers(rule, object, &marks)
        case .dependentSchemas(let schemas):
            guard case .object(let object) = value else { return true }
            guard spend(schemas.count) else { return false }
            return checkAll(schemas.filter { object[$0.name] != nil }.map(\.schema), value, &marks)
        case .allOf(let schemas): return checkAll(schemas, value, &marks)
        case .anyOf(let schemas): return checkAny(schemas, value, &marks)
        case .oneOf(let schemas): return checkOne(schemas, value, &marks)
        case .not(let schema):
            var none: Marks?
            return !evaluateSilently(schema, value, &none)
                || fail("not", "a value that the schema in `not` refuses")
        case .conditional(let test, let then, let otherwise):
            let branch = checkTest(test, value, &marks) ? then : otherwise
            return branch.map { evaluate($0, value, &marks) } ?? true
        case .reference(let target): return evaluate(target, value, &marks)
        case .chosen, .forbidden, .requiredByDirection, .wholeNumber: return checkOpenAPI(rule, value, &marks)
        case .dynamicReference(let target, let anchor):
            return evaluate(outermost(anchor) ?? target, value, &marks)
        case .recursiveReference(let target):
            return evaluate(outermostRecursive() ?? target, value, &marks)
        }
    }

    private func outermostRecursive() -> Int? {
        shared == nil ? scope.lazy.compactMap { [schema] in schema.recursiveRoots[$0] }.first : nil
    }

    private func outermost(_ anchor: String) -> Int? {
        if let shared { return scope.lazy.compactMap { shared.dynamicAnchor(anchor, in: $0) }.first }
        return scope.lazy.compactMap { [schema] in schema.dynamicAnchors[$0][anchor] }.first
    }

    // MARK: - Any value

    private mutating func checkIdentity(_ rule: SchemaRule, _ value: JSONValue) -> Bool {
        if case .type = rule {} else if !spend(onAllOf: value) { return false }
        let isShort = shared != nil
        switch rule {
        case .type(let types, let admitsNull):
            return types.admits(value) || admitsNull && value.isNull
                || fail("type", types.text, found: value.shortDescription)
        case .constant(let constant):
            return constant == CanonicalValue(value)
                || fail("const", Self.described(constant.value, isShort), found: Self.described(value, isShort))
        case .enumeration(let values, let admitsNull):
            return values.contains(CanonicalValue(value)) || admitsNull && value.isNull
                || fail("enum", "one of \(Self.shown(values, isShort))", found: Self.described(value, isShort))
        default: return true
        }
    }

    /// A value described for a message; in OpenAPI documents, a short list or object as it is.
    private static func described(_ value: JSONValue, _ isShort: Bool) -> String {
        switch value {
        case .array(let elements) where isShort && elements.count < 10: short(value)
        case .object(let object) where isShort && object.count < 10: short(value)
        default: value.shortDescription
        }
    }

    private static func short(_ value: JSONValue) -> String {
        let text = value.compactText
        return text.utf8.count <= 80 ? text : value.shortDescription
    }

    /// The first values of a set, always in the same order.
    private static func shown(_ values: Set<CanonicalValue>, _ isShort: Bool) -> String {
        let most = 5
        let texts = values.map { value in
            switch value.value {
            case .array, .object: described(value.value, isShort)
            default: value.value.compactText
            }
        }.sorted()
        let shown = texts.prefix(most).joined(separator: ", ")
        return texts.count > most ? "\(shown) and \(texts.count - most) more" : shown
    }

    private mutating func checkNumber(_ rule: SchemaRule, _ number: JSONNumber) -> Bool {
        guard spend(1 + number.text.utf8.count / 32) else { return false }
        let decimal = JSONDecimal(number)
        switch rule {
        case .minimum(let bound, let isExclusive):
            if isExclusive {
                return decimal > bound || fail("exclusiveMinimum", "more than \(bound)", found: "\(number.text)")
            }
            return decimal >= bound || fail("minimum", "\(bound) or more", found: "\(number.text)")
        case .maximum(let bound, let isExclusive):
            if isExclusive {
                return decimal < bound || fail("exclusiveMaximum", "less than \(bound)", found: "\(number.text)")
            }
            return decimal <= bound || fail("maximum", "\(bound) or less", found: "\(number.text)")
        case .multipleOf(let divisor):
            return decimal.isMultiple(of: divisor)
                || fail("multipleOf", "a multiple of \(divisor)", found: "\(number.text)")
        default: return true
        }
    }

    private mutating func checkText(_ rule: SchemaRule, _ text: String) -> Bool {
        guard spend(1 + text.utf8.count / 64) else { return false }
        switch rule {
        case .minLength(let count):
            // A code point takes at most four bytes, so most texts need no counting.
            return text.utf8.count / 4 >= count || text.unicodeScalars.count >= count
                || fail("minLength", "\(count) characters or more", found: "\(text.unicodeScalars.count)")
        case .maxLength(let count):
            return text.utf8.count <= count || text.unicodeScalars.count <= count
                || fail("maxLength", "\(count) characters or fewer", found: "\(text.unicodeScalars.count)")
        case .pattern(let pattern):
            return matches(pattern, text) || fail("pattern", "a text that matches `\(pattern.source)`")
        case .format(let format):
            return format.isValid(text)
                || fail("format", "a text of the format \(format.name)", found: text.debugDescription)
        case .content(let check):
            return check.accepts(text) || fail("contentEncoding", "content of the stated encoding and type")
        default: return true
        }
    }

    // MARK: - Combinations

    private mutating func checkAll(_ schemas: [Int], _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        var isValid = true
        for schema in schemas where !evaluate(schema, value, &marks) {
            guard collects else { return false }
            isValid = false
        }
        return isValid
    }

    mutating func checkAny(_ schemas: [Int], _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        if shared != nil, collects { return checkNearest(schemas, value, &marks, exactlyOne: false) }
        let errorsBefore = errors.count
        var isValid = false
        for schema in schemas where checkBranch(schema, value, &marks) {
            isValid = true
            // To collect marks, every matching branch must be evaluated.
            if marks == nil { break }
        }
        if isValid {
            forgetErrors(beyond: errorsBefore)
        } else if collects, errors.count == errorsBefore {
            return fail("anyOf", "a value that one of the schemas in `anyOf` admits")
        }
        return isValid
    }

    mutating func checkOne(_ schemas: [Int], _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        if shared != nil, collects { return checkNearest(schemas, value, &marks, exactlyOne: true) }
        let errorsBefore = errors.count
        var matching = 0
        for schema in schemas where checkBranch(schema, value, &marks) {
            matching += 1
            if matching > 1 { break }
        }
        if matching > 0 { forgetErrors(beyond: errorsBefore) }
        return matching == 1
            || fail(
                "oneOf", "a value that exactly one of the schemas in `oneOf` admits", found: "\(matching) or more")
    }

    /// Applies a schema. If it fails, it leaves no marks.
    mutating func checkBranch(_ schema: Int, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        guard marks != nil else { return evaluate(schema, value, &marks) }
        var own: Marks? = Marks()
        guard evaluate(schema, value, &own) else { return false }
        if let own { marks?.add(own) }
        return true
    }

    private mutating func checkTest(_ schema: Int, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        let collected = collects
        collects = false
        defer { collects = collected }
        return checkBranch(schema, value, &marks)
    }
}
