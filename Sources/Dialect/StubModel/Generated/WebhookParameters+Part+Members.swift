// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

extension WebhookParameters {
    /// A part of the body.
    package struct Part: Sendable {
        /// The name of the part.
        package var name: String = ""
        /// The name of its file.
        package var fileName: String?
        /// Its content type.
        package var contentType: String?
        /// A text.
        package var text: String?
        /// Bytes in Base64.
        package var bytes: [UInt8]?
        /// Any value, sent as compact JSON.
        package var json: JSONValue?
        /// The path of a file below `__files`.
        package var file: String?

        init() {}
    }
}

extension WebhookParameters.Part {
    package static var names: [String] { DialectNames.webhookPart }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{\"name\": \"a\", \"body\": \"b\"}", "a part without a name") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["name"], in: object, "{\"name\": \"a\", \"body\": \"b\"}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.webhookPart) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: name = reader.string(value) ?? ""
        case 1: fileName = reader.string(value)
        case 2: contentType = reader.string(value)
        case 3: text = value.stringValue
        case 4: bytes = WebhookParameters.Body.readBytes(value, &reader)
        case 5: json = value.isNull ? nil : value
        case 6: file = value.stringValue
        default: break
        }
    }
}
