import JSON

/// The key of a route, `GET /users/{id}?page={any}`, taken apart.
struct RouteKey {
    var method: MethodPattern
    var url: URLPattern
    var query: [NamedMatcher]

    struct Failure: Error {
        var message: String
        var expected: String?
        var found: String?
        var suggestion: String?
    }

    static let expected = "METHOD /path, such as \"GET /users/{id}\""

    /// Whether a key is meant as a route: one or more words followed by a path or a regular expression, or a path alone.
    static func isLikely(_ key: String) -> Bool {
        guard let blank = key.utf8.firstIndex(where: Self.isBlank) else {
            return key.hasPrefix("/") || key.hasPrefix("~/")
        }
        let target = key[blank...].drop { $0 == " " || $0 == "\t" }
        return target.hasPrefix("/") || target.hasPrefix("~") || target.hasPrefix("*") || target.contains("://")
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    init(_ key: String) throws(Failure) {
        guard let blank = key.utf8.firstIndex(where: Self.isBlank) else {
            let isPath = key.hasPrefix("/") || key.hasPrefix("~/")
            throw Failure(
                message: isPath ? "a route without a method" : "unknown key \(quoted(key))", expected: Self.expected,
                suggestion: isPath ? "GET \(key)" : nil)
        }
        method = try Self.method(key[..<blank])
        let target = String(key[blank...]).trimmingBlanks
        if target.hasPrefix("~") {
            let pattern = String(target.dropFirst()).trimmingBlanks
            guard !pattern.isEmpty else {
                throw Failure(message: "an empty regular expression", expected: "METHOD ~regex of the path")
            }
            url = .urlPathPattern(pattern)
            query = []
            return
        }
        guard target.hasPrefix("/") else {
            throw Failure(
                message: "a path starts with /", expected: Self.expected, found: quoted(target),
                suggestion: Self.pathSuggestion(key[..<blank], target))
        }
        guard !target.contains("#") else {
            throw Failure(
                message: "a request never has a #fragment", expected: "a path without #", found: quoted(target))
        }
        let question = Self.queryStart(target)
        url = try Self.path(String(target[..<(question ?? target.endIndex)]))
        query =
            try question.map { (start) throws(Failure) in
                try Self.query(target[target.index(after: start)...])
            } ?? []
    }

    private static func pathSuggestion(_ method: Substring, _ target: String) -> String? {
        if let scheme = target.firstRange(of: "://") {
            let rest = target[scheme.upperBound...]
            return "\(method) \(rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/")"
        }
        return target.first?.isLetter == true ? "\(method) /\(target)" : nil
    }

    // MARK: Method

