import SDJSON

extension TemplateError {
    /// The error with the path of its string in a JSON document, and the position in that string.
    /// - Parameter bytes: the document in open form.
    func located(in document: JSONValue, _ bytes: [UInt8]) -> TemplateError {
        let before = bytes[..<min(offset, bytes.count)]
        // Quotes come in pairs, so the last of an odd number opens the string.
        let quotes = before.count { $0 == OpenJSON.quote }
        guard quotes % 2 == 1, let open = before.lastIndex(of: OpenJSON.quote) else { return self }
        let string = bytes[(open + 1)...].prefix { $0 != OpenJSON.quote }
        var error = TemplateError(message, at: offset - open - 1, in: Array(string))
        var rest = quotes / 2
        error.path = Self.path(of: &rest, in: document) ?? []
        return error
    }

    /// The path of a string, or of the member that it names.
    /// - Parameter place: the number of strings before it in document order; decremented for each one passed.
    private static func path(of place: inout Int, in value: JSONValue) -> [String]? {
        switch value {
        case .string:
            place -= 1
            return place < 0 ? [] : nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let rest = path(of: &place, in: element) { return [String(index)] + rest }
            }
        case .object(let object):
            for member in object.members {
                place -= 1
                if place < 0 { return [member.key] }
                if let rest = path(of: &place, in: member.value) { return [member.key] + rest }
            }
        case .null, .bool, .number: break
        }
        return nil
    }
}
