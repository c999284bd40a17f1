import SDJSON
import SDOpenAPI
import SDPlatform

extension ValueMaker {
    /// Decides the alternatives of a shape one after another, and generates a value; nil if none works.
    mutating func decide(_ shape: Shape, _ spot: ValueLocation, _ style: Style) -> JSONValue? {
        guard attempts > 0, !budget.isSpent else { return nil }
        if let (reason, place) = shape.contradiction {
            note(reason, place)
            return nil
        }
        guard let choice = shape.choices.first else { return settle(shape, spot, style) }
        var rest = shape
        rest.choices.removeFirst()
        for branch in ordered(choice.branches, spot) {
            let excluded = choice.excluded(by: branch)
            guard budget.spend(50 + rest.objects.count + 10 * excluded.count, for: Self.work) else { return nil }
            var narrowed = rest
            let reader = ShapeReader(schemas: schemas, scope: scope, budget: budget)
            if let mark = branch.mark {
                if narrowed.marks[mark.name] == nil { narrowed.marks[mark.name] = mark.value }
                if excluded.isEmpty { narrowed.require(mark.name) }
            }
            for schema in branch.schemas { reader.add(schema, to: &narrowed) }
            narrowed.excluded += excluded
            if let value = decide(narrowed, spot, style) { return value }
            attempts -= 1
        }
        return nil
    }

    /// The alternatives in the order in which they are tried: list items start with different ones; below the optional
    /// levels, small ones come first.
    private func ordered(_ branches: [Shape.Branch], _ spot: ValueLocation) -> [Shape.Branch] {
        if spot.depth >= measure.optionalLevels || measure.endsAtRepetition {
            let sized = branches.enumerated().map { ($0.element, size: size(of: $0.element), place: $0.offset) }
            return sized.sorted { ($0.size, $0.place) < ($1.size, $1.place) }.map(\.0)
        }
        let nulls = branches.filter { $0.isNull }.count
        let others = branches.count - nulls
        guard spot.isInList, spot.turn > 0, others > 1 else { return branches }
        let first = spot.turn % others
        return Array(branches[first..<others] + branches[..<first] + branches[others...])
    }

    /// A rough size of an alternative: minimal for scalars, maximal for a schema that encloses the value.
    private func size(of branch: Shape.Branch) -> Int {
        var size = 0
        for schema in branch.schemas {
            let end = schemas.end(of: schema)
            let json = end.json
            if around.contains(end.place) { size += 1_000 }
            if json["allOf"] != nil || json["oneOf"] != nil || json["anyOf"] != nil { size += 20 }
            if json["items"] != nil || json["type"]?.stringValue == "array" { size += 5 }
            if json["properties"] != nil || json["type"]?.stringValue == "object" { size += 10 }
            size += (json["required"]?.arrayValue?.count ?? 0) * 2
        }
        return branch.isNull ? 500 : size
    }

    /// A value of a shape without open alternatives that satisfies no excluded schema.
    private mutating func settle(_ shape: Shape, _ spot: ValueLocation, _ style: Style) -> JSONValue? {
        if shape.excluded.isEmpty { return plain(shape, spot, style == .least ? .least : .whole) }
        if style == .other {
            for type in order(of: shape).dropFirst() {
                var narrowed = shape
                narrowed.types.formIntersection(type)
                if let value = plain(narrowed, spot, .whole), !shape.excluded.contains(where: { isValid(value, $0) }) {
                    return value
                }
                attempts -= 1
            }
            return nil
        }
        for attempt in 0..<(style == .lenient ? 1 : 4) {
            guard attempts > 0, let value = plain(shape, spot.again(attempt), style) else { return nil }
            let satisfied = shape.excluded.filter { isValid(value, $0) }
            if satisfied.isEmpty { return value }
            attempts -= 1
            if style == .lenient { return isValid(value, shape) ? value : nil }
            if style == .marked, let marked = marking(value, shape, spot, against: satisfied) { return marked }
            // Another attempt would yield the same members.
            if value.objectValue?.isEmpty == true { return nil }
        }
        return nil
    }

    /// Changes an object until it satisfies none of the excluded schemas: adds a member that violates them.
    private mutating func marking(
        _ value: JSONValue, _ shape: Shape, _ spot: ValueLocation, against excluded: [APISchema]
    ) -> JSONValue? {
        guard var object = value.objectValue else { return nil }
        for other in excluded {
            guard isValid(.object(object), other) else { continue }
            let described = self.shape(of: [other])
            guard let changed = changed(object, shape, spot, refusedBy: other, described) else { return nil }
            object = changed
        }
        let result = JSONValue.object(object)
        return shape.excluded.contains { isValid(result, $0) } ? nil : result
    }

    private mutating func changed(
        _ object: JSONObject, _ shape: Shape, _ spot: ValueLocation, refusedBy other: APISchema, _ described: Shape
    ) -> JSONObject? {
        for name in described.required where object[name] != nil && !shape.requires(name) {
            guard budget.spend(10 * object.count, for: Self.work) else { return nil }
            var candidate = object
            candidate[name] = nil
            if !isValid(.object(candidate), other) { return candidate }
        }
        let plainValues: [JSONValue] = ["text", 1, true, [:], [], 1.5]
        for name in described.describedNames {
            guard budget.spend(10 * object.count, for: Self.work) else { return nil }
            guard let own = members(name, of: shape) else { continue }
            let mine = self.shape(of: own)
            var candidates = plainValues
            for attempt in 1..<4 {
                if let made = make(mine, spot.again(attempt).member(name, of: shape.name ?? spot.owner)) {
                    candidates.append(made)
                }
            }
            for value in candidates where isValid(value, mine) {
                var candidate = object
                candidate[name] = value
                if !isValid(.object(candidate), other) { return candidate }
            }
        }
        return nil
    }
}
