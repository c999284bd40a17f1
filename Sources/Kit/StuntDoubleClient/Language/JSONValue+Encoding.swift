package import SDJSON

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension JSONValue {
    /// Encodes a value.
    /// - Parameters:
    ///   - value: the value; `JSONValue` is taken unchanged.
    ///   - encoder: the encoder; nil for one with sorted keys, so that equal values give equal texts.
    /// - Throws: `Stub.Problem` with the encoder's error.
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
    /// A value encoded as JSON. `encodingFailure` reports a value that cannot be encoded.
    static func encoding(_ value: some Encodable) -> JSONValue {
        do throws(Stub.Problem) {
            return try JSONValue(encoding: value)
        } catch {
            return .string(failureMark + error.description)
        }
    }

    /// A Unicode noncharacter, which no text contains: it marks the reason why a value could not be encoded.
    private static let failureMark = "\u{FFFF}"

    /// The reason why a value inside this one could not be encoded; nil if all could.
    var encodingFailure: Stub.Problem? {
        switch self {
        case .string(let text): text.hasPrefix(Self.failureMark) ? Stub.Problem(String(text.dropFirst())) : nil
        case .array(let elements): elements.lazy.compactMap(\.encodingFailure).first
        case .object(let object): object.members.lazy.compactMap(\.value.encodingFailure).first
        default: nil
        }
    }
}
