public import SDJSON

/// The operand of `count`: the number of values of a header or parameter. An addition to WireMock's matchers.
public struct ValueCount: Sendable, Hashable {
    /// The valid numbers; a missing header or parameter has 0 values.
    public var range: ClosedRange<Int>

    /// Reads `2`, `{"atLeast": 1, "atMost": 3}` or `{"exactly": 2}`; nil for anything else, which was reported when the
    /// matcher was read.
    public init?(_ operand: JSONValue) {
        var reader = ModelReader()
        guard let count = Self.read(operand, &reader) else { return nil }
        self = count
    }

    private init(range: ClosedRange<Int>) {
        self.range = range
    }

    package static let names = DialectNames.count

    static func read(_ operand: JSONValue, _ reader: inout ModelReader) -> ValueCount? {
        guard case .object(let object) = operand else {
            return number(operand, &reader).map { ValueCount(range: $0...$0) }
        }
        var bounds: [String: Int] = [:]
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: names) { bounds[member.key] = number(member.value, &$0) }
        }
        guard reader.problems.count == known else { return nil }
        let least = bounds["exactly"] ?? bounds["atLeast"] ?? 0
        let most = bounds["exactly"] ?? bounds["atMost"] ?? .max
        guard !object.isEmpty, bounds["exactly"] == nil || object.count == 1, least <= most else {
            reader.report(
                detail: nil, message: least <= most ? "not a count" : "the bounds are reversed",
                expected: "a number, {\"exactly\": 2}, or {\"atLeast\": 1, \"atMost\": 3} with either or both",
                found: operand.compactText)
            return nil
        }
        return ValueCount(range: least...most)
    }

    private static func number(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let number = value.intValue, number >= 0 { return number }
        reader.report(
            detail: nil, message: "not a count", expected: "an integer of at least 0", found: value.shortDescription)
        return nil
    }
}
