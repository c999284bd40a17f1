import SDRegularExpressions

/// A placeholder such as `${json-unit.any-number}` in an expected document.
enum JSONPlaceholder: Sendable {
    /// Any value.
    case ignore
    /// Any value, or a missing member.
    case ignoreElement
    case anyString
    case anyNumber
    case anyBoolean
    /// Null, or a missing member.
    case missingOrNull
    /// A text that the expression matches as a whole.
    case regex(JavaRegex)
    /// A JsonUnit matcher that a program registers under a name. None can be registered here, so nothing matches.
    case namedMatcher

    /// Whether a member with this placeholder may be missing.
    var allowsMissing: Bool {
        switch self {
        case .ignoreElement, .missingOrNull: true
        default: false
        }
    }

    /// Parses a text as a placeholder; nil if it is plain text. `warning` is a warning about a text that only looks like
    /// a placeholder.
    ///
    /// JsonUnit treats `$` and `#` alike, except for `ignore-element`, which needs `$`. Only a whole text is a
    /// placeholder; `regex` and `matches` are followed by an expression and an argument.
    /// - Throws: if an expression does not compile.
    static func read(_ text: String) throws(RegexProblem) -> (placeholder: JSONPlaceholder?, warning: String?) {
        guard let sign = text.utf8.first, sign == UInt8(ascii: "$") || sign == UInt8(ascii: "#") else {
            return (nil, nil)
        }
        let opening = "{json-unit."
        let rest = text.dropFirst()
        guard rest.hasPrefix(opening), let end = rest.firstIndex(of: "}") else { return (nil, nil) }
        let name = rest[rest.index(rest.startIndex, offsetBy: opening.count)..<end]
        let argument = rest[rest.index(after: end)...]
        switch name {
        case "regex": return (.regex(try JavaRegex(String(argument), .dotStopsAtLineEnds)), nil)
        case _ where name.hasPrefix("matches:"):
            return (.namedMatcher, "no matcher can be registered as \"\(name.dropFirst(8))\": nothing matches")
        default: break
        }
        guard argument.isEmpty else {
            return (nil, "\(text) is a plain text: nothing may follow the \"}\" of \"\(name)\"")
        }
        switch name {
        case "ignore": return (.ignore, nil)
        case "any-string": return (.anyString, nil)
        case "any-number": return (.anyNumber, nil)
        case "any-boolean": return (.anyBoolean, nil)
        case "ignore-element", "missing-or-null":
            guard sign == UInt8(ascii: "$") else {
                return (nil, "\(text) is a plain text: \"\(name)\" must begin with \"$\"")
            }
            return (name == "ignore-element" ? .ignoreElement : .missingOrNull, nil)
        default:
            return (
                nil,
                "\(text) is a plain text: the placeholders are ignore, ignore-element, any-string, any-number, "
                    + "any-boolean, missing-or-null and regex"
            )
        }
    }
}
