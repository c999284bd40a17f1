import SDJSON
import SDStubModel

extension ModelReader {
    /// Reads a string; numbers and booleans are taken literally.
    mutating func text(_ value: JSONValue) -> String? {
        switch value {
        case .string, .number, .bool: return string(value)
        case .null, .array, .object:
            wantsText(value)
            report(detail: nil, message: "wrong type", expected: "a text", found: value.shortDescription)
            return nil
        }
    }
}
