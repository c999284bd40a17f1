import SDJSON

/// A recursive descent parser over the characters of an expression. Filters and literals are in extensions.
struct PathParser {
    let text: String
    let dialect: JSONPath.Dialect
    private(set) var scalars: [Unicode.Scalar]
    var index = 0
    /// The number of open filters, parentheses and calls.
    private var depth = 0
    /// Whether the position is inside a filter or arguments, where a bare name ends earlier.
    private var isNested: Bool { depth > 0 }
    private var memos = 0

    init(_ text: String, dialect: JSONPath.Dialect) {
        self.text = text
        self.dialect = dialect
        scalars = Array(text.unicodeScalars.prefix(JSONPath.maximumLength + 1))
    }

    /// Whether only RFC 9535 is allowed.
    var isStrict: Bool { dialect == .rfc9535 }

    var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    func next(after count: Int = 1) -> Unicode.Scalar? {
        index + count < scalars.count ? scalars[index + count] : nil
    }

    mutating func expression() throws(JSONPathProblem) -> PathQuery {
        guard scalars.count <= JSONPath.maximumLength else {
            throw problem(
                "at most \(JSONPath.maximumLength) characters", found: "more", at: JSONPath.maximumLength)
        }
        if !isStrict {
            while scalars.last == " " { scalars.removeLast() }
        }
        var query = PathQuery(origin: .root, segments: [])
        if consume("$") || (!isStrict && consume("@")) {
            try steps(of: &query)
        } else if !isStrict, current != nil, !isBlank(current) {
            // Without a root the text follows an implied `$.`.
            let descends = consume(".")
            try step(of: &query, descends: descends)
            if query.function == nil { try steps(of: &query) }
        } else {
            throw problem("`$`")
        }
        guard index == scalars.count else {
            throw problem(query.function == nil ? "`.`, `[` or the end" : "the end of the expression after a function")
        }
        return query
    }

    /// Reads a query that starts with `$` or `@` within a filter or arguments.
    /// - Throws: the first error and its position.
    mutating func nestedQuery() throws(JSONPathProblem) -> PathQuery {
        var query = PathQuery(origin: current == "$" ? .root : .current, segments: [])
        index += 1
        if query.origin == .root {
            query.memo = memos
            memos += 1
        }
        try steps(of: &query)
        return query
    }

    /// Reads all further steps. RFC 9535 allows spaces before each.
    /// - Throws: the first error and its position.
    private mutating func steps(of query: inout PathQuery) throws(JSONPathProblem) {
        while query.function == nil {
            let start = index
            skipBlanks()
            if current == "[" {
                query.segments.append(PathSegment(descends: false, selectors: try bracket()))
            } else if current == "." {
                index += 1
                try step(of: &query, descends: consume("."))
            } else {
                index = start
                return
            }
        }
    }

    /// Parses the part after one or two dots: a name, `*`, a bracket, or a call.
    /// - Throws: for anything else.
    private mutating func step(of query: inout PathQuery, descends: Bool) throws(JSONPathProblem) {
        switch current {
        case "*":
            index += 1
            query.segments.append(PathSegment(descends: descends, selectors: [.wildcard]))
        case "[" where descends || !isStrict:
            query.segments.append(PathSegment(descends: descends, selectors: try bracket()))
        case .some(let first) where isStrict ? isNameStart(first) : isBareNameCharacter(first) && !isQuote(first):
            let start = index
            while let scalar = current, isStrict ? isNamePart(scalar) : isBareNameCharacter(scalar) { index += 1 }
            var name = String.UnicodeScalarView()
            name.append(contentsOf: scalars[start..<index])
            if !isStrict, current == "(" {
                guard !descends else { throw problem("a name before the function", at: start) }
                query.function = PathFunction(name: String(name), arguments: try callArguments())
            } else {
                query.segments.append(PathSegment(descends: descends, selectors: [.name(String(name))]))
            }
        case .some(let first) where isQuote(first):
            throw problem("a name without quotes, or one in brackets: ['name']")
        default:
            throw problem(isStrict && !descends ? "a name or `*`" : "a name, `*` or `[`")
        }
    }

    private mutating func callArguments() throws(JSONPathProblem) -> [PathFunction.Argument] {
        try descend()
        defer { ascend() }
        index += 1
        skipBlanks()
        var arguments: [PathFunction.Argument] = []
        if consume(")") { return arguments }
        while true {
            skipBlanks()
            if current == "$" || current == "@" {
                arguments.append(.query(try nestedQuery()))
            } else if let literal = try literal() {
                arguments.append(.literal(literal))
            } else {
                throw problem("an argument: a path or a value")
            }
            skipBlanks()
            if consume(")") { return arguments }
            guard consume(",") else { throw problem("`,` or `)`") }
        }
    }

