import SDJSON

/// A JSON value compared by JSON Schema's rules: numbers by value (`1` is `1.0`), strings by code points, objects
/// without order. Hashable, so that `enum` and `uniqueItems` need one lookup per value.
struct CanonicalValue: Hashable, Sendable {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    static func == (left: CanonicalValue, right: CanonicalValue) -> Bool {
        left.value.hasSameValue(as: right.value)
    }

    func hash(into hasher: inout Hasher) {
        Self.hash(value, into: &hasher)
    }

    private static func hash(_ value: JSONValue, into hasher: inout Hasher) {
        switch value {
        case .number(let number):
            hasher.combine(1)
            hasher.combine(JSONDecimal(number))
        case .array(let elements):
            hasher.combine(2)
            hasher.combine(elements.count)
            for element in elements { hash(element, into: &hasher) }
        case .object(let object):
            hasher.combine(3)
            hasher.combine(object.count)
            var sum = 0
            for member in object.members {
                var own = Hasher()
                own.combine(member.key)
                hash(member.value, into: &own)
                sum ^= own.finalize()
            }
            hasher.combine(sum)
        default:
            hasher.combine(value)
        }
    }
}

/// A property name that compares by code points.
struct PropertyName: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: PropertyName, right: PropertyName) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
    }
}
