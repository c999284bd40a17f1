import SDRegularExpressions

/// I-Regexp (RFC 9485), the regular expressions of RFC 9535's `match` and `search`.
enum InternetRegex {
    /// Compiles a pattern; nil if it is invalid, in which case nothing matches (RFC 9535, section 2.4.6).
    static func compile(_ pattern: String, wholeSubject: Bool) -> JavaRegex? {
        try? JavaRegex(translated(pattern), wholeSubject ? [] : .anywhere)
    }

    /// Rewrites a pattern by RFC 9485, section 5.4: outside of a class, `.` matches all but LF and CR.
    private static func translated(_ pattern: String) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        var isInClass = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "[" {
                isInClass = true
            } else if scalar == "]" {
                isInClass = false
            } else if scalar == ".", !isInClass {
                result.append(contentsOf: "[^\\n\\r]".unicodeScalars)
                continue
            }
            result.append(scalar)
        }
        return String(result)
    }
}