    /// Reads selectors in brackets, separated by commas (RFC 9535, section 2.5.1).
    /// - Throws: for a malformed selector or a missing bracket.
    private mutating func bracket() throws(JSONPathProblem) -> [PathSelector] {
        index += 1
        var selectors: [PathSelector] = []
        while true {
            skipBlanks()
            selectors.append(try selector())
            skipBlanks()
            if consume("]") { return selectors }
            guard consume(",") else { throw problem("`,` or `]`") }
        }
    }

    private mutating func selector() throws(JSONPathProblem) -> PathSelector {
        switch current {
        case "'", "\"": return .name(try quotedText())
        case "*":
            index += 1
            return .wildcard
        case "?":
            index += 1
            try descend()
            defer { ascend() }
            return .filter(try condition())
        case ":", "-": return try indexOrSlice()
        case .some(let scalar) where isDigit(scalar): return try indexOrSlice()
        default: throw problem("a name in quotes, a number, a slice, `*` or `?`")
        }
    }

    private mutating func indexOrSlice() throws(JSONPathProblem) -> PathSelector {
        let start = current == ":" ? nil : try integer()
        let end = index
        skipBlanks()
        guard consume(":") else {
            index = end
            return .index(start ?? 0)
        }
        var slice = PathSlice(start: start)
        slice.end = try sliceBound()
        if consume(":") { slice.step = try sliceBound() }
        return .slice(slice)
    }

    private mutating func sliceBound() throws(JSONPathProblem) -> Int? {
        skipBlanks()
        guard let scalar = current, scalar == "-" || isDigit(scalar) else { return nil }
        let value = try integer()
        skipBlanks()
        return value
    }

    /// Reads an integer (RFC 9535, section 2.1) that a double can hold exactly.
    /// - Throws: if there is none.
    private mutating func integer() throws(JSONPathProblem) -> Int {
        let start = index
        let isNegative = consume("-")
        let firstDigit = index
        var value = 0
        while let scalar = current, isDigit(scalar) {
            value = value * 10 + Int(scalar.value - 48)
            guard value < 1 << 53 else { throw problem("a number between -2^53 and 2^53", at: start) }
            index += 1
        }
        guard index > firstDigit else { throw problem("a digit") }
        if isStrict {
            guard scalars[firstDigit] != "0" || index == firstDigit + 1 else {
                throw problem("a number without leading zeros", at: start)
            }
            guard !isNegative || value != 0 else { throw problem("a number other than -0", at: start) }
        }
        return isNegative ? -value : value
    }

    mutating func descend() throws(JSONPathProblem) {
        guard depth < JSONPath.maximumDepth else {
            throw problem("at most \(JSONPath.maximumDepth) levels of nesting", found: "one more")
        }
        depth += 1
    }

    mutating func ascend() {
        depth -= 1
    }

    mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        index += 1
        return true
    }

    mutating func consume(word: String) -> Bool {
        guard scalars[index...].starts(with: word.unicodeScalars) else { return false }
        index += word.unicodeScalars.count
        return true
    }

    mutating func skipBlanks() {
        while isBlank(current) { index += 1 }
    }

    func isBlank(_ scalar: Unicode.Scalar?) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

    func isLowercaseLetter(_ scalar: Unicode.Scalar) -> Bool { scalar >= "a" && scalar <= "z" }

    private func isQuote(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\"" }

    /// Whether a name may start with the scalar: `name-first` in RFC 9535, section 2.5.1.
    private func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        isLowercaseLetter(scalar) || (scalar >= "A" && scalar <= "Z") || scalar == "_" || scalar.value >= 0x80
    }

    private func isNamePart(_ scalar: Unicode.Scalar) -> Bool { isNameStart(scalar) || isDigit(scalar) }

    /// Whether the scalar belongs to a bare name. Jayway accepts almost everything; in a filter the name ends where an
    /// operator may start.
    private func isBareNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "[", "]", "(", " ", "\t", "\n", "\r": false
        case "=", "<", ">", "!", "~", "&", "|", ")", ",": !isNested
        default: true
        }
    }

    func problem(_ expected: String, found: String? = nil, at offset: Int? = nil) -> JSONPathProblem {
        let offset = offset ?? index
        return JSONPathProblem(text: text, offset: offset, expected: expected, found: found ?? describe(at: offset))
    }

    /// The text at `offset`, described for a message.
    private func describe(at offset: Int) -> String {
        guard offset < scalars.count else { return scalars.isEmpty ? "an empty text" : "the end" }
        let scalar = scalars[offset]
        if isBlank(scalar) { return "white space" }
        if scalar.value < 0x20 || scalar.value == 0x7F { return "a control character" }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[offset...].prefix(24).prefix { isNamePart($0) })
        return word.isEmpty ? "`\(scalar)`" : "`\(String(word))`"
    }
}
