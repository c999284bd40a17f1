import SDJSON

extension JSONValue {
    /// The value on one line of a routes file; strings are unquoted where that has the same meaning.
    var inRoutes: String {
        switch self {
        case .string(let text):
            let isPlain =
                !text.isEmpty
                && text.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || "/_-.".utf8.contains(byte)
                } && JSONNumber(text: text) == nil && !["true", "false", "null"].contains(text)
            return isPlain ? text : compactText
        case .array(let elements): return "[\(elements.map(\.inRoutes).joined(separator: ", "))]"
        case .object(let object):
            return
                "{\(object.members.map { "\(JSONValue.string($0.key).inRoutes): \($0.value.inRoutes)" }.joined(separator: ", "))}"
        default: return compactText
        }
    }
}
