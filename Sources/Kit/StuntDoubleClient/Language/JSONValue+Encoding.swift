package import SDJSON

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension JSONValue {
    /// Encodes a value.
    /// - Parameters:
    ///   - value: the value; JSON stays as it is.
    ///   - encoder: the encoder; nil for one that sorts the keys, so that the same value is always the same text.
    /// - Throws: the encoder's error in words.
    package init(encoding value: some Encodable, by encoder: JSONEncoder? = nil) throws(Stub.Problem) {
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
            throw Stub.Problem("cannot encode \(type(of: value)) as JSON: \(error)")
        }
    }
}

extension JSONValue {
    /// A value encoded as JSON. One that cannot be encoded is found by `encodingFailure`.
    static func encoding(_ value: some Encodable) -> JSONValue {
        do throws(Stub.Problem) {
            return try JSONValue(encoding: value)
        } catch {
            return .string(failureMark + error.description)
        }
    }

    /// A noncharacter of Unicode, which no text has, before the reason why a value could not be encoded.
    private static let failureMark = "\u{FFFF}"

    /// The reason why a value within this one could not be encoded; nil if all could.
    var encodingFailure: Stub.Problem? {
        switch self {
        case .string(let text): text.hasPrefix(Self.failureMark) ? Stub.Problem(String(text.dropFirst())) : nil
        case .array(let elements): elements.lazy.compactMap(\.encodingFailure).first
        case .object(let object): object.members.lazy.compactMap(\.value.encodingFailure).first
        default: nil
        }
    }
}
