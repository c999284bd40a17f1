import SDJSON

/// Fingerprints of a document's values. They are equal for values that are equal regardless of the order of array
/// elements and object members and of the spelling of numbers. Seeded per process, so that documents with equal
/// fingerprints cannot be crafted.
struct JSONDigest: Sendable {
    let value: Int
    /// The fingerprints of an array's elements or an object's members, in the order of the document.
    let children: [JSONDigest]

    /// Computes the fingerprints. With `nullsEqualMissing`, null members are ignored.
    init(_ json: JSONValue, nullsEqualMissing: Bool) {
        switch json {
        case .array(let elements):
            children = elements.map { JSONDigest($0, nullsEqualMissing: nullsEqualMissing) }
            value = Self.array(children.lazy.map(\.value))
        case .object(let object):
            children = object.members.map { JSONDigest($0.value, nullsEqualMissing: nullsEqualMissing) }
            var sum = 0
            for (member, child) in zip(object.members, children) where !(nullsEqualMissing && member.value.isNull) {
                sum &+= Self.member(member.key, child.value)
            }
            value = Self.object(sum)
        default:
            children = []
            value = Self.scalar(json)
        }
    }

    static func scalar(_ json: JSONValue) -> Int {
        var hasher = Hasher()
        switch json {
        case .number(let number):
            hash(number, into: &hasher)
        case .string(let text):
            hasher.combine(2)
            hasher.combine(text)
        case .bool(let flag):
            hasher.combine(3)
            hasher.combine(flag)
        default: hasher.combine(4)
        }
        return hasher.finalize()
    }

    /// Hashes a number by its value. Whole numbers of few digits, the most common kind, need no parsing.
    private static func hash(_ number: JSONNumber, into hasher: inout Hasher) {
        if var value = smallWhole(number.text) {
            hasher.combine(value == 0 ? 0 : number.text.utf8.count)
            while value != 0, value % 10 == 0 { value /= 10 }
            return hasher.combine(value)
        }
        let decimal = JSONDecimal(number)
        guard decimal.digits.count <= smallDigits else { return hasher.combine(decimal) }
        let value = decimal.digits.reduce(0) { $0 * 10 + Int($1) }
        hasher.combine(decimal.exponent)
        hasher.combine(decimal.isNegative ? -value : value)
    }

    private static let smallDigits = 18

    private static func smallWhole(_ text: String) -> Int? {
        guard text.utf8.count <= smallDigits else { return nil }
        var value = 0
        for byte in text.utf8 {
            guard byte &- UInt8(ascii: "0") < 10 else { return nil }
            value = value * 10 + Int(byte &- UInt8(ascii: "0"))
        }
        return value
    }

    static func array(_ elements: some Sequence<Int>) -> Int {
        mixed(5, elements.reduce(0) { $0 &+ mixed(6, $1) })
    }

    /// The fingerprint of an object whose members' fingerprints add up to `sum`.
    static func object(_ sum: Int) -> Int {
        mixed(7, sum)
    }

    static func member(_ key: String, _ value: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(value)
        return hasher.finalize()
    }

    private static func mixed(_ kind: Int, _ value: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(value)
        return hasher.finalize()
    }
}
