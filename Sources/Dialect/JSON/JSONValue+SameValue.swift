extension JSONValue {
    /// Whether two values are equal by JSON Schema and JSON Patch (RFC 6902, section 4.6): numbers by value, so that
    /// `1` equals `1.0`, strings by code points, members of objects in any order.
    public func hasSameValue(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let number), .number(let other)):
            number == other || JSONDecimal(number) == JSONDecimal(other)
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.hasSameValue(as: $1) }
        case (.object(let object), .object(let other)):
            object.count == other.count
                && object.members.allSatisfy { member in
                    other[member.key].map { member.value.hasSameValue(as: $0) } ?? false
                }
        default: self == other
        }
    }
}
