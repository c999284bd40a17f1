import SDBasics

/// Variables and wildcards in the syntax of other formats, which are literal here.
struct ForeignPathSyntax {
    private let whole: Substring
    private let segments: [Substring]
    private let isTemplate: Bool

    init(_ path: Substring, isTemplate: Bool) {
        whole = path
        segments = path.split(separator: "/", omittingEmptySubsequences: false)
        self.isTemplate = isTemplate
    }

    /// The first `:id`, and the path with all of them as `{id}`.
    var colon: (found: String, corrected: String)? {
        let found = segments.compactMap(Self.variable)
        guard let first = found.first else { return nil }
        let corrected = segments.map { Self.variable($0).map { "{\($0)}" } ?? String($0) }
        return (":" + first, corrected.joined(separator: "/"))
    }

    /// The variable in a segment that starts with a colon and a letter: `:id` or `:id?`.
    private static func variable(_ segment: Substring) -> String? {
        guard segment.first == ":", segment.dropFirst().first?.isLetter == true else { return nil }
        return String(segment.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    /// The first `*`, or `**` if it is not a wildcard, and the path with all of them in template syntax.
    var star: (found: String, corrected: String)? {
        var found: String?
        var variables = 0
        var corrected: [String] = []
        for (index, segment) in segments.enumerated() {
            guard segment.contains("*") else {
                corrected.append(String(segment))
                continue
            }
            let isLast = index == segments.count - 1
            corrected.append(mend(segment, isLast: isLast, &found, &variables))
        }
        // `*` alone is the target of `OPTIONS *`.
        guard let found, segments.count > 1 else { return nil }
        return (found, corrected.joined(separator: "/"))
    }

    private func mend(
        _ segment: Substring, isLast: Bool, _ found: inout String?, _ variables: inout Int
    ) -> String {
        var mended = ""
        var rest = segment
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                mended += rest[...end]
                rest = rest[rest.index(after: end)...]
            } else if rest.hasPrefix("**") {
                if !isTemplate { found = found ?? "**" }
                mended += "**"
                rest = rest.dropFirst(2)
            } else if first == "*" {
                found = found ?? "*"
                variables += 1
                mended += isLast && segment == "*" ? "**" : variables == 1 ? "{any}" : "{any\(variables)}"
                rest = rest.dropFirst()
            } else {
                mended.append(first)
                rest = rest.dropFirst()
            }
        }
        return mended
    }

    // MARK: - Variables and expressions

    /// The first variable in another format, and the path with all of them as `{id}`: `<id>`, `<int:id>` and `[id]`
    /// anywhere, `{id}` where braces are literal.
    var variable: (found: String, corrected: String)? {
        var found: String?
        let corrected = segments.map { segment -> String in
            guard let name = foreignVariable(segment) else { return String(segment) }
            found = found ?? name.written
            return "{\(name.name)}"
        }
        return found.map { ($0, corrected.joined(separator: "/")) }
    }

    private func foreignVariable(_ segment: Substring) -> (written: String, name: String)? {
        var inner: Substring
        // In a route's key they are escaped.
        if segment.hasPrefix("%3C"), segment.hasSuffix("%3E"), segment.count > 6 {
            inner = segment.dropFirst(3).dropLast(3)
        } else if let first = segment.first, let last = segment.last, segment.count > 2,
            (first == "<" && last == ">") || (first == "[" && last == "]")
                || (!isTemplate && first == "{" && last == "}")
        {
            inner = segment.dropFirst().dropLast()
        } else {
            return nil
        }
        let isSquare = segment.first == "["
        if isSquare, inner.hasPrefix("...") { inner = inner.dropFirst(3) }
        if segment.first == "{" {
            inner = inner.prefix { $0 != ":" }
        } else if let colon = inner.lastIndex(of: ":") {
            inner = inner[inner.index(after: colon)...]
        }
        guard inner.first?.isLetter == true, inner.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) })
        else { return nil }
        // `[a-z]` is a character class.
        if isSquare, inner.contains("-") { return nil }
        let isEscaped = segment.first == "%"
        let written = isEscaped ? "<\(segment.dropFirst(3).dropLast(3))>" : String(segment)
        return (written, String(inner))
    }

    /// The first variable of a template whose name contains a restriction, as in other formats: `{id:[0-9]+}`, and the
    /// path with all of them as `{id}`.
    var restrictedVariable: (found: String, corrected: String)? {
        guard isTemplate else { return nil }
        var found: String?
        var corrected = ""
        var rest = whole
        while let open = rest.firstIndex(of: "{"), let close = Self.end(of: rest[open...]) {
            let name = rest[rest.index(after: open)..<close]
            corrected += rest[..<open]
            let bare = name.prefix { !":([<\\|?=+".contains($0) }
            if bare.count < name.count, !bare.isEmpty {
                found = found ?? "{\(name)}"
                corrected += "{\(bare)}"
            } else {
                corrected += "{\(name)}"
            }
            rest = rest[rest.index(after: close)...]
        }
        return found.map { ($0, corrected + rest) }
    }

    /// The brace that closes the first one of a text, after any quantifier in between.
    private static func end(of text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return text.firstIndex(of: "}")
    }

    /// The first part of a literal path that only occurs in regular expressions: `(\d+)`, `[0-9]+`, `.*`.
    var expression: String? {
        let text = literal[...]
        if let place = text.firstIndex(of: "\\") ?? text.firstRange(ofText: ".*")?.lowerBound
            ?? text.firstRange(ofText: ".+")?.lowerBound ?? Self.classOfCharacters(in: text)
        {
            return Self.piece(of: text, at: place)
        }
        guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else { return nil }
        let group = text[open...close]
        let next = text[text.index(after: close)...].first
        let isExpression = group.contains("|") || group.hasPrefix("(?") || next.map { "+*?{".contains($0) } == true
        return isExpression ? String(group) : nil
    }

    /// The first character class, such as `[^/]` and `[0-9]`.
    private static func classOfCharacters(in text: Substring) -> Substring.Index? {
        var rest = text
        while let open = rest.firstIndex(of: "[") {
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "]") else { return nil }
            let inner = rest[..<close]
            if inner.first == "^" || (inner.count > 2 && inner.dropFirst().dropLast().contains("-")) { return open }
        }
        return nil
    }

    /// The group around an index, or else the segment around it.
    private static func piece(of text: Substring, at place: Substring.Index) -> String {
        if let open = text[..<place].lastIndex(of: "("), let close = text[place...].firstIndex(of: ")") {
            return String(text[open...close])
        }
        let start = text[..<place].lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let isClass = text[place] == "["
        let behind = isClass ? text[place...].firstIndex(of: "]") ?? place : place
        return String(text[start..<(text[behind...].firstIndex(of: "/") ?? text.endIndex)])
    }

    /// The path without the variables of a template, whose names are arbitrary.
    private var literal: String {
        guard isTemplate else { return String(whole) }
        var text = ""
        var rest = whole
        while let open = rest.firstIndex(of: "{"), let close = Self.end(of: rest[open...]) {
            text += rest[..<open]
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
