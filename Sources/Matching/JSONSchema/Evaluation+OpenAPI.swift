import SDBasics
import SDJSON

/// Requirements of OpenAPI schemas beyond JSON Schema, and errors by the nearest of several schemas.
extension Evaluation {
    /// Whether `value` satisfies a rule of OpenAPI schemas.
    mutating func checkOpenAPI(_ rule: SchemaRule, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        switch rule {
        case .chosen(let choice): return checkChoice(choice, value, &marks)
        case .forbidden(let direction):
            // The root is not a property.
            guard direction == self.direction, depth > 1 else { return true }
            return fail(
                direction == .request ? "readOnly" : "writeOnly",
                message: direction == .request
                    ? "a read-only property is not sent in a request" : "a write-only property is not sent in an answer"
            )
        case .requiredByDirection(let names):
            guard case .object(let object) = value else { return true }
            return checkRequired(names.filter { $0.unless != direction }.map(\.name), in: object, "required")
        case .wholeNumber(let bits):
            guard case .number(let number) = value else { return true }
            return checkSize(number, bits)
        default: return true
        }
    }

    /// Whether a schema accepts nothing, so that the keyword above it is the better location. For shared schemas only.
    func refusesAll(_ number: Int) -> Bool {
        guard let shared else { return false }
        let rules = shared.node(number).node.rules
        if rules.count == 1, case .never = rules[0] { return true }
        return false
    }

    /// Applies the schema of undescribed properties.
    mutating func evaluateFurther(_ number: Int, _ member: JSONObject.Member, _ rules: MemberRules?) -> Bool {
        guard shared != nil, refusesAll(number) else { return evaluatePart(number, member.value, member.key) }
        guard collects, errors.count < errorLimit else { return false }
        let names = rules?.named.keys.map(\.text).sorted() ?? []
        return failUnknown(member.key, among: names, rules == nil ? "unevaluatedProperties" : "additionalProperties")
    }

    /// Records a property that is not allowed.
    mutating func failUnknown(_ name: String, among names: [String], _ keyword: String) -> Bool {
        path.append(name)
        defer { path.removeLast() }
        let shown = JSONValue.string(name).compactText
        let known = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " and \(names.count - 12) more" : "")
        let error = SchemaError(
            instance: JSONPointer(path), keyword: keyword,
            expected: names.isEmpty ? "no other property" : "only the properties \(known)",
            found: "the property \(shown)",
            message: "the property \(shown) is not allowed" + didYouMean(nearestName(to: name, among: names)))
        replaceErrors(beyond: errors.count, by: [error])
        return false
    }

    /// Whether a number fits into a signed integer.
    mutating func checkSize(_ number: JSONNumber, _ bits: Int) -> Bool {
        let decimal = JSONDecimal(number)
        // Other keywords decide whether a fraction is allowed.
        guard decimal.isInteger else { return true }
        let isValid = decimal.intValue.map { bits == 64 || Int32(exactly: $0) != nil } ?? false
        return isValid
            || fail("format", "a whole number of \(bits) bits", found: number.text.count > 60 ? "more" : number.text)
    }

    /// Applies the schema named by the value's discriminator.
    mutating func checkChoice(_ choice: SchemaChoice, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        guard choice.keyword != "discriminator" else { return checkHeir(choice, value, &marks) }
        guard case .object(let object) = value else { return checkAll(choice, value, &marks) }
        guard let tag = object[choice.property] else {
            guard choice.isComplete else { return checkAll(choice, value, &marks) }
            return fail(
                "discriminator", "the property \(JSONValue.string(choice.property).compactText)", found: "none")
        }
        let text =
            switch tag {
            case .string(let text): text
            case .null, .array, .object: ""
            default: tag.compactText
            }
        if let (_, schema) = choice.named.first(where: { $0.name == text }) {
            return checkBranch(schema, value, &marks)
        }
        guard choice.isComplete else { return checkAll(choice, value, &marks) }
        let names = choice.named.map(\.name)
        let shown = names.prefix(12).map { JSONValue.string($0).compactText }.joined(separator: ", ")
        path.append(choice.property)
        defer { path.removeLast() }
        return fail(
            "discriminator", "one of \(shown)" + (names.count > 12 ? " and \(names.count - 12) more" : ""),
            found: tag.shortDescription)
    }

    /// Applies the derived schema named by the value's discriminator, unless the value is already being checked against
    /// it.
    private mutating func checkHeir(_ choice: SchemaChoice, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        guard let tag = value[choice.property]?.stringValue,
            let (_, schema) = choice.named.first(where: { $0.name == tag }),
            !choice.named.contains(where: { isActive($0.schema) })
        else { return true }
        return checkBranch(schema, value, &marks)
    }

    private mutating func checkAll(_ choice: SchemaChoice, _ value: JSONValue, _ marks: inout Marks?) -> Bool {
        choice.keyword == "oneOf"
            ? checkOne(choice.schemas, value, &marks) : checkAny(choice.schemas, value, &marks)
    }

    /// `anyOf` and `oneOf`: if none matches, the errors of the nearest schema are reported.
    mutating func checkNearest(
        _ schemas: [Int], _ value: JSONValue, _ marks: inout Marks?, exactlyOne: Bool
    ) -> Bool {
        let errorsBefore = errors.count
        var matching: [Int] = []
        var nearest: (index: Int, errors: [SchemaError], rank: Int)?
        for (index, schema) in schemas.enumerated() {
            if checkBranch(schema, value, &marks) {
                matching.append(index)
                forgetErrors(beyond: errorsBefore)
                if exactlyOne ? matching.count > 1 : marks == nil { break }
                continue
            }
            let own = Array(errors[errorsBefore...])
            forgetErrors(beyond: errorsBefore)
            let rank = strangeness(own)
            if let nearest, (nearest.rank, nearest.errors.count) <= (rank, own.count) { continue }
            nearest = (index, own, rank)
        }
        if exactlyOne ? matching.count == 1 : !matching.isEmpty { return true }
        let keyword = exactlyOne ? "oneOf" : "anyOf"
        guard let nearest, matching.isEmpty else {
            let places = matching.map { String($0 + 1) }.joined(separator: " and ")
            return fail(
                keyword, "a value that exactly one of the \(schemas.count.of("schema")) in `oneOf` admits",
                found: "one that the schemas \(places) admit")
        }
        _ = fail(
            keyword,
            "a value that \(exactlyOne ? "exactly one" : "one") of the \(schemas.count.of("schema")) "
                + "in `\(keyword)` admits",
            found: "\(value.shortDescription), for which schema \(nearest.index + 1) is the nearest")
        let summary = errors.last
        let summaries = errors.count > errorsBefore ? [summary].compactMap { $0 } : []
        replaceErrors(beyond: errorsBefore, by: nearest.errors + summaries)
        return false
    }

    /// How unlikely it is that a schema with these errors was meant; highest if the value has another type.
    private func strangeness(_ own: [SchemaError]) -> Int {
        var rank = 0
        for error in own {
            let isHere = error.instance.tokens.count == path.count
            switch error.keyword {
            case "type" where isHere: return 3
            case "const", "enum":
                rank = max(rank, isHere || error.instance.tokens.count == path.count + 1 ? 2 : 0)
            case "required" where isHere, "discriminator" where isHere: rank = max(rank, 1)
            default: break
            }
        }
        return rank
    }
}
