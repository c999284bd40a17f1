public import JSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension JSONValue {
    /// Encodes a value.
    /// - Parameters:
    ///   - value: the value; JSON stays as it is.
    ///   - encoder: the encoder; nil for one that sorts the keys, so that the same value is always the same text.
    /// - Throws: the encoder's error in words.
    public init(encoding value: some Encodable, by encoder: JSONEncoder? = nil) throws(StubProblem) {
        if let value = value as? JSONValue {
            self = value
            return
        }
        let used: JSONEncoder
        if let encoder {
            used = encoder
        } else {
            used = JSONEncoder()
            used.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        }
        do {
            self = try JSONValue(parsing: String(decoding: try used.encode(value), as: UTF8.self))
        } catch {
            throw StubProblem("\(type(of: value)) cannot be encoded as JSON: \(error)")
        }
    }
}
