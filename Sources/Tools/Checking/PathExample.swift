import SDBasics
import SDJSON

/// A document in which a JSONPath finds something. Supports names, indices, `*`, `..`, and filters that compare members
/// with values.
struct PathExample {
    private enum Step {
        case name(String)
        case index(Int)
        case filter([(path: [String], value: JSONValue)])
    }

    private var steps: [Step] = []

    /// Whether the result is what a filter selects.
    var endsInFilter: Bool { if case .filter? = steps.last { true } else { false } }

    /// Nil for an unsupported expression.
    init?(_ expression: String) {
        guard expression.first == "$" else { return nil }
        var rest = expression.dropFirst()
        while let next = rest.popFirst() {
            switch next {
            case ".":
                if rest.first == "." { rest.removeFirst() }
                if rest.first == "[" { continue }
                if rest.first == "*" {
                    rest.removeFirst()
                    steps.append(.name("any"))
                    continue
                }
                let name = rest.prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }
                rest = rest[name.endIndex...]
                guard !name.isEmpty, rest.first != "(" else { return nil }
                steps.append(.name(String(name)))
            case "[":
                guard let end = Self.end(of: rest), let step = Self.step(String(rest[..<end])) else { return nil }
                steps.append(step)
                rest = rest[end...].dropFirst()
            default: return nil
            }
        }
        guard !steps.isEmpty else { return nil }
    }

    /// The matching closing bracket.
    private static func end(of rest: Substring) -> Substring.Index? {
        var depth = 0
        var mark: Character?
        for index in rest.indices {
            let character = rest[index]
            if let open = mark {
                if character == open { mark = nil }
            } else if character == "'" || character == "\"" {
                mark = character
            } else if character == "[" {
                depth += 1
            } else if character == "]" {
                if depth == 0 { return index }
                depth -= 1
            }
        }
        return nil
    }

    private static func step(_ text: String) -> Step? {
        if let name = unquoted(text) { return .name(name) }
        if text == "*" { return .index(0) }
        if let index = Int(text) { return index <= 100 ? .index(max(index, 0)) : nil }
        guard text.hasPrefix("?") else { return nil }
        var inner = text.dropFirst()
        while inner.hasPrefix("("), inner.hasSuffix(")") { inner = inner.dropFirst().dropLast() }
        guard !inner.contains(text: "||"), !inner.contains("(") else { return nil }
        var conditions: [(path: [String], value: JSONValue)] = []
        var rest = String(inner)[...]
        while true {
            let and = rest.firstRange(ofText: "&&")
            guard let condition = condition(String(rest[..<(and?.lowerBound ?? rest.endIndex)])) else { return nil }
            conditions.append(condition)
            guard let and else { break }
            rest = rest[and.upperBound...]
        }
        return .filter(conditions)
    }

    /// A name in quotes.
    private static func unquoted(_ text: String) -> String? {
        guard text.count >= 2, let first = text.first, first == text.last, first == "'" || first == "\"" else {
            return nil
        }
        let inner = text.dropFirst().dropLast()
        return inner.contains(first) || inner.contains("\\") ? nil : String(inner)
    }

    private static let comparisons = ["==", "!=", ">=", "<=", "=~", ">", "<"]

    /// `@.name == 'a'` as the path and the required value.
    private static func condition(_ text: String) -> (path: [String], value: JSONValue)? {
        let text = text.split { $0 == " " }.joined(separator: " ")
        let found = comparisons.compactMap { sign in text.firstRange(ofText: sign).map { (sign, $0) } }
            .min { $0.1.lowerBound < $1.1.lowerBound }
        let left = found.map { text[..<$0.1.lowerBound] } ?? text[...]
        let names = left.filter { $0 != " " }.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.first == "@",
            names.dropFirst().allSatisfy({ name in
                !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) }
            })
        else { return nil }
        let path = Array(names.dropFirst())
        guard let (sign, range) = found else { return path.isEmpty ? nil : (path, "text") }
        var right = text[range.upperBound...]
        while right.first == " " { right.removeFirst() }
        while right.last == " " { right.removeLast() }
        if sign == "=~" {
            guard right.hasPrefix("/"), let end = right.lastIndex(of: "/"), end > right.startIndex else { return nil }
            return ExpressionExample(String(right[..<end].dropFirst())).map { (path, .string($0.text)) }
        }
        let value = unquoted(String(right)).map { JSONValue.string($0) } ?? (try? JSONValue(parsing: Array(right.utf8)))
        guard let value else { return nil }
        switch (sign, value.doubleValue) {
        case ("!=", let number?): return (path, Self.number(number + 1))
        case ("!=", nil): return (path, value == "text" ? "x" : "text")
        case (">", let number?): return (path, Self.number(number + 1))
        case ("<", let number?): return (path, Self.number(number - 1))
        case (">", nil), ("<", nil): return nil
        default: return (path, value)
        }
    }

    /// A number; whole numbers have no fraction.
    private static func number(_ value: Double) -> JSONValue {
        if value == value.rounded(), abs(value) < 1e15 { return .number(JSONNumber(Int(value))) }
        return JSONNumber(value).map(JSONValue.number) ?? 1
    }

    /// The document with a value at the path.
    /// - Parameter value: nil for the value that a final filter requires.
    func setting(_ value: JSONValue?, in document: JSONValue) -> JSONValue {
        Self.set(value, at: steps[...], in: document)
    }

    private static func set(_ value: JSONValue?, at steps: ArraySlice<Step>, in document: JSONValue) -> JSONValue {
        guard let step = steps.first else { return value ?? document }
        let rest = steps.dropFirst()
        switch step {
        case .name(let name):
            var object = document.objectValue ?? JSONObject()
            object[name] = set(value, at: rest, in: object[name] ?? .object(JSONObject()))
            return .object(object)
        case .index(let index):
            var elements = document.arrayValue ?? []
            while elements.count <= index { elements.append(.object(JSONObject())) }
            elements[index] = set(value, at: rest, in: elements[index])
            return .array(elements)
        case .filter(let conditions):
            var element = document.arrayValue?.first ?? .object(JSONObject())
            for (path, wanted) in conditions {
                element = set(wanted, at: path.map { .name($0) }[...], in: element)
            }
            return .array([set(value, at: rest, in: element)] + (document.arrayValue ?? []).dropFirst())
        }
    }
}
