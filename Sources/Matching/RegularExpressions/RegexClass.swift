/// A character class with Java's nesting and intersections: `[a-z&&[^aeiou]]`, `[a-c[x-z]]`.
struct RegexClass {
    enum Item {
        /// Characters, ranges and sets, as in a PCRE2 class.
        case plain(String)
        case nested(RegexClass)
    }

    /// Whether `[^…]` negates the whole expression, intersections included.
    var isNegated = false
    /// The operands of `&&`, each a union; none is empty.
    var operands: [[Item]] = []

    /// The class for PCRE2, which has neither nesting nor intersection: lookaheads before a single character replace
    /// them.
    var rendered: String {
        if operands.count == 1, let plain = Self.plainText(operands[0]) {
            return isNegated ? "[^\(plain)]" : "[\(plain)]"
        }
        let unions = operands.map(Self.renderUnion)
        let intersection =
            unions.dropLast().map { "(?=\($0))" }.joined() + (unions.last ?? "(?!)")
        return isNegated ? "(?:(?!\(intersection))(?s:.))" : "(?:\(intersection))"
    }

    private static func plainText(_ items: [Item]) -> String? {
        var text = ""
        for item in items {
            guard case .plain(let part) = item else { return nil }
            text += part
        }
        return text
    }

    private static func renderUnion(_ items: [Item]) -> String {
        var plain = ""
        var alternatives: [String] = []
        for item in items {
            switch item {
            case .plain(let text): plain += text
            case .nested(let nested): alternatives.append(nested.rendered)
            }
        }
        if !plain.isEmpty { alternatives.append("[\(plain)]") }
        return alternatives.count == 1 ? alternatives[0] : "(?:\(alternatives.joined(separator: "|")))"
    }
}

extension RegexScanner {
    /// The maximum nesting of classes, more than in any hand-written one; the stack is limited.
    private static let deepestClass = 32

    /// Reads a class whose `[` at `start` has been read.
    /// - Throws: where Java rejects it, and beyond `deepestClass`.
    mutating func scanClass(from start: Int, depth: Int) throws(RegexProblem) -> RegexClass {
        guard depth < Self.deepestClass else { throw problem("Character classes nested too deeply", at: start) }
        var result = RegexClass()
        result.isNegated = accept("^")
        var items: [RegexClass.Item] = []
        while let scalar = peekInClass() {
            let offset = position
            if scalar == "]", !items.isEmpty || !result.operands.isEmpty {
                position += 1
                if !items.isEmpty { result.operands.append(items) }
                return result
            }
            if scalar == "[" {
                position += 1
                items.append(.nested(try scanClass(from: offset, depth: depth + 1)))
            } else if scalar == "&", peek(1) == "&" {
                while accept("&") {}
                if !items.isEmpty { result.operands.append(items) }
                items = []
            } else {
                try scanClassItem(into: &items)
            }
        }
        throw problem(
            "Unclosed character class; write `\\[` for a bracket", at: start,
            java: .init("Unclosed character class", near: scalars.count - 1))
    }

    /// The next scalar of a class. With the flag `x`, white space and comments are skipped.
    private mutating func peekInClass() -> Unicode.Scalar? {
        while isExtended, let scalar = peek() {
            if scalar == "#" { skipComment() } else if scalar.isPatternWhitespace { position += 1 } else { break }
        }
        return peek()
    }

    /// Reads one character, range or set.
    /// - Throws: where Java rejects it.
    private mutating func scanClassItem(into items: inout [RegexClass.Item]) throws(RegexProblem) {
        let offset = position
        let first: Unicode.Scalar
        switch try readClassAtom() {
        case .literal(let scalar): first = scalar
        case .set(let item): return items.append(.plain(item))
        case .quoted(let range):
            if range.isEmpty { return }
            return items.append(.plain(range.map { scalars[$0].escapedForPCRE2 }.joined()))
        default: throw problem("Not allowed in a character class", at: offset)
        }
        guard peekInClass() == "-", let end = peek(1), end != "]", end != "[" else {
            if peekInClass() == "-", peek(1) == nil { throw illegalRange(from: offset, near: position + 1) }
            return items.append(.plain(first.escapedForPCRE2))
        }
        position += 1
        guard case .literal(let last) = try readClassAtom(), first <= last else {
            throw illegalRange(from: offset, near: position - 1)
        }
        items.append(.plain(first.escapedForPCRE2 + "-" + last.escapedForPCRE2))
    }

    private func illegalRange(from offset: Int, near index: Int) -> RegexProblem {
        problem("Illegal character range", at: offset, java: .init("Illegal character range", near: index))
    }

    private mutating func readClassAtom() throws(RegexProblem) -> RegexEscape {
        let start = position
        guard let scalar = peekInClass() else {
            throw problem(
                "Unclosed character class", at: start,
                java: .init("Unclosed character class", near: scalars.count - 1))
        }
        position += 1
        return scalar == "\\" ? try readEscape(from: start, inClass: true) : .literal(scalar)
    }
}
