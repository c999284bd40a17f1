/// Rewrites the parts of ECMA-262 patterns that Java lacks. Where both accept an expression with different meanings,
/// Java's counts, as in WireMock.
enum ECMAPattern {
    /// The pattern with long property names (`\p{Letter}`, `\p{gc=Lu}`) and `\u{1F432}` in Java's spelling.
    static func javaSpelling(of pattern: String) -> String {
        guard pattern.utf8.contains(UInt8(ascii: "\\")) else { return pattern }
        var result = ""
        var rest = pattern.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            result.unicodeScalars.append(scalar)
            guard scalar == "\\", let letter = rest.popFirst() else { continue }
            guard letter == "p" || letter == "P" || letter == "u", rest.first == "{",
                let end = rest.firstIndex(of: "}")
            else {
                result.unicodeScalars.append(letter)
                continue
            }
            let name = String(String.UnicodeScalarView(rest[rest.index(after: rest.startIndex)..<end]))
            rest = rest[rest.index(after: end)...]
            result += letter == "u" ? "x{\(name)}" : "\(letter){\(property(name))}"
        }
        return result
    }

    private static func property(_ name: String) -> String {
        var plain = name
        for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) {
            plain = String(name.dropFirst(prefix.count))
        }
        if let short = categories[plain] { return short }
        return plain == name ? binaryProperties[name] ?? name : plain
    }

    /// Unicode's general categories by their long names.
    private static let categories = [
        "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn",
        "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
        "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
        "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
        "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm",
        "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
        "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc",
        "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
    ]

    /// Unicode's properties that have another name in Java.
    private static let binaryProperties = [
        "Alphabetic": "IsAlphabetic", "Alpha": "IsAlphabetic", "Lowercase": "IsLowercase", "Uppercase": "IsUppercase",
        "White_Space": "IsWhite_Space", "Ideographic": "IsIdeographic",
    ]
}
