import SDBasics
import SDStubModel

/// The path in a route key: variables, wire format and base path.
package enum RoutePath {
    /// The URL pattern for a path in a key.
    /// - Throws: an error for an invalid path.
    static func pattern(_ path: String) throws(RouteKey.Failure) -> URLPattern {
        let (text, hasVariables) = try spelling(path)
        return hasVariables || text.contains(text: "**") ? .urlPathTemplate(text) : .urlPath(text)
    }

    /// The path in wire format, except for the names of its variables.
    /// - Throws: an error for an invalid path.
    package static func spelling(_ path: String) throws(RouteKey.Failure) -> (text: String, hasVariables: Bool) {
        typealias Failure = RouteKey.Failure
        var names: Set<String> = []
        var text = ""
        var rest = path[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
                throw Failure(message: "unbalanced braces", expected: "{name} for one segment", found: quoted(path))
            }
            let name = rest[rest.index(after: brace)..<end]
            guard !name.isEmpty, !name.contains(where: { "{/?".contains($0) }) else {
                throw Failure(
                    message: "not a variable", expected: "{name}, without / ? and braces in the name",
                    found: quoted("{\(name)}"))
            }
            let bare = name.prefix { !":([<\\|=+".contains($0) }
            guard bare.count == name.count else {
                throw Failure(
                    message: "a variable has no expression: all of it is the name",
                    expected: "{name}, and its matcher under \"when\": {path: {name: {matches: '[0-9]+'}}}",
                    found: quoted("{\(name)}"), suggestion: bare.isEmpty ? nil : "{\(bare)}")
            }
            guard names.insert(String(name)).inserted else {
                throw Failure(message: "duplicate variable {\(name)}", expected: "each name once")
            }
            text += try onTheWire(String(rest[..<brace])) + rest[brace...end]
            rest = rest[rest.index(after: end)...]
        }
        return (text + (try onTheWire(String(rest))), !names.isEmpty)
    }

    /// The path in wire format: non-ASCII characters, spaces and quotes as %XX. Existing escapes stay.
    /// - Throws: an error for an invalid escape.
    package static func onTheWire(_ text: String) throws(RouteKey.Failure) -> String {
        guard hasWholeEscapes(text) else {
            throw RouteKey.Failure(
                message: "invalid % escape in the path, which no client may send",
                expected: "% and two hexadecimal digits; %25 for a literal %", found: quoted(text))
        }
        return URLEscaping.escaping(text) { byte in
            !(0x21...0x7E).contains(byte) || "\"<>".utf8.contains(byte)
        }
    }

    private static func hasWholeEscapes(_ path: String) -> Bool {
        var rest = path.utf8[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[percent...].dropFirst()
            guard escapedByte(rest) != nil else { return false }
        }
        return true
    }

    /// The byte of the two hexadecimal digits at the start of `text`.
    static func escapedByte(_ text: Substring.UTF8View) -> UInt8? {
        guard let digits = String(text.prefix(2)), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit) else {
            return nil
        }
        return UInt8(digits, radix: 16)
    }

    // MARK: Base paths

    /// A regular expression for paths that consist of `basePath` and a rest that matches `pattern`.
    static func expression(_ pattern: String, below basePath: String) -> String {
        if basePath.isEmpty { return pattern }
        let rest = withoutAnchors(pattern)
        // A `|` would also split the base path.
        return expression(for: basePath) + (rest.contains("|") ? "(?:\(rest))" : rest)
    }

    /// The pattern without the `^` at the start of each branch, which cannot match after a base path.
    private static func withoutAnchors(_ pattern: String) -> String {
        var text = ""
        var rest = pattern[...]
        var depth = 0
        var brackets = 0
        var isStart = true
        while let first = rest.first {
            if rest.hasPrefix("\\Q") {
                let end = rest.firstRange(ofText: "\\E")?.upperBound ?? rest.endIndex
                text += rest[..<end]
                rest = rest[end...]
                isStart = false
                continue
            }
            let length = first == "\\" ? 2 : 1
            switch first {
            case "[": brackets += 1
            case "]" where brackets > 0: brackets -= 1
            case "(" where brackets == 0: depth += 1
            case ")" where brackets == 0: depth -= 1
            default: break
            }
            if first != "^" || !isStart { text += rest.prefix(length) }
            isStart = first == "|" && depth == 0 && brackets == 0
            rest = rest.dropFirst(length)
        }
        return text
    }

    private static func expression(for path: String) -> String {
        var expression = ""
        var rest = path[...]
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                expression += "[^/]+"
                rest = rest[rest.index(after: end)...]
            } else if rest.hasPrefix("**") {
                expression += ".*"
                rest = rest.dropFirst(2)
            } else {
                if "\\^$.|?*+()[]{}".contains(first) { expression += "\\" }
                expression.append(first)
                rest = rest.dropFirst()
            }
        }
        return expression
    }
}
