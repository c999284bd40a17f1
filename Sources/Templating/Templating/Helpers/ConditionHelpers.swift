/// Helpers that compare.
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
            guard let order = call.parameter(0).order(to: call.parameter(1)) else {
                throw RenderError("'\(call.name)' cannot compare the values")
            }
            return try call.verdict(holds(order))
        }
    }
}

extension TemplateValue {
    /// Whether two values are the same: numbers by their values, everything else by kind and content.
    func isEqual(to other: TemplateValue) -> Bool {
        if let number, let otherNumber = other.number { return number == otherNumber }
        switch (self, other) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.text(let left), .text(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)): return left.moment == right.moment
        default: return hasElements(of: other) ?? hasMembers(of: other) ?? false
        }
    }

    // Not inlined, here and below: a single frame with the variables of all three would be large, and values nest
    // deeply.

    /// Whether two lists are the same; nil if one of them is none.
    @inline(never)
    private func hasElements(of other: TemplateValue) -> Bool? {
        guard let elements, let others = other.elements else { return nil }
        guard elements.count == others.count else { return false }
        for (index, element) in elements.enumerated() {
            guard element.isEqual(to: others[index]) else { return false }
        }
        return true
    }

    /// Whether two maps are the same; nil if one of them is none.
    @inline(never)
    private func hasMembers(of other: TemplateValue) -> Bool? {
        guard let members, let others = other.members else { return nil }
        guard members.count == others.count else { return false }
        let values = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
        for member in members {
            guard let value = values[member.key], value.isEqual(to: member.value) else { return false }
        }
        return true
    }

    /// The order of a value and another: below 0 if it comes first. Nil for values that do not compare.
    func order(to other: TemplateValue) -> Int? {
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
