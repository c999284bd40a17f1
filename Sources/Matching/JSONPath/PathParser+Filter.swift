import SDJSON
import SDRegularExpressions

extension PathParser {
    /// Reads a logical expression of RFC 9535, section 2.3.5.1: `||` of `&&`.
    /// - Throws: the first error and its position.
    mutating func condition() throws(JSONPathProblem) -> FilterCondition {
        var conditions = [try conjunction()]
        while true {
            skipBlanks()
            guard consume(word: "||") else { break }
            conditions.append(try conjunction())
        }
        return conditions.count == 1 ? conditions[0] : .any(conditions)
    }

    private mutating func conjunction() throws(JSONPathProblem) -> FilterCondition {
        var conditions = [try basicCondition()]
        while true {
            skipBlanks()
            guard consume(word: "&&") else { break }
            conditions.append(try basicCondition())
        }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func basicCondition() throws(JSONPathProblem) -> FilterCondition {
        skipBlanks()
        if consume("!") {
            skipBlanks()
            if current == "(" { return .not(try parenthesised()) }
            if !isStrict, current == "!" {
                try descend()
                defer { ascend() }
                return .not(try basicCondition())
            }
            let start = index
            let operand = try operand()
            let tested = try test(operand, at: start)
            let end = index
            skipBlanks()
            if try comparisonOperator() != nil {
                throw problem("parentheses around a comparison after `!`", at: start)
            }
            index = end
            return .not(tested)
        }
        if current == "(" { return try parenthesised() }
        let start = index
        let left = try operand()
        let end = index
        skipBlanks()
        let place = index
        guard let comparison = try comparisonOperator() else {
            index = end
            return try test(left, at: start)
        }
        try checkComparable(left, at: start)
        skipBlanks()
        let rightStart = index
        let right = try operand()
        try checkComparable(right, at: rightStart)
        try checkOperands(left, comparison, right, at: place)
        return .compare(left, comparison, right)
    }

    private mutating func parenthesised() throws(JSONPathProblem) -> FilterCondition {
        try descend()
        defer { ascend() }
        index += 1
        let inner = try condition()
        skipBlanks()
        guard consume(")") else { throw problem("`)`, `&&`, `||` or a comparison") }
        return inner
    }

    private func test(_ operand: FilterOperand, at start: Int) throws(JSONPathProblem) -> FilterCondition {
        switch operand {
        case .query(let query): return .exists(query)
        case .function(let function) where function.name.isTest: return .test(function)
        case .function(let function):
            throw problem("a comparison of the result of `\(function.name.rawValue)`", at: index)
        case .literal, .regex: throw problem("a comparison, or a path instead of a lone value", at: start)
        }
    }

    private func checkComparable(_ operand: FilterOperand, at start: Int) throws(JSONPathProblem) {
        switch operand {
        case .query(let query) where isStrict && !query.isSingular:
            throw problem("a path to at most one value", found: "one that may find several", at: start)
        case .function(let function) where function.name.isTest:
            throw problem(
                "a value", found: "the test `\(function.name.rawValue)`, which is not compared", at: start)
        default: return
        }
    }

    /// Checks that a regular expression is an operand of `=~`, and of no other operator.
    /// - Throws: if not.
    private func checkOperands(
        _ left: FilterOperand, _ comparison: FilterOperator, _ right: FilterOperand, at place: Int
    ) throws(JSONPathProblem) {
        guard comparison != .matches else { return }
        for operand in [left, right] {
            if case .regex = operand {
                throw problem("`=~` beside a regular expression", found: "`\(comparison.rawValue)`", at: place)
            }
        }
    }

    /// Parses an operator; nil, with nothing consumed, if there is none.
    /// - Throws: for an operator that the dialect lacks.
    private mutating func comparisonOperator() throws(JSONPathProblem) -> FilterOperator? {
        let start = index
        var symbol = ""
        while let scalar = current, "=<>!~".unicodeScalars.contains(scalar) {
            symbol.unicodeScalars.append(scalar)
            index += 1
        }
        if symbol.isEmpty, !isStrict {
            while let scalar = current,
                isLowercaseLetter(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value | 0x20))),
                scalar.isASCII
            {
                symbol.unicodeScalars.append(scalar)
                index += 1
            }
            symbol = symbol.lowercased()
        }
        guard !symbol.isEmpty else { return nil }
        guard let comparison = FilterOperator(rawValue: symbol), !isStrict || comparison.isStandard else {
            let names = FilterOperator.allCases.filter { !isStrict || $0.isStandard }.map(\.rawValue)
            throw problem("an operator (\(names.joined(separator: " ")))", found: "`\(symbol)`", at: start)
        }
        return comparison
    }

    private mutating func operand() throws(JSONPathProblem) -> FilterOperand {
        if current == "$" || current == "@" { return .query(try nestedQuery()) }
        if !isStrict, current == "/" { return .regex(try regexLiteral()) }
        let start = index
        if let literal = try literal() {
            if isStrict || current != "(" { return .literal(literal) }
            index = start
        }
        guard let scalar = current, isLowercaseLetter(scalar) else {
            throw problem("a path with `@` or `$`, a value or a function")
        }
        return .function(try functionCall())
    }

    /// Parses a function call and checks its types (RFC 9535, section 2.4).
    /// - Throws: for an unknown function or arguments that do not fit it.
    private mutating func functionCall() throws(JSONPathProblem) -> FilterFunction {
        let start = index
        var word = ""
        while let scalar = current, isLowercaseLetter(scalar) || isDigit(scalar) || scalar == "_" {
            word.unicodeScalars.append(scalar)
            index += 1
        }
        guard let name = FilterFunction.Name(rawValue: word), current == "(" else {
            let names = FilterFunction.Name.allCases.map { $0.rawValue + "()" }.joined(separator: " ")
            throw problem("a value or a function (\(names))", found: "`\(word)`", at: start)
        }
        try descend()
        defer { ascend() }
        index += 1
        var function = FilterFunction(name: name, arguments: [])
        skipBlanks()
        while current != ")" {
            if !function.arguments.isEmpty {
                guard consume(",") else { throw problem("`,` or `)`") }
                skipBlanks()
            }
            let place = index
            let argument = try operand()
            try check(argument, of: name, at: place)
            function.arguments.append(argument)
            skipBlanks()
        }
        guard function.arguments.count == name.argumentCount else {
            throw problem(
                name.argumentCount == 1 ? "one argument" : "two arguments", found: "\(function.arguments.count)",
                at: start)
        }
        index += 1
        if name.isTest, case .literal(.string(let pattern)) = function.arguments[1] {
            function.pattern = InternetRegex.compile(pattern, wholeSubject: name == .match)
        }
        return function
    }

    private func check(
        _ argument: FilterOperand, of name: FilterFunction.Name, at place: Int
    ) throws(JSONPathProblem) {
        switch argument {
        case .query(let query):
            guard !name.takesNodes, !query.isSingular, isStrict else { return }
            throw problem("a path to at most one value", found: "one that may find several", at: place)
        case .function(let inner) where inner.name.isTest:
            throw problem("a value", found: "the test `\(inner.name.rawValue)`", at: place)
        case .regex: throw problem("a regular expression as a text in quotes", at: place)
        case .literal, .function:
            if name.takesNodes { throw problem("a path as the argument of `\(name.rawValue)`", at: place) }
        }
    }
}
