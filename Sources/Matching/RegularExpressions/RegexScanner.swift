/// Splits a regular expression of `java.util.regex` into tokens.
///
/// The two dialects are similar, so most atoms are unchanged. Java's other spellings are rewritten; what Java rejects
/// is rejected here, because PCRE2 often gives it another meaning (`{id}` as plain text, `(?U)` as ungreedy).
struct RegexScanner {
    let pattern: String
    let scalars: [Unicode.Scalar]
    var position = 0
    private(set) var tokens: [RegexToken] = []
    /// Whether `(?U)` was seen, which extends `\w` and similar sets beyond ASCII.
    private(set) var usesUnicodeClasses = false

    /// Whether the flag `x` is on here, which skips white space and comments.
    private(set) var isExtended = false
    private var extendedOutside: [(offset: Int, isExtended: Bool)] = []
    private var openedGroups = 0
    private var groupNames: Set<String> = []

    init(_ pattern: String) {
        self.pattern = pattern
        scalars = Array(pattern.unicodeScalars)
    }

    mutating func scan() throws(RegexProblem) -> [RegexToken] {
        tokens.reserveCapacity(scalars.count)
        while let scalar = peek() {
            let start = position
            position += 1
            if scalar.isASCIIAlphanumeric {
                append(.literal(scalar), start)
                continue
            }
            switch scalar {
            case "\\": try scanEscape(from: start)
            case "[":
                let set = try scanClass(from: start, depth: 0)
                append(.atom(set.rendered), start)
            case "(": try scanGroup(from: start)
            case ")":
                guard let outside = extendedOutside.popLast() else {
                    throw problem(
                        "Unmatched `)`; write `\\)` for a parenthesis", at: start,
                        java: .init("Unmatched closing ')'", near: start - 1))
                }
                isExtended = outside.isExtended
                append(.close, start)
            case "|": append(.alternation, start)
            case ".": append(.atom("."), start)
            case "^", "$": append(.assertion(String(scalar)), start)
            case "*", "+", "?", "{": try scanQuantifier(scalar, from: start)
            case "#" where isExtended: skipComment()
            case _ where isExtended && scalar.isPatternWhitespace: continue
            default: append(.literal(scalar), start)
            }
        }
        if let open = extendedOutside.last {
            throw problem(
                "Unclosed group; write `\\(` for a parenthesis", at: open.offset,
                java: .init("Unclosed group", near: scalars.count))
        }
        return tokens
    }

    // MARK: - Reading

