import SDJSON
import SDJSONSchema
import SDPlatform

/// Parses serialised values by their schemas' types.
struct ValueReading {
    let schemas: SchemaDocuments
    let direction: Contract.Direction
    let budget: WorkBudget

    /// The parsed value. Texts that fit no type stay texts.
    func value(of written: WrittenValue, _ shape: SchemaShape, depth: Int = 0) -> JSONValue {
        switch written {
        case .text(let text):
            if depth < 32, shape.isList, !shape.hasSimpleTypes { return .array([value(of: text, shape.element(0))]) }
            return value(of: text, shape)
        case .list(let elements):
            guard depth < 32 else { return .array([]) }
            let own = shape.isList || shape.parts.isEmpty
            let same = shape.element(0)
            let isUniform = !shape.parts.contains { $0.json["prefixItems"] != nil }
            return .array(
                elements.enumerated().map { index, element in
                    value(of: element, !own ? shape : isUniform ? same : shape.element(index), depth: depth + 1)
                })
        case .members(let members):
            guard depth < 32 else { return .object(JSONObject()) }
            return .object(
                JSONObject(members.map { ($0.name, value(of: $0.value, shape.member($0.name), depth: depth + 1)) }))
        }
    }

    /// The value of a text: the first reading that its schema accepts.
    func value(of text: WrittenText, _ shape: SchemaShape) -> JSONValue {
        guard budget.spend(20 + 10 * shape.parts.count, for: ContractCheck.work) else { return .string(text.text) }
        var readings = Self.readings(of: text.text, shape)
        if let other = text.other { readings += Self.readings(of: other, shape) }
        guard readings.count > 1 else { return readings[0] }
        return readings.first { reading in shape.parts.first.map { admits(reading, $0.place) } ?? true } ?? readings[0]
    }

    private func admits(_ value: JSONValue, _ place: SchemaDocuments.Place) -> Bool {
        schemas.validate(value, at: place, direction, budget)
    }

    /// The possible readings of a text, likeliest first.
    private static func readings(of text: String, _ shape: SchemaShape) -> [JSONValue] {
        let types = shape.types
        let isAnything = types.isEmpty
        var readings: [JSONValue] = []
        if isAnything { readings.append(.string(text)) }
        if isAnything || types.contains("number") || types.contains("integer"), let number = number(text) {
            readings.append(.number(number))
        }
        if isAnything || types.contains("boolean"), text == "true" || text == "false" {
            readings.append(.bool(text == "true"))
        }
        if types.contains("null"), text.isEmpty || text == "null" { readings.append(.null) }
        if !isAnything, types.contains("string") || readings.isEmpty { readings.append(.string(text)) }
        return readings
    }

    /// The number in a text; a sign and leading zeros are allowed.
    static func number(_ text: String) -> JSONNumber? {
        if let number = JSONNumber(text: text) { return number }
        guard text.utf8.count < 400 else { return nil }
        var digits = text[...]
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        guard let first = digits.utf8.first, first == UInt8(ascii: ".") || first &- UInt8(ascii: "0") < 10 else {
            return nil
        }
        digits = digits.drop { $0 == "0" }
        if digits.utf8.first.map({ $0 &- UInt8(ascii: "0") >= 10 }) ?? true { digits = "0" + digits }
        return JSONNumber(text: (isNegative ? "-" : "") + digits)
    }
}
