// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

extension WebhookParameters {
    /// A header that signs the body.
    package struct Signature: Sendable {
        /// The key of the signature.
        package var secret: String = ""
        /// The hash; by default sha256.
        package var algorithm: String = "sha256"
        /// The name of the header; by default X-Signature.
        package var header: String = "X-Signature"
        /// The encoding of the signature; by default hex.
        package var isBase64: Bool = false
        /// A prefix for the signature, such as sha256=.
        package var prefix: String = ""

        init() {}
    }
}

extension WebhookParameters.Signature {
    package static var names: [String] { DialectNames.hmac }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{\"secret\": …, \"header\": …}", "a signature without a secret") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["secret"], in: object, "{\"secret\": …, \"header\": …}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.hmac) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: secret = reader.string(value) ?? ""
        case 1: algorithm = Self.readAlgorithm(value, &reader) ?? "sha256"
        case 2: header = reader.string(value) ?? "X-Signature"
        case 3: isBase64 = Self.readFormat(value, &reader) ?? false
        case 4: prefix = reader.string(value) ?? ""
        default: break
        }
    }
}