    func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        let index = position + ahead
        return index < scalars.count ? scalars[index] : nil
    }

    mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    func problem(_ reason: String, at offset: Int, java: JavaRegexComplaint? = nil) -> RegexProblem {
        RegexProblem(pattern: pattern, offset: offset, reason: reason, java: java)
    }

    mutating func append(_ kind: RegexToken.Kind, _ offset: Int) {
        tokens.append(RegexToken(kind: kind, offset: offset))
    }

    mutating func skipComment() {
        while let scalar = peek(), scalar != "\n", scalar != "\r" { position += 1 }
    }

    // MARK: - Groups

    private mutating func scanGroup(from start: Int) throws(RegexProblem) {
        if peek() == "*" {
            throw problem(
                "Dangling `*`; write `\\*` for an asterisk", at: position,
                java: .init("Dangling meta character '*'", near: position))
        }
        extendedOutside.append((start, isExtended))
        guard accept("?") else {
            openedGroups += 1
            return append(.open("("), start)
        }
        switch peek() {
        case ":", "=", "!", ">":
            append(.open("(?" + String(scalars[position])), start)
            position += 1
        case "<" where peek(1) == "=" || peek(1) == "!":
            append(.open("(?<" + String(scalars[position + 1])), start)
            position += 2
        case "<":
            position += 1
            let name = try scanGroupName()
            guard groupNames.insert(name).inserted else {
                throw problem(
                    "Duplicate group name `\(name)`", at: start,
                    java: .init("Named capturing group <\(name)> is already defined", near: position - 1))
            }
            openedGroups += 1
            append(.open("(?<\(name)>"), start)
        default:
            try scanFlags(from: start)
        }
    }

    /// Reads `name>`.
    /// - Throws: for an invalid name.
    private mutating func scanGroupName() throws(RegexProblem) -> String {
        let start = position
        while let scalar = peek(), scalar.isASCIIAlphanumeric { position += 1 }
        let name = scalars[start..<position]
        let reason = "A group's name is letters and digits, a letter first, ended by `>`"
        guard let first = name.first, first.isASCIILetter else {
            throw problem(
                reason, at: position,
                java: .init("capturing group name does not start with a Latin letter", near: start))
        }
        guard accept(">") else {
            throw problem(
                reason, at: position, java: .init("named capturing group is missing trailing '>'", near: position))
        }
        return name.reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    /// Reads the rest of `(?i-s)` or `(?i-s:`.
    /// - Throws: for an unknown flag.
    private mutating func scanFlags(from start: Int) throws(RegexProblem) {
        var turnsOn = true
        var on = ""
        var off = ""
        var extended = isExtended
        while let flag = peek(), flag != ")", flag != ":" {
            switch flag {
            case "-" where turnsOn: turnsOn = false
            case "i", "m", "s":
                if turnsOn { on.unicodeScalars.append(flag) } else { off.unicodeScalars.append(flag) }
            case "x": extended = turnsOn
            case "U": usesUnicodeClasses = usesUnicodeClasses || turnsOn
            case "u", "d": break
            default:
                throw problem(
                    "Unknown inline modifier; `(?` may be followed by `:`, `=`, `!`, `>`, `<` or flags", at: position,
                    java: .init("Unknown inline modifier", near: position))
            }
            position += 1
        }
        let text = off.isEmpty ? on : on + "-" + off
        if accept(":") {
            isExtended = extended
            // Opened like a group with flags, so that the literal prefix ends before it.
            append(.open("(?\(text):"), start)
        } else if accept(")") {
            extendedOutside.removeLast()
            isExtended = extended
            append(.flags(text.isEmpty ? "" : "(?\(text))", ignoresCase: on.contains("i")), start)
        } else {
            throw problem(
                "Unclosed group; write `\\(` for a parenthesis", at: start,
                java: .init("Unknown inline modifier", near: position))
        }
    }

    // MARK: - Quantifiers

    private mutating func scanQuantifier(_ scalar: Unicode.Scalar, from start: Int) throws(RegexProblem) {
        var text = String(scalar)
        var minimum = scalar == "+" ? 1 : 0
        if scalar == "{" { (text, minimum) = try scanCounts(from: start) }
        switch tokens.last?.kind {
        case .literal, .atom, .close, .assertion: break
        default:
            throw problem(
                "Dangling `\(scalar)`: nothing to repeat; write `\\\(scalar)` for the character", at: start,
                java: scalar == "{" ? nil : .init("Dangling meta character '\(scalar)'", near: start))
        }
        if accept("?") { text += "?" } else if accept("+") { text += "+" }
        append(.quantifier(text, minimum: minimum), start)
    }

    /// Reads the rest of `{2}`, `{2,}` or `{2,5}`.
    /// - Throws: for counts that Java rejects or PCRE2 cannot handle.
    private mutating func scanCounts(from start: Int) throws(RegexProblem) -> (String, Int) {
        guard let minimum = try scanNumber(from: start) else {
            throw problem(
                "Illegal repetition; write `\\{` for a brace, or use `urlPathTemplate` for path variables", at: start,
                java: .init("Illegal repetition", near: position))
        }
        var text = "{\(minimum)"
        if accept(",") {
            text += ","
            if let maximum = try scanNumber(from: start) {
                if maximum < minimum {
                    throw problem(
                        "Illegal repetition range", at: start, java: .init("Illegal repetition range", near: position))
                }
                text += "\(maximum)"
            }
        }
        guard accept("}") else {
            throw problem(
                "Unclosed repetition; expected `}`", at: position,
                java: .init("Unclosed counted closure", near: position))
        }
        return (text + "}", minimum)
    }

    /// Reads the digits of a repetition that started at `start`. Numbers that only Java allows are rejected later.
    /// - Throws: for a number beyond Java's `int`.
    private mutating func scanNumber(from start: Int) throws(RegexProblem) -> Int? {
        var number: Int?
        while let digit = peek(), digit.isASCIIDigit {
            let longer = (number ?? 0) * 10 + Int(digit.value - 48)
            guard longer <= Int32.max else {
                throw problem(
                    "Illegal repetition range", at: start, java: .init("Illegal repetition range", near: position))
            }
            number = longer
            position += 1
        }
        return number
    }

    // MARK: - Escapes

    private mutating func scanEscape(from start: Int) throws(RegexProblem) {
        switch try readEscape(from: start, inClass: false) {
        case .literal(let scalar): append(.literal(scalar), start)
        case .set(let item): append(.atom("[\(item)]"), start)
        case .atom(let text): append(.atom(text), start)
        case .assertion(let text): append(.assertion(text), start)
        case .quoted(let range):
            for index in range { append(.literal(scalars[index]), index) }
        case .backreference(let first): append(.atom(scanBackreference(first)), start)
        case .namedReference:
            let name = try scanGroupName()
            guard groupNames.contains(name) else {
                throw problem(
                    "No group `\(name)` before it", at: start,
                    java: .init("named capturing group <\(name)> does not exist", near: position - 1))
            }
            append(.atom("\\k<\(name)>"), start)
        }
    }

    /// Reads a backreference. Like Java, it takes further digits as long as that many groups have been opened. A
    /// reference to a group that does not exist never matches.
    private mutating func scanBackreference(_ first: Int) -> String {
        var number = first
        while let digit = peek(), digit.isASCIIDigit {
            let longer = number * 10 + Int(digit.value - 48)
            guard longer <= openedGroups else { break }
            number = longer
            position += 1
        }
        return number <= openedGroups ? "\\g{\(number)}" : "(?:(?!))"
    }
}
