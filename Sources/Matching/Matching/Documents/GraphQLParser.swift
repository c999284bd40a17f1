import SDJSON
import SDPlatform

/// A recursive descent parser that returns the canonical text of its input (specification of September 2025, section
/// 2).
struct GraphQLParser {
    private var lexer: GraphQLLexer
    private var token: GraphQLToken
    private var depth = 0
    private let budget: WorkBudget

    init(_ text: String, _ budget: WorkBudget) throws(GraphQLSyntaxError) {
        self.budget = budget
        lexer = GraphQLLexer(text)
        token = try lexer.next()
    }

    mutating func document() throws(GraphQLSyntaxError) -> String {
        var definitions: [String] = []
        repeat { definitions.append(try definition()) } while token.kind != .end
        return definitions.sorted().joined(separator: "\n")
    }

    private mutating func definition() throws(GraphQLSyntaxError) -> String {
        if isAt("{") { return "query" + (try selections()) }
        if case .string = token.kind { try advance() }
        switch token.kind {
        case .name("query"), .name("mutation"), .name("subscription"): return try operation()
        case .name("fragment"): return try fragment()
        default: throw unexpected("query, mutation, subscription, fragment or \"{\"")
        }
    }

    private mutating func operation() throws(GraphQLSyntaxError) -> String {
        var text = try name("an operation")
        if case .name(let name) = token.kind {
            text += " " + name
            try advance()
        }
        if isAt("(") {
            text += try list("(", ")", "a variable such as $id") { parser throws(GraphQLSyntaxError) in
                try parser.variableDefinition()
            }
        }
        return text + (try directives(isConstant: true)) + (try selections())
    }

    private mutating func fragment() throws(GraphQLSyntaxError) -> String {
        try advance()
        guard token.kind != .name("on") else { throw unexpected("the name of the fragment") }
        let name = try name("the name of the fragment")
        return "fragment " + name + (try typeCondition()) + (try directives()) + (try selections())
    }

    private mutating func typeCondition() throws(GraphQLSyntaxError) -> String {
        guard token.kind == .name("on") else { throw unexpected("\"on\" and a type") }
        try advance()
        return " on " + (try name("a type"))
    }

    private mutating func variableDefinition() throws(GraphQLSyntaxError) -> String {
        if case .string = token.kind { try advance() }
        var text = try variable()
        try consume(":")
        text += ":" + (try type())
        if isAt("=") {
            try advance()
            text += "=" + (try value(isConstant: true))
        }
        return text + (try directives(isConstant: true))
    }

    private mutating func variable() throws(GraphQLSyntaxError) -> String {
        try consume("$")
        return "$" + (try name("the name of a variable"))
    }

    private mutating func type() throws(GraphQLSyntaxError) -> String {
        try descend()
        var text: String
        if isAt("[") {
            try advance()
            text = "[" + (try type()) + "]"
            try consume("]")
        } else {
            text = try name("a type")
        }
        if isAt("!") {
            try advance()
            text += "!"
        }
        depth -= 1
        return text
    }

    private mutating func selections() throws(GraphQLSyntaxError) -> String {
        try list("{", "}", "a field or \"...\"") { parser throws(GraphQLSyntaxError) in try parser.selection() }
    }

    private mutating func selection() throws(GraphQLSyntaxError) -> String {
        if isAt("...") { return try spread() }
        var text = try name("a field")
        if isAt(":") {
            try advance()
            text += ":" + (try name("a field"))
        }
        text += try arguments() + directives()
        return isAt("{") ? text + (try selections()) : text
    }

    private mutating func spread() throws(GraphQLSyntaxError) -> String {
        try advance()
        if case .name(let name) = token.kind, name != "on" {
            try advance()
            return "..." + name + (try directives())
        }
        let condition = token.kind == .name("on") ? try typeCondition() : ""
        return "..." + condition + (try directives()) + (try selections())
    }

    private mutating func arguments(isConstant: Bool = false) throws(GraphQLSyntaxError) -> String {
        guard isAt("(") else { return "" }
        return try list("(", ")", "an argument") { parser throws(GraphQLSyntaxError) in
            try parser.pair("the name of an argument", isConstant: isConstant)
        }
    }

