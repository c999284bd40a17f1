import SDBasics
import SDReports

/// Escaping for XML and HTML.
public enum Markup {
    /// A text for element content or a double-quoted attribute. Characters that XML does not allow, such as controls,
    /// are shown as their codes.
    /// - Parameter keepingLines: whether to keep line breaks, as in `pre`.
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
            // A line of its own could be a workflow command in a CI job's log.
            case "\n": result += keepingLines ? "\n" : "&#10;"
            case "\t": result += "&#9;"
            case _ where meaning == .hidden || isNoCharacter(scalar):
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Code points that XML does not allow, and that are errors in HTML.
    private static func isNoCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(scalar.value)
    }
}
