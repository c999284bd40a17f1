import SDBasics
import SDJSON
import SDStubModel

/// A text that passes a matcher.
struct ExampleValue {
    /// Nil if no value passes, or none is needed.
    let text: String?

    /// - Throws: the reason why there is none.
    init(_ matcher: ValueMatcher) throws(NoExample) {
        text = try Self.list(matcher).first
    }

    /// Values that pass together; empty if none is needed.
    /// - Throws: the reason why there are none.
    static func list(_ matcher: ValueMatcher) throws(NoExample) -> [String] {
        let operand = matcher.operand
        switch matcher.operator {
        case .greaterThanNumber: return [try number(operand, plus: 1)]
        case .lessThanNumber: return [try number(operand, plus: -1)]
        case .equalToJson: return [try json(operand)]
        case .matches:
            let expression = try text(operand)
            guard let text = literal(expression) ?? ExpressionExample(expression)?.text else {
                throw NoExample("an expression")
            }
            return [text]
        case .glob: return [glob(try text(operand))]
        case .equalToDateTime, .before, .after: return [try DateExample(matcher).text]
        case .absent: return matcher.requiresPresence ? ["x"] : []
        // A missing value passes.
        case .doesNotContain, .doesNotMatch, .anything, .not: return []
        case .and: return try first(operand, "and")
        case .or: return try first(operand, "or")
        case .hasExactly, .includes:
            var all: [String] = []
            for matcher in matchers(operand) { all += try list(matcher) }
            return all
        case .matchesJsonSchema:
            let value = try SchemaExample.value(operand)
            return [value.stringValue ?? value.compactText]
        case .matchesPathTemplate: return [template(try text(operand))]
        case let name where name.passesItsOperand: return [try text(operand)]
        case let name: throw NoExample("`\(name.rawValue)`")
        }
    }

    /// A text that matches a glob.
    private static func glob(_ pattern: String) -> String {
        var text = ""
        var rest = pattern[...]
        while let next = rest.popFirst() {
            switch next {
            case "*", "?":
                if rest.first == "*" { rest.removeFirst() }
                text += "x"
            case "\\": text += rest.popFirst().map { String($0) } ?? ""
            case "[":
                let end = rest.firstIndex(of: "]") ?? rest.endIndex
                let members = rest[..<end]
                text += members.first.map { "!^".contains($0) ? "x" : String($0) } ?? ""
                rest = rest[end...].dropFirst()
            case "{":
                let end = rest.firstIndex(of: "}") ?? rest.endIndex
                text += rest[..<end].prefix { $0 != "," }
                rest = rest[end...].dropFirst()
            default: text.append(next)
            }
        }
        return text
    }

    /// A path that matches a template.
    private static func template(_ template: String) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open] + "1"
            rest = rest[close...].dropFirst()
        }
        return glob(text + rest)
    }

    /// The value of the first matcher that has one; whether the others pass shows when the stub is asked.
    private static func first(_ operand: JSONValue, _ name: String) throws(NoExample) -> [String] {
        let examples = matchers(operand).compactMap { try? list($0) }
        guard let found = examples.first(where: { !$0.isEmpty }) ?? examples.first else { throw NoExample("`\(name)`") }
        return found
    }

    private static func matchers(_ operand: JSONValue) -> [ValueMatcher] {
        (operand.arrayValue ?? []).compactMap { try? ValueMatcher(json: $0) }
    }

    private static func text(_ operand: JSONValue) throws(NoExample) -> String {
        switch operand {
        case .string(let text): return text
        case .number(let number): return number.text
        case .bool(let value): return String(value)
        case .null, .array, .object: throw NoExample("\(operand.shortDescription)")
        }
    }

    private static func number(_ operand: JSONValue, plus step: Double) throws(NoExample) -> String {
        guard let value = operand.doubleValue ?? operand.stringValue.flatMap(Double.init) else {
            throw NoExample("a number")
        }
        let sum = value + step
        return sum == sum.rounded() && abs(sum) < 1e15 ? String(Int64(sum)) : String(sum)
    }

    /// A document equal to another one, with JsonUnit's placeholders replaced.
    static func json(_ operand: JSONValue) throws(NoExample) -> String {
        let document: JSONValue
        if let text = operand.stringValue {
            guard let parsed = try? JSONValue(parsing: Array(text.utf8), dialect: .lenient) else {
                throw NoExample("a text that is no JSON")
            }
            document = parsed
        } else {
            document = operand
        }
        return try filled(document).compactText
    }

    private static let placeholders: [String: JSONValue] = [
        "${json-unit.any-string}": "text", "${json-unit.any-number}": 1, "${json-unit.any-boolean}": true,
        "${json-unit.ignore}": "text", "${json-unit.ignore-element}": "text",
    ]

    private static func filled(_ value: JSONValue) throws(NoExample) -> JSONValue {
        switch value {
        case .string(let text) where text.hasPrefix("${json-unit."):
            guard let example = placeholders[text] else { throw NoExample("`\(text)`") }
            return example
        case .array(let elements):
            var all: [JSONValue] = []
            for element in elements { all.append(try filled(element)) }
            return .array(all)
        case .object(let object):
            var all: [(String, JSONValue)] = []
            for member in object.members { all.append((member.key, try filled(member.value))) }
            return .object(JSONObject(all))
        default: return value
        }
    }

    /// Whether exactly one value passes.
    static func isOnly(_ matcher: ValueMatcher) -> Bool {
        if case .matches = matcher.operator {
            return matcher.operand.stringValue.map { !$0.contains("|") && literal($0) != nil } ?? false
        }
        return matcher.operator.passesOneValue
    }

    /// The only text that an expression matches, or the first alternative: `a` of `^(a|b)$`; nil for other expressions.
    static func literal(_ expression: String) -> String? {
        var rest = expression[...]
        if rest.hasPrefix("^") { rest.removeFirst() }
        if rest.hasSuffix("$"), !rest.hasSuffix("\\$") { rest.removeLast() }
        for open in ["(?:", "("] where rest.hasPrefix(open) && rest.hasSuffix(")") && !rest.hasSuffix("\\)") {
            rest = rest.dropFirst(open.count).dropLast()
            break
        }
        let words = rest.split(separator: "|", omittingEmptySubsequences: false).map(plain)
        return words.contains(nil) ? nil : words.first ?? nil
    }

    /// An expression without special characters; nil if it has any.
    private static func plain(_ expression: Substring) -> String? {
        var text = ""
        var isEscaped = false
        for character in expression {
            if isEscaped {
                // Escaped letters and digits have special meanings.
                guard !character.isLetter, !character.isNumber else { return nil }
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                guard !"^$.|?*+()[]{}".contains(character) else { return nil }
                text.append(character)
            }
        }
        return isEscaped ? nil : text
    }
}
