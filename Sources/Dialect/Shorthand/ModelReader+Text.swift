import SDJSON
import SDStubModel

extension ModelReader {
    /// Reads a text; numbers and booleans count as spelt.
    mutating func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): return text
        case .number(let number): return number.text
        case .bool(let value): return value ? "true" : "false"
        case .null, .array, .object:
            report(detail: nil, message: "wrong type", expected: "a text", found: value.shortDescription)
            return nil
        }
    }
}
