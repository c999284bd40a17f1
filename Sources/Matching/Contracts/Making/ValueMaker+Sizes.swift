import SDJSON
import SDOpenAPI
import SDPlatform

extension ValueMaker {
    /// The key of a size estimate.
    struct SizeKey: Hashable {
        var places: [DocumentSet.Place]
        /// The remaining levels of optional members.
        var levels: Int
        var items: Int
    }

    /// The approximate number of values in a value, capped.
    /// - Parameter items: the number of items per list.
    mutating func size(of list: [APISchema], levels: Int, items: Int) -> Int {
        let most = Self.maxRequired * 1_000
        // Most schemas are scalars, and need not be cached.
        if list.count == 1, list[0].holdsNothing { return 1 }
        let key = SizeKey(places: list.map(\.place), levels: max(levels, -2), items: items)
        if let known = sizes[key] { return known }
        // A recursive part counts once, and so does one deeper than anything generated.
        sizes[key] = 1
        guard sizeDepth < Self.deepest * 2 else { return 1 }
        sizeDepth += 1
        defer { sizeDepth -= 1 }
        let shape = self.shape(of: list)
        var size = 1
        if shape.fixed == nil, shape.contradiction == nil {
            for name in shape.describedNames where !budget.isSpent && (levels > 0 || shape.requires(name)) {
                guard let described = members(name, of: shape), size < most else { continue }
                size += self.size(of: described, levels: levels - 1, items: items)
            }
            if levels > 0, let described = shape.lists.compactMap(\.items).first, size < most {
                size += items * self.size(of: [described], levels: levels, items: items)
            }
            for choice in shape.choices where size < most {
                guard let branch = choice.branches.first else { continue }
                size += self.size(of: branch.schemas, levels: levels, items: items)
            }
        }
        sizes[key] = min(size, most)
        return min(size, most)
    }

    /// The measures to try for a schema, largest first, without those that certainly yield too much.
    mutating func measures(for schema: APISchema) -> [Measure] {
        let levels = wishes.optionalLevels
        let items = max(1, min(wishes.listLength?.upperBound ?? 2, Self.maxItems))
        var measures: [Measure] = []
        if size(of: [schema], levels: levels, items: items) <= largest {
            measures.append(Measure(optionalLevels: levels))
        }
        let short = size(of: [schema], levels: levels, items: 1)
        if short <= largest { measures.append(Measure(optionalLevels: levels, hasShortLists: true)) }
        if short <= largest * 2 {
            measures.append(Measure(optionalLevels: levels, hasShortLists: true, endsAtRepetition: true))
        }
        for fewer in stride(from: min(levels, 5) - 1, through: 0, by: -1)
        where fewer == 0 || size(of: [schema], levels: fewer, items: 1) <= largest {
            measures.append(Measure(optionalLevels: fewer, hasShortLists: true, endsAtRepetition: true))
        }
        if measures.isEmpty { measures.append(Measure(optionalLevels: 0)) }
        return measures
    }
}

extension APISchema {
    /// Keywords of schemas whose values contain others, or that refer to such schemas.
    private static let holders = [
        "$ref", "properties", "items", "additionalProperties", "allOf", "oneOf", "anyOf", "patternProperties",
        "prefixItems",
        "$dynamicRef", "$recursiveRef", "if", "not", "dependentSchemas", "contains", "required", "unevaluatedItems",
        "unevaluatedProperties", "dependencies", "contentSchema",
    ]

    /// Whether its values are certainly scalars.
    fileprivate var holdsNothing: Bool {
        guard let object = json.objectValue else { return true }
        return !object.keys.contains { Self.holders.contains($0) }
    }
}
