import SDJSON
import SDJSONSchema
import SDOpenAPI
import SDPlatform
import SDRegularExpressions

extension ValueMaker {
    /// An object of a shape; nil if a required member cannot be generated.
    mutating func object(_ shape: Shape, _ spot: ValueLocation, _ style: Style) -> JSONValue? {
        // A dependent schema applies once its member exists.
        if let dependent = shape.dependentSchemas.first {
            var rest = shape
            rest.dependentSchemas.removeFirst()
            var whole = rest
            ShapeReader(schemas: schemas, scope: scope, budget: budget).add(dependent.schema, to: &whole)
            if whole.contradiction == nil, style != .least || shape.requires(dependent.name),
                let value = whole.choices.isEmpty ? object(whole, spot, style) : decide(whole, spot, style)
            {
                return value
            }
            rest.excludedNames.insert(dependent.name)
            return object(rest, spot, style)
        }
        var object = JSONObject()
        let dropped = style == .distinct ? namesOfOthers(shape) : []
        for name in shape.describedNames {
            guard !budget.isSpent else { return nil }
            let isRequired = shape.requires(name)
            if !isRequired {
                guard style != .least, spot.depth < measure.optionalLevels, !dropped.contains(name),
                    !shape.excludedNames.contains(name)
                else { continue }
            }
            switch member(name, of: shape, spot, isRequired: isRequired) {
            case .made(let value): object[name] = value
            case .leftOut: continue
            case .impossible:
                if isRequired { return nil }
            }
        }
        guard completeDependents(&object, shape, spot), trim(&object, shape), fill(&object, shape, spot) else {
            return nil
        }
        return .object(object)
    }

    private enum Member {
        case made(JSONValue)
        /// Only for the other direction.
        case leftOut
        case impossible
    }

    private mutating func member(_ name: String, of shape: Shape, _ spot: ValueLocation, isRequired: Bool) -> Member {
        guard allows(name, shape), let described = members(name, of: shape) else {
            if isRequired { note("The member `\(name)` is required and not allowed", shape.sources.first?.place) }
            return .impossible
        }
        let own = self.shape(of: described)
        // From 3.1 on these are annotations, so required members are included.
        if isRequest ? own.isReadOnly : own.isWriteOnly, !isRequired || !schemas.isOfToday { return .leftOut }
        if !isRequired, measure.endsAtRepetition, own.identities.contains(where: { around.contains($0) }) {
            return .impossible
        }
        let inner = spot.member(name, of: shape.name ?? (spot.name.isEmpty ? spot.owner : spot.name))
        if let mark = shape.marks[name] {
            let value = JSONValue.string(mark)
            if isValid(value, own) { return .made(value) }
        }
        // Failing to generate an optional member must not fail the object.
        let known = failure
        if let value = make(own, inner) { return .made(value) }
        if !isRequired { restore(known) }
        return .impossible
    }

    /// The schemas of a member; nil if one of them is false.
    mutating func members(_ name: String, of shape: Shape) -> [APISchema]? {
        var found: [APISchema] = []
        for part in shape.objects {
            var isListed = false
            if let schema = part.property(name) {
                found.append(schema)
                isListed = true
            }
            for pattern in part.patterns where !budget.isSpent && matches(name, pattern.pattern) {
                found.append(pattern.schema)
                isListed = true
            }
            if !isListed, let additional = part.additional { found.append(additional) }
        }
        return found.contains { $0.json.boolValue == false } ? nil : found
    }

    /// Whether a name satisfies the requirements on names.
    private func allows(_ name: String, _ shape: Shape) -> Bool {
        shape.nameSchemas.allSatisfy { isValid(.string(name), $0) }
    }

    /// The names required by excluded schemas and not by these.
    private mutating func namesOfOthers(_ shape: Shape) -> Set<String> {
        var names: Set<String> = []
        for other in shape.excluded {
            names.formUnion(self.shape(of: [other]).required.filter { !shape.requires($0) })
        }
        return names
    }

