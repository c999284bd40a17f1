/// A content type, or a range of types, from a document or an `Accept` header.
struct MediaRange: Hashable {
    /// In lower case; `*` for any.
    var type: String
    /// In lower case; `*` for any.
    var subtype: String
    /// The parameters in order, without the weight; names in lower case.
    var parameters: [Parameter] = []
    /// The weight, in thousandths.
    var weight = 1_000

    struct Parameter: Hashable {
        var name: String
        var value: String
    }

    /// Parses a range; nil if the text is invalid.
    init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed }
        let names = (parts.first ?? "").lowercased().split(separator: "/", omittingEmptySubsequences: false)
        switch names.count {
        // Java's clients send a lone star.
        case 1 where names[0] == "*": (type, subtype) = ("*", "*")
        case 2 where !names[0].isEmpty && !names[1].isEmpty: (type, subtype) = (String(names[0]), String(names[1]))
        default: return nil
        }
        for part in parts.dropFirst() {
            guard let mark = part.firstIndex(of: "=") else { continue }
            let name = part[..<mark].trimmed.lowercased()
            let value = part[part.index(after: mark)...].trimmed.unquoted
            if name == "q" {
                weight = Self.weight(value)
                break
            }
            parameters.append(Parameter(name: name, value: value))
        }
    }

    /// The ranges of an `Accept` header.
    static func list(_ header: String) -> [MediaRange] {
        header.split(separator: ",").prefix(64).compactMap { MediaRange($0) }
    }

    private static func weight(_ text: String) -> Int {
        guard let value = Double(text), value.isFinite else { return 1_000 }
        return Int((min(max(value, 0), 1) * 1_000).rounded())
    }

    /// Whether it is a single type instead of a range.
    var isConcrete: Bool { type != "*" && subtype != "*" && !subtype.hasPrefix("*+") }

    /// How specific it is; 0 for `*/*`.
    var precision: Int {
        (type == "*" ? 0 : subtype == "*" ? 1 : subtype.hasPrefix("*+") ? 2 : 3) + (type == "*" ? 0 : parameters.count)
    }

    /// Whether it has any type in common with another type or range.
    func meets(_ other: MediaRange) -> Bool {
        guard type == other.type || type == "*" || other.type == "*" else { return false }
        guard Self.meet(subtype, other.subtype) else { return false }
        // The charset is ignored: all generated content is UTF-8.
        return parameters.allSatisfy { wanted in
            guard wanted.name != "charset", other.isConcrete else { return true }
            guard let own = other.parameters.first(where: { $0.name == wanted.name }) else { return false }
            return own.value.lowercased() == wanted.value.lowercased()
        }
    }

    private static func meet(_ left: String, _ right: String) -> Bool {
        if left == right || left == "*" || right == "*" { return true }
        if left.hasPrefix("*+") { return right.hasSuffix(left.dropFirst()) }
        if right.hasPrefix("*+") { return left.hasSuffix(right.dropFirst()) }
        return false
    }
}

extension StringProtocol {
    /// The text without surrounding spaces and tabs.
    var trimmed: String {
        var rest = Substring(self)
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }

    /// The content of a quoted string.
    fileprivate var unquoted: String {
        guard count >= 2, first == "\"", last == "\"" else { return String(self) }
        return String(dropFirst().dropLast())
    }
}
