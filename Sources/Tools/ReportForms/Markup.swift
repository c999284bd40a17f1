import SDBasics
import SDReports

/// Texts within XML and HTML.
public enum Markup {
    /// A text between tags, or the value of an attribute between double quotes. What XML cannot have, controls among it,
    /// is shown as its code.
    /// - Parameter keepingLines: whether lines stay lines, as in a `pre`.
    public static func text(_ text: String, keepingLines: Bool = false) -> String {
        var result = ""
        Printable.read(text) { scalar, meaning in
            switch scalar {
            case _ where meaning == .command: result += "&#\(scalar.value);"
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // A line of its own could be a command to whoever reads the log that the report is printed to.
            case "\n": result += keepingLines ? "\n" : "&#10;"
            case "\t": result += "&#9;"
            case _ where meaning == .hidden || isNoCharacter(scalar):
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
