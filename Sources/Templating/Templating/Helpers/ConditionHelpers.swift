/// Comparison helpers.
enum ConditionHelpers {
    static let table: [String: Helper] = [
        "eq": comparison { $0.isEqual(to: $1) }, "neq": comparison { !$0.isEqual(to: $1) },
        "gt": order { $0 > 0 }, "gte": order { $0 >= 0 }, "lt": order { $0 < 0 }, "lte": order { $0 <= 0 },
        "and": { call throws(RenderError) in
            try call.verdict(call.subject.isTrue && call.parameters.dropFirst().allSatisfy(\.isTrue))
        },
        "or": { call throws(RenderError) in
            try call.verdict(call.subject.isTrue || call.parameters.dropFirst().contains(where: \.isTrue))
        },
        "not": { call throws(RenderError) in try call.verdict(!call.subject.isTrue) },
    ]

    private static func comparison(_ holds: @escaping @Sendable (TemplateValue, TemplateValue) -> Bool) -> Helper {
        { call throws(RenderError) in
            try call.verdict(holds(call.subject, call.parameter(1)))
        }
    }

    private static func order(_ holds: @escaping @Sendable (Int) -> Bool) -> Helper {
        { call throws(RenderError) in
            guard let order = call.parameter(0).ordering(to: call.parameter(1)) else {
                throw RenderError("'\(call.name)' cannot compare the values")
            }
            return try call.verdict(holds(order))
        }
    }
}

extension TemplateValue {
    // Not inlined, and neither are the functions that it calls: one frame with the variables of all would be large, and
    // values nest deeply.

    /// Whether two values are equal: numbers by value, everything else by type and content.
    @inline(never)
    func isEqual(to other: TemplateValue) -> Bool {
        if let same = isSameScalar(as: other) { return same }
        if let same = hasElements(of: other) { return same }
        return hasMembers(of: other)
    }

    /// Whether two scalar values are equal; nil if one of them may be a container.
    @inline(never)
    private func isSameScalar(as other: TemplateValue) -> Bool? {
        if let number, let otherNumber = other.number { return number == otherNumber }
        return switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)): left.moment == right.moment
        default: nil
        }
    }

    /// Whether two lists are equal; nil if one of them is not a list.
    @inline(never)
    private func hasElements(of other: TemplateValue) -> Bool? {
        guard let elements, let others = other.elements else { return nil }
        guard elements.count == others.count else { return false }
        for index in elements.indices where !elements[index].isEqual(to: others[index]) { return false }
        return true
    }

    /// Whether both are maps, and equal.
    @inline(never)
    private func hasMembers(of other: TemplateValue) -> Bool {
        guard let members, let others = other.table, members.count == others.count else { return false }
        for index in members.indices {
            guard let value = others[members[index].key], members[index].value.isEqual(to: value) else { return false }
        }
        return true
    }

    /// The members of a map by name; nil for another value.
    @inline(never)
    private var table: [String: TemplateValue]? {
        members.map { Dictionary($0.map { ($0.key, $0.value) }) { first, _ in first } }
    }

    /// The ordering of two values: negative if the first comes first. Nil for values without an order.
    func ordering(to other: TemplateValue) -> Int? {
        if let number, let otherNumber = other.number {
            return number < otherNumber ? -1 : number > otherNumber ? 1 : 0
        }
        switch (self, other) {
        case (.text(let left), .text(let right)):
            let (left, right) = (Array(left.utf16), Array(right.utf16))
            return left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
        case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.date(let left), .date(let right)):
            return left.moment < right.moment ? -1 : right.moment < left.moment ? 1 : 0
        default: return nil
        }
    }
}