    private static func method(_ text: Substring) throws(Failure) -> MethodPattern {
        var names: [String] = []
        for part in text.split(separator: "|", omittingEmptySubsequences: false) {
            let name = String(part)
            guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
                throw Failure(
                    message: "not a method", expected: "a method such as GET, several as GET|HEAD, or ANY",
                    found: quoted(String(text)))
            }
            guard name == name.uppercased() else {
                throw Failure(
                    message: "methods are case-sensitive, and this one is not in upper case",
                    expected: "a method in upper case", found: quoted(name), suggestion: name.uppercased())
            }
            names.append(name)
        }
        if names.contains("ANY") { return .any }
        return names.count == 1 ? .exactly(names[0]) : .oneOf(names)
    }

    /// RFC 9110 section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`~".utf8.contains(byte)
        }
    }

    // MARK: Path

    /// The `?` that ends the path: one within a variable's braces does not.
    private static func queryStart(_ target: String) -> String.Index? {
        var isInVariable = false
        for index in target.indices {
            switch target[index] {
            case "{": isInVariable = true
            case "}": isInVariable = false
            case "?" where !isInVariable: return index
            default: break
            }
        }
        return nil
    }

    private static func path(_ path: String) throws(Failure) -> URLPattern {
        var names: Set<String> = []
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
            guard names.insert(String(name)).inserted else {
                throw Failure(message: "the variable {\(name)} stands twice", expected: "each name once")
            }
            rest = rest[rest.index(after: end)...]
        }
        guard hasWholeEscapes(path) else {
            throw Failure(
                message: "a broken % escape in the path, which no client may send",
                expected: "% and two hexadecimal digits; %25 for the sign itself", found: quoted(path))
        }
        let escaped = percentEscaping(path)
        return names.isEmpty && !path.contains("**") ? .urlPath(escaped) : .urlPathTemplate(escaped)
    }

    /// The names of a template's variables, as `pathParameters` has them: `**` counts from 0.
    static func variables(of template: String) -> [String] {
        var names: [String] = []
        var wildcards = 0
        var rest = template[...]
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "*" }) {
            if rest[start] == "{", let end = rest[start...].firstIndex(of: "}") {
                names.append(String(rest[rest.index(after: start)..<end].filter { !".;*".contains($0) }))
                rest = rest[rest.index(after: end)...]
            } else if rest[start...].hasPrefix("**") {
                names.append(String(wildcards))
                wildcards += 1
                rest = rest[start...].dropFirst(2)
            } else {
                rest = rest[start...].dropFirst()
            }
        }
        return names
    }

    private static func hasWholeEscapes(_ path: String) -> Bool {
        var rest = path.utf8[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[percent...].dropFirst()
            guard escapedByte(rest) != nil else { return false }
        }
        return true
    }

    /// As clients send a path: everything but ASCII, and blanks and quotes, as %XX. What is escaped already stays so.
    private static func percentEscaping(_ path: String) -> String {
        guard !path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"<>".utf8.contains($0) }) else { return path }
        var escaped = ""
        for byte in path.utf8 {
            if byte > 0x20, byte < 0x7F, !"\"<>".utf8.contains(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }

    // MARK: Query

    private static func query(_ text: Substring) throws(Failure) -> [NamedMatcher] {
        var names: [String] = []
        var matchers: [String: [JSONValue]] = [:]
        for part in text.split(separator: "&") {
            let equals = part.firstIndex(of: "=")
            let name = try decoded(part[..<(equals ?? part.endIndex)])
            guard !name.isEmpty else {
                throw Failure(
                    message: "a query parameter without a name", expected: "?name=value", found: quoted(String(part)))
            }
            let value = equals.map { part[part.index(after: $0)...] }
            let matcher: JSONValue
            if let value, !(value.hasPrefix("{") && value.hasSuffix("}")) {
                guard !value.contains(where: { "{}".contains($0) }) else {
                    throw Failure(
                        message: "a variable in the query is the whole value",
                        expected: "name={any}, or a matcher under \"when\"", found: quoted(String(part)))
                }
                matcher = ["equalTo": .string(try decoded(value))]
            } else {
                // Present, whatever its value.
                matcher = ["matches": ".*"]
            }
            if matchers[name] == nil { names.append(name) }
            matchers[name, default: []].append(matcher)
        }
        return names.map { name in
            let all = matchers[name] ?? []
            if all.count == 1, let object = all[0].objectValue, let key = object.keys.first,
                let single = ValueMatcher.Operator(rawValue: key)
            {
                return NamedMatcher(name, ValueMatcher(single, json: object))
            }
            return NamedMatcher(name, ValueMatcher(.includes, json: ["includes": .array(all)]))
        }
    }

    /// The byte that the two hexadecimal digits at the start of `text` name.
    private static func escapedByte(_ text: Substring.UTF8View) -> UInt8? {
        guard let digits = String(text.prefix(2)), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit) else {
            return nil
        }
        return UInt8(digits, radix: 16)
    }

    /// `+` is a blank and `%XX` a byte of UTF-8, as in the query of a request.
    private static func decoded(_ text: Substring) throws(Failure) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let value = escapedByte(rest)
                else {
                    throw Failure(
                        message: "a broken % escape in the query", expected: "% and two hexadecimal digits",
                        found: quoted(String(text)))
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

func quoted(_ text: String) -> String {
    JSONValue.string(text).compactText
}
