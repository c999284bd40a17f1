import SDJSON
import SDOpenAPI
import SDPlatform

extension ValueMaker {
    /// A value that is about to be estimated.
    struct SizeKey: Hashable {
        var places: [DocumentSet.Place]
        /// How many levels of members are left that need not be there.
        var levels: Int
        var items: Int
    }

    /// About how many values a value holds; no more than a large number.
    /// - Parameter items: how many items lists have.
    mutating func size(of list: [APISchema], levels: Int, items: Int) -> Int {
        let most = Self.mostRequired * 1_000
        // Most schemas hold nothing, and need not be remembered.
        if list.count == 1, list[0].holdsNothing { return 1 }
        let key = SizeKey(places: list.map(\.place), levels: max(levels, -2), items: items)
        if let known = sizes[key] { return known }
        // What is within itself counts once, and so does what is deeper than anything that is made.
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

    /// The measures that are tried for a schema, the largest first; those that would certainly become too large are
    /// not.
    mutating func measures(for schema: APISchema) -> [Measure] {
        let levels = wishes.optionalLevels
        let items = max(1, min(wishes.listLength?.upperBound ?? 2, Self.mostItems))
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
    /// The keywords of what holds values, or leads to what does.
    private static let holders = [
        "$ref", "properties", "items", "additionalProperties", "allOf", "oneOf", "anyOf", "patternProperties",
        "prefixItems",
        "$dynamicRef", "$recursiveRef", "if", "not", "dependentSchemas", "contains", "required", "unevaluatedItems",
        "unevaluatedProperties", "dependencies", "contentSchema",
    ]

    /// Whether its values are certainly single ones.
    fileprivate var holdsNothing: Bool {
        guard let object = json.objectValue else { return true }
        return !object.keys.contains { Self.holders.contains($0) }
    }
}
