public import SDJSON

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
            throw StubProblem("cannot encode \(type(of: value)) as JSON: \(error)")
        }
    }
}

extension JSONValue {
    /// A value within a literal, encoded as JSON: `["id": .encoding(order.id), "name": "x"]`.
    ///
    /// A value that cannot be encoded is an error when the stub is added.
    public static func encoding(_ value: some Encodable) -> JSONValue {
        do throws(StubProblem) {
            return try JSONValue(encoding: value)
        } catch {
            return .string(failureMark + error.description)
        }
    }

    /// A noncharacter of Unicode, which no text has, before the reason why a value could not be encoded.
    private static let failureMark = "\u{FFFF}"

    /// The reason why a value within this one could not be encoded; nil if all could.
    var encodingFailure: StubProblem? {
        switch self {
        case .string(let text): text.hasPrefix(Self.failureMark) ? StubProblem(String(text.dropFirst())) : nil
        case .array(let elements): elements.lazy.compactMap(\.encodingFailure).first
        case .object(let object): object.members.lazy.compactMap(\.value.encodingFailure).first
        default: nil
        }
    }
}
