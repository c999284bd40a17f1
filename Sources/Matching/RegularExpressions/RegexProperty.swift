extension RegexScanner {
    /// Reads the name after `\p` or `\P`: Java's POSIX classes, which are ASCII, its `java…` methods, Unicode
    /// categories, scripts and binary properties.
    /// - Throws: for a missing `}` and for an unknown or unsupported name.
    mutating func readProperty(negated: Bool, from start: Int) throws(RegexProblem) -> String {
        var name = ""
        if accept("{") {
            while let scalar = peek(), scalar != "}" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard accept("}") else {
                throw problem(
                    "Unclosed character family; expected `}`", at: start,
                    java: .init("Unclosed character family", near: scalars.count - (name.isEmpty ? 0 : 1)))
            }
        } else if let scalar = peek() {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard let item = Self.propertyItem(name, negated: negated) else {
            throw problem(
                "Unknown or unsupported character property `\(name)`", at: start,
                java: .init(Self.unknownProperty(name), near: name.isEmpty ? position : position - 1))
        }
        return item
    }

    private static let posixClasses: Set<String> = [
        "Lower", "Upper", "ASCII", "Alpha", "Digit", "Alnum", "Punct", "Graph", "Print", "Blank", "Cntrl", "XDigit",
        "Space",
    ]

    /// Java's names that PCRE2 spells differently, without a leading `Is`.
    private static let categories: [String: String] = [
        "javaLowerCase": "Ll", "javaUpperCase": "Lu", "javaTitleCase": "Lt", "javaLetter": "L", "javaDigit": "Nd",
        "javaAlphabetic": "Alphabetic", "javaIdeographic": "Ideographic", "letter": "L", "titlecase": "Lt",
        "punctuation": "P", "control": "Cc", "digit": "Nd", "LC": "L&", "all": "Any",
    ]

    private static let binaryProperties: Set<String> = [
        "alphabetic", "ideographic", "lowercase", "uppercase", "white_space", "hex_digit", "join_control",
        "noncharacter_code_point", "emoji",
    ]

    private static func propertyItem(_ name: String, negated: Bool) -> String? {
        let escape = negated ? "\\P" : "\\p"
        if posixClasses.contains(name) { return "[:\(negated ? "^" : "")\(name.lowercased()):]" }
        if let category = categories[name] { return "\(escape){\(category)}" }
        if name == "javaWhitespace" { return negated ? "\\S" : "\\s" }
        if let separator = name.firstIndex(of: "=") {
            let value = name[name.index(after: separator)...]
            guard isPlain(value) else { return nil }
            switch name[..<separator].lowercased() {
            case "gc", "general_category": return "\(escape){\(value)}"
            case "sc", "script": return "\(escape){sc:\(value)}"
            default: return nil
            }
        }
        guard isPlain(name[...]) else { return nil }
        if name.hasPrefix("Is") {
            let rest = name.dropFirst(2)
            let key = rest.lowercased()
            if let category = categories[key] { return "\(escape){\(category)}" }
            if binaryProperties.contains(key) || rest.utf8.count <= 2 { return "\(escape){\(rest)}" }
            return "\(escape){sc:\(rest)}"
        }
        return name.utf8.count <= 2 ? "\(escape){\(name)}" : nil
    }

    /// Java's message about the property at `start`, which PCRE2 does not know; nil if there is no property.
    func unknownProperty(at start: Int) -> JavaRegexComplaint? {
        let rest = scalars.dropFirst(start)
        guard let begin = rest.firstIndex(of: "{"), let end = rest.firstIndex(of: "}"), begin == start + 2 else {
            return nil
        }
        let name = scalars[(begin + 1)..<max(end, begin + 1)].reduce(into: "") { $0.unicodeScalars.append($1) }
        return JavaRegexComplaint(Self.unknownProperty(name), near: end)
    }

    /// Java's message for a property that it does not know.
    private static func unknownProperty(_ name: String) -> String {
        guard let separator = name.firstIndex(of: "=") else {
            return "Unknown character property name {\(name.isEmpty ? "\0" : name)}"
        }
        let value = name[name.index(after: separator)...]
        return "Unknown Unicode property {name=<\(name[..<separator].lowercased())>, value=<\(value)>}"
    }

    /// Whether the name has no characters with another meaning to PCRE2.
    private static func isPlain(_ name: Substring) -> Bool {
        !name.isEmpty && name.unicodeScalars.allSatisfy { $0.isASCIIAlphanumeric || $0 == "_" }
    }
}
