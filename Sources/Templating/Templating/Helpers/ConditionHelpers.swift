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
        default: break
        }
        if let elements, let others = other.elements {
            return elements.count == others.count && zip(elements, others).allSatisfy { $0.isEqual(to: $1) }
        }
        if let members, let others = other.members {
            guard members.count == others.count else { return false }
            let values = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
            return members.allSatisfy { values[$0.key]?.isEqual(to: $0.value) ?? false }
        }
        return false
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
