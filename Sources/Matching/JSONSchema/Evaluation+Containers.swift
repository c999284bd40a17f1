import SDJSON

extension Evaluation {
    mutating func checkElements(_ rule: SchemaRule, _ elements: [JSONValue], _ marks: inout Marks?) -> Bool {
        switch rule {
        case .minItems(let count):
            return elements.count >= count
                || fail("minItems", "\(count) elements or more", found: "\(elements.count)")
        case .maxItems(let count):
            return elements.count <= count
                || fail("maxItems", "\(count) elements or fewer", found: "\(elements.count)")
        case .uniqueItems: return checkUnique(elements)
        case .items(let prefix, let rest): return checkItems(prefix, rest, elements, &marks)
        case .contains(let schema, let minimum, let maximum, let leavesMarks):
            var found = 0
            for (place, element) in elements.enumerated() {
                var none: Marks?
                guard evaluateSilently(schema, element, &none) else { continue }
                found += 1
                if leavesMarks { marks?.add(place) }
            }
            guard abandoned == nil else { return false }
            if found < minimum {
                return fail("contains", "\(minimum) or more elements of a kind", found: "\(found)")
            }
            if let maximum, found > maximum {
                return fail("maxContains", "\(maximum) or fewer elements of a kind", found: "\(found)")
            }
            return true
        case .unevaluatedItems(let schema):
            var isValid = true
            guard spend(1 + elements.count / 4) else { return false }
            for (place, element) in elements.enumerated() where marks?.contains(place) != true {
                if evaluatePart(schema, element, String(place)) { continue }
                guard collects else { return false }
                isValid = false
            }
            marks?.addAll()
            return isValid
        default: return true
        }
    }

    private mutating func checkUnique(_ elements: [JSONValue]) -> Bool {
        guard elements.count > 1 else { return true }
        guard spend(onAllOf: .array(elements)) else { return false }
        var seen = Set<CanonicalValue>(minimumCapacity: elements.count)
        for (place, element) in elements.enumerated() where !seen.insert(CanonicalValue(element)).inserted {
            return fail("uniqueItems", "elements that differ", found: "element \(place) a second time")
        }
        return true
    }

    private mutating func checkItems(
        _ prefix: [Int], _ rest: Int?, _ elements: [JSONValue], _ marks: inout Marks?
    ) -> Bool {
        var isValid = true
        for (place, element) in elements.enumerated() {
            guard let schema = place < prefix.count ? prefix[place] : rest else { break }
            if evaluatePart(schema, element, String(place)) { continue }
            guard collects else { return false }
            isValid = false
        }
        if marks != nil {
            if rest != nil {
                marks?.addAll()
            } else {
                for place in 0..<min(prefix.count, elements.count) { marks?.add(place) }
            }
        }
        return isValid
    }

    mutating func checkMembers(_ rule: SchemaRule, _ object: JSONObject, _ marks: inout Marks?) -> Bool {
        switch rule {
        case .minProperties(let count):
            return object.count >= count
                || fail("minProperties", "\(count) properties or more", found: "\(object.count)")
        case .maxProperties(let count):
            return object.count <= count
                || fail("maxProperties", "\(count) properties or fewer", found: "\(object.count)")
        case .required(let names): return checkRequired(names, in: object, "required")
        case .members(let rules): return checkMembers(rules, object, &marks)
        case .propertyNames(let schema):
            var isValid = true
            for member in object.members where !evaluatePart(schema, .string(member.key), member.key) {
                guard collects else { return false }
                isValid = false
            }
            return isValid
        case .dependentRequired(let rules):
            guard spend(rules.count) else { return false }
            var isValid = true
            for rule in rules where object[rule.name] != nil {
                guard !checkRequired(rule.required, in: object, "dependentRequired") else { continue }
                guard collects else { return false }
                isValid = false
            }
            return isValid
        case .unevaluatedProperties(let schema):
            var isValid = true
            guard spend(1 + object.count / 4) else { return false }
            for (place, member) in object.members.enumerated() where marks?.contains(place) != true {
                if evaluateFurther(schema, member, nil) { continue }
                guard collects else { return false }
                isValid = false
            }
            marks?.addAll()
            return isValid
        default: return true
        }
    }

    mutating func checkRequired(_ names: [String], in object: JSONObject, _ keyword: String) -> Bool {
        guard spend(names.count) else { return false }
        var isValid = true
        for name in names where object[name] == nil {
            isValid = fail(keyword, "the property \(JSONValue.string(name).compactText)", found: "none")
            guard collects else { return false }
        }
        return isValid
    }

    private mutating func checkMembers(_ rules: MemberRules, _ object: JSONObject, _ marks: inout Marks?) -> Bool {
        guard spend(object.count * (1 + rules.patterns.count)) else { return false }
        var isValid = true
        for (place, member) in object.members.enumerated() {
            var isNamed = false
            if let schema = rules.named[PropertyName(member.key)] {
                isNamed = true
                if !evaluatePart(schema, member.value, member.key) { isValid = false }
            }
            for (pattern, schema) in rules.patterns where matches(pattern, member.key) {
                isNamed = true
                if !evaluatePart(schema, member.value, member.key) { isValid = false }
            }
            if !isNamed, let schema = rules.additional {
                isNamed = true
                if !evaluateFurther(schema, member, rules) { isValid = false }
            }
            if isNamed { marks?.add(place) }
            if !isValid, !collects { return false }
        }
        return isValid
    }
}