    /// Reads `name: value`.
    /// - Throws: if it is malformed.
    private mutating func pair(_ expected: String, isConstant: Bool) throws(GraphQLSyntaxError) -> String {
        let name = try name(expected)
        try consume(":")
        return name + ":" + (try value(isConstant: isConstant))
    }

    private mutating func directives(isConstant: Bool = false) throws(GraphQLSyntaxError) -> String {
        var text = ""
        while isAt("@") {
            try advance()
            text += "@" + (try name("the name of a directive")) + (try arguments(isConstant: isConstant))
        }
        return text
    }

    private mutating func value(isConstant: Bool) throws(GraphQLSyntaxError) -> String {
        switch token.kind {
        case .name(let text), .int(let text), .float(let text):
            try advance()
            return text
        case .string(let text):
            try advance()
            return JSONValue.string(text).compactText
        case .punctuator("$") where !isConstant: return try variable()
        case .punctuator("["):
            return try elements("[", "]") { parser throws(GraphQLSyntaxError) in
                try parser.value(isConstant: isConstant)
            }.bracketed("[", "]")
        case .punctuator("{"):
            return try elements("{", "}") { parser throws(GraphQLSyntaxError) in
                try parser.pair("the name of a field", isConstant: isConstant)
            }.sorted().bracketed("{", "}")
        default: throw unexpected(isConstant ? "a value without variables" : "a value")
        }
    }

    /// Reads one or more elements in brackets, and sorts them by their text.
    /// - Throws: if one is malformed or there is none.
    private mutating func list(
        _ open: String, _ close: String, _ expected: String,
        _ element: (inout GraphQLParser) throws(GraphQLSyntaxError) -> String
    ) throws(GraphQLSyntaxError) -> String {
        let things = try elements(open, close, element)
        // The closing bracket was already read, but the message must name what is missing before it.
        if things.isEmpty { throw lexer.error(at: lastClose, expected: expected, found: "\"\(close)\"") }
        return things.sorted().bracketed(open, close)
    }

    private var lastClose = 0

    private mutating func elements(
        _ open: String, _ close: String, _ element: (inout GraphQLParser) throws(GraphQLSyntaxError) -> String
    ) throws(GraphQLSyntaxError) -> [String] {
        guard isAt(open) else { throw unexpected("\"\(open)\"") }
        try descend()
        try advance()
        var things: [String] = []
        while !isAt(close) { things.append(try element(&self)) }
        // Texts are joined and sorted once per level.
        try spend(things.reduce(0) { $0 + 10 + $1.utf8.count / 16 })
        lastClose = token.offset
        depth -= 1
        try advance()
        return things
    }

    private mutating func descend() throws(GraphQLSyntaxError) {
        depth += 1
        guard depth <= GraphQLDocument.maximumDepth else {
            throw lexer.error(
                at: token.offset, expected: "at most \(GraphQLDocument.maximumDepth) levels of nesting",
                found: "one more")
        }
    }

    private mutating func name(_ expected: String) throws(GraphQLSyntaxError) -> String {
        guard case .name(let name) = token.kind else { throw unexpected(expected) }
        try advance()
        return name
    }

    private func isAt(_ punctuator: String) -> Bool {
        token.kind == .punctuator(punctuator)
    }

    private mutating func consume(_ punctuator: String) throws(GraphQLSyntaxError) {
        guard isAt(punctuator) else { throw unexpected("\"\(punctuator)\"") }
        try advance()
    }

    private mutating func advance() throws(GraphQLSyntaxError) {
        let start = token.offset
        token = try lexer.next()
        try spend(20 + (token.offset - start))
    }

    /// - Throws: when the budget is exhausted.
    private func spend(_ steps: Int) throws(GraphQLSyntaxError) {
        guard budget.spend(steps, for: WorkBudget.Work("GraphQL query", "matchesGraphql")) else {
            throw lexer.error(at: token.offset, expected: "less", found: "more than the budget of work allows")
        }
    }

    private func unexpected(_ expected: String) -> GraphQLSyntaxError {
        lexer.error(at: token.offset, expected: expected, found: token.description)
    }
}

extension [String] {
    fileprivate func bracketed(_ open: String, _ close: String) -> String {
        open + joined(separator: ",") + close
    }
}
