import SDJSON
import SDOpenAPI
import SDPlatform

extension ValueMaker {
    /// The maximum number of items or members generated because a schema requires that many.
    static let maxItems = 10_000

    /// A list of a shape; nil if a required item cannot be generated.
    mutating func list(_ shape: Shape, _ spot: ValueLocation) -> JSONValue? {
        guard let count = length(shape, spot) else { return nil }
        var items: [JSONValue] = []
        var known: Set<String> = []
        var needed = shape.contained.flatMap { Array(repeating: $0.schema, count: min($0.least, Self.maxItems)) }
        let prefix = shape.lists.map(\.prefix.count).max() ?? 0
        while items.count < max(count, needed.isEmpty ? 0 : min(items.count + needed.count, shape.maxItems ?? .max)) {
            let index = items.count
            guard !budget.isSpent else { break }
            guard var described = schemas(ofItem: index, shape) else { break }
            // Contained items follow the items with fixed positions.
            if index >= prefix, !needed.isEmpty { described.append(needed.removeFirst()) }
            guard let item = item(described, spot, index, shape.isUnique, &known) else { break }
            items.append(item)
        }
        guard items.count >= shape.minItems else {
            note(
                "The schema asks for \(shape.minItems) items, of which only \(items.count) could be made",
                shape.sources.first?.place)
            return nil
        }
        return .array(items)
    }

    /// An item that differs from the previous ones, if possible.
    private mutating func item(
        _ described: [APISchema], _ spot: ValueLocation, _ index: Int, _ mustDiffer: Bool, _ known: inout Set<String>
    ) -> JSONValue? {
        let shape = self.shape(of: described)
        if let (reason, place) = shape.contradiction {
            note(reason, place)
            return nil
        }
        var first: JSONValue?
        let tries = mustDiffer ? 24 : 6
        for attempt in 0..<tries {
            var spot = spot.item(index).again(attempt)
            // Echoed values are equal in all items.
            if attempt > 0 { spot.mayEcho = false }
            guard let value = make(shape, spot) else { break }
            if known.insert(Self.key(value)).inserted { return value }
            first = first ?? value
            if credit <= 0 || budget.isSpent { break }
        }
        if let deeper = deeperItem(shape, first, spot.item(index)), known.insert(Self.key(deeper)).inserted {
            return deeper
        }
        return mustDiffer ? nil : first
    }

    /// An item with one more level, if the shallow one equals another; nil if that does not help.
    private mutating func deeperItem(_ shape: Shape, _ item: JSONValue?, _ spot: ValueLocation) -> JSONValue? {
        guard let item, item.objectValue != nil || item.arrayValue != nil, !measure.isDeeper, credit > 0,
            !budget.isSpent
        else { return nil }
        let usual = measure
        measure.optionalLevels += 1
        measure.isDeeper = true
        defer { measure = usual }
        var spot = spot
        spot.mayEcho = false
        return make(shape, spot)
    }

    /// A text that is equal for equal values. Generated numbers have a single form.
    private static func key(_ value: JSONValue) -> String {
        switch value {
        case .number(let number): JSONDecimal(number).description
        case .object(let object):
            object.members.sorted { $0.key < $1.key }.map { "\(JSONValue.string($0.key).compactText):\(key($0.value))" }
                .joined(separator: ",")
        case .array(let items): "[\(items.map(key).joined(separator: ","))]"
        default: value.compactText
        }
    }

    /// The number of items of a list; nil if it cannot have the required number.
    private mutating func length(_ shape: Shape, _ spot: ValueLocation) -> Int? {
        guard shape.minItems <= Self.maxItems else {
            note(
                "The schema asks for \(shape.minItems) items; the most that are made are \(Self.maxItems)",
                shape.sources.first?.place)
            return nil
        }
        let most = shape.maxItems ?? .max
        guard shape.minItems <= most else {
            note("The schema asks for \(shape.minItems) items and allows \(most)", shape.sources.first?.place)
            return nil
        }
        let prefix = shape.lists.map(\.prefix.count).max() ?? 0
        var count: Int
        if spot.depth > measure.optionalLevels || spot.depth == measure.optionalLevels && spot.nesting > 0 {
            count = 0
        } else if measure.hasShortLists, spot.isInList {
            count = min(1, wishes.listLength?.upperBound ?? 1)
        } else if let wished = wishes.listLength {
            let span = UInt64(max(wished.upperBound, wished.lowerBound) - wished.lowerBound) + 1
            count = wished.lowerBound + Int((spot.seed ^ (spot.seed >> 32)) % span)
        } else {
            count = 2
        }
        if shape.lists.isEmpty, shape.contained.isEmpty, shape.listedTypes.isEmpty { count = 0 }
        count = max(count, prefix)
        return min(max(count, shape.minItems), most, Self.maxItems)
    }

    /// The schemas of an item; nil if it is forbidden.
    private func schemas(ofItem index: Int, _ shape: Shape) -> [APISchema]? {
        var found: [APISchema] = []
        for part in shape.lists {
            guard let schema = index < part.prefix.count ? part.prefix[index] : part.items else { continue }
            if schema.json.boolValue == false { return nil }
            found.append(schema)
        }
        return found.isEmpty && shape.endsWithPrefix && shape.contained.isEmpty ? nil : found
    }
}
