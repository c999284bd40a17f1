public import SDJSON

extension Record {
    /// The value of a field, which may be nested in objects and lists: `author.name`, `tags[0]`. Nil if there is none.
    public func value(at path: String) -> JSONValue? { FieldPath(path).value(in: self) }
}

/// The name of a field of records, which may be nested in objects and lists: `author.name`, `tags[0]`, `tags.0`.
struct FieldPath: Sendable, Hashable {
    let text: String
    private let tokens: [String]

    init(_ text: String) {
        self.text = text
        var tokens: [String] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            tokens.append(String(pieces.first ?? ""))
            for piece in pieces.dropFirst() { tokens.append(String(piece.hasSuffix("]") ? piece.dropLast() : piece)) }
        }
        self.tokens = tokens
    }

    /// The number of budget steps for following the path.
    var cost: Int { 4 * tokens.count }

    /// The value of the field; nil if the record does not have it. A field named by the whole text takes precedence.
    func value(in record: Record) -> JSONValue? {
        if tokens.count == 1 { return record.value[text] }
        if let whole = record.value[text] { return whole }
        guard let first = tokens.first, var value = record.value[first] else { return nil }
        for token in tokens.dropFirst() {
            switch value {
            case .object(let object):
                guard let next = object[token] else { return nil }
                value = next
            case .array(let elements):
                guard let index = Int(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}
