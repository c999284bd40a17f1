/// Texts within XML and HTML.
enum Markup {
    /// A text between tags. What XML cannot have, controls among it, is shown as its code.
    static func text(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// The value of an attribute, to be put between double quotes.
    static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t":
                if isAttribute {
                    result += scalar == "\n" ? "&#10;" : "&#9;"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            case let scalar where Printable.isControl(scalar) || isNoCharacter(scalar):
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Code points that XML does not have, and that HTML calls an error.
    private static func isNoCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(scalar.value)
    }
}