    /// Adds members that other members require, or removes those whose requirements cannot be satisfied.
    private mutating func completeDependents(_ object: inout JSONObject, _ shape: Shape, _ spot: ValueLocation) -> Bool
    {
        var isChanged = !shape.dependentNames.isEmpty
        while isChanged {
            isChanged = false
            for (name, needs) in shape.dependentNames where object[name] != nil {
                guard budget.spend(10 * needs.count, for: Self.work) else { return false }
                for need in needs where object[need] == nil {
                    isChanged = true
                    if case .made(let value) = member(need, of: shape, spot, isRequired: true) {
                        object[need] = value
                    } else if shape.requires(name) {
                        return false
                    } else {
                        object[name] = nil
                        break
                    }
                }
            }
        }
        return true
    }

    /// Removes members beyond the maximum.
    private func trim(_ object: inout JSONObject, _ shape: Shape) -> Bool {
        guard let most = shape.maxProperties else { return true }
        let needed = Set(shape.dependentNames.flatMap(\.needs))
        for name in object.keys.reversed()
        where object.count > most && !shape.requires(name) && !needed.contains(name) {
            object[name] = nil
        }
        return object.count <= most
    }

    // MARK: - Other members

    /// Adds undescribed members: two if nothing else is described, and as many as required.
    private mutating func fill(_ object: inout JSONObject, _ shape: Shape, _ spot: ValueLocation) -> Bool {
        let parts = shape.objects
        let isMap =
            parts.allSatisfy { $0.properties.isEmpty }
            && (parts.contains { $0.additional?.json.objectValue?.isEmpty == false }
                || parts.contains { !$0.patterns.isEmpty })
        let most = shape.maxProperties ?? .max
        let wanted =
            isMap && object.isEmpty && spot.depth < measure.optionalLevels ? (measure.hasShortLists ? 1 : 2) : 0
        let count = min(max(wanted, shape.minProperties), most)
        guard shape.minProperties <= Self.maxItems else {
            note(
                "The schema asks for \(shape.minProperties) members; the most that are made are \(Self.maxItems)",
                shape.sources.first?.place)
            return false
        }
        if object.isEmpty, count == 0, most > 0, spot.depth < measure.optionalLevels, shape.isFree {
            // An object without any description gets members, to show that it may have some.
            var shown = JSONObject()
            shown["key1"] = .string(NameTexts.word(for: spot))
            if isValid(.object(shown), shape) { object = shown }
            return true
        }
        var tries = 0
        while object.count < count, tries < count * 2 + 20, credit > 0, !budget.isSpent {
            defer { tries += 1 }
            guard let name = freeName(tries, shape, spot), object[name] == nil else { continue }
            if case .made(let value) = member(name, of: shape, spot, isRequired: false) { object[name] = value }
        }
        return object.count >= shape.minProperties
    }

    /// A name for an undescribed member.
    private mutating func freeName(_ index: Int, _ shape: Shape, _ spot: ValueLocation) -> String? {
        if !shape.nameSchemas.isEmpty {
            let own = self.shape(of: shape.nameSchemas)
            var inner = spot.member("key", of: spot.name)
            inner.turn = index
            if let name = make(own, inner)?.stringValue { return name }
        }
        let patterns = shape.objects.flatMap(\.patterns)
        if !patterns.isEmpty, let pattern = patterns[index % patterns.count].pattern as String? {
            var shape = Shape()
            shape.patterns = [pattern]
            if let name = text(of: shape, spot.again(index).member("key", of: spot.name)) { return name }
        }
        for part in shape.objects {
            guard let title = part.additional?.json["x-additionalPropertiesName"]?.stringValue else { continue }
            return index == 0 ? title : "\(title)\(index + 1)"
        }
        return "key\(index + 1)"
    }

    mutating func matches(_ text: String, _ pattern: String) -> Bool {
        if compiled[pattern] == nil { compiled[pattern] = .some(try? SchemaPattern(pattern)) }
        // An invalid pattern does not restrict generated values.
        guard let known = compiled[pattern], let expression = known else { return true }
        return expression.match(text, budget) == .match
    }
}
