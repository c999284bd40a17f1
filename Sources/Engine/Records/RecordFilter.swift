import SDJSON
import SDPlatform
import SDRegularExpressions

/// A condition on one field of records, such as `price_gte=10`.
struct RecordFilter: Sendable {
    enum Test: Sendable, Hashable {
        case equal, notEqual, atLeast, atMost, above, below
        case like
    }

    /// The name of the parameter.
    let name: String
    let field: FieldPath
    let test: Test
    private let values: [Value]

    private struct Value: Sendable {
        let text: String
        /// The text as a number; nil if it is not one.
        let number: JSONDecimal?
        /// The number as an integer, for fast comparison; nil if it is not one.
        let integer: Int?
        /// The expression of `like`.
        let regex: JavaRegex?
    }

    /// The suffixes of json-server 0.17, and of json-server 1.
    private static let suffixes: [(text: String, test: Test)] = [
        ("_gte", .atLeast), ("_lte", .atMost), ("_gt", .above), ("_lt", .below), ("_ne", .notEqual), ("_like", .like),
        (":gte", .atLeast), (":lte", .atMost), (":gt", .above), (":lt", .below), (":ne", .notEqual), (":eq", .equal),
        (inList, .equal), (":contains", .like), (":startsWith", .like), (":endsWith", .like),
    ]
    /// The values are separated by commas.
    private static let inList = ":in"

    /// - Throws: for an invalid expression.
    init(_ name: String, _ texts: [String]) throws(QueryProblem) {
        self.name = name
        let suffix = Self.suffixes.first { name.hasSuffix($0.text) && name.utf8.count > $0.text.utf8.count }
        test = suffix?.test ?? .equal
        field = FieldPath(String(name.dropLast(suffix?.text.count ?? 0)))
        var values: [Value] = []
        for text in suffix?.text == Self.inList ? texts.flatMap({ $0.split(separator: ",").map { String($0) } }) : texts
        {
            var regex: JavaRegex?
            if test == .like {
                do throws(RegexProblem) {
                    regex = try JavaRegex(Self.expression(text, suffix?.text ?? ""), [.anywhere, .ignoringCase])
                } catch {
                    throw QueryProblem(parameter: name, reason: "not a regular expression: \(error)")
                }
            }
            values.append(
                Value(
                    text: text, number: JSONNumber(text: text).map { JSONDecimal($0) }, integer: Int(text), regex: regex
                ))
        }
        self.values = values
    }

    /// The expression of a condition with a suffix.
    private static func expression(_ text: String, _ suffix: String) -> String {
        guard suffix.hasPrefix(":") else { return text }
        let literal = text.unicodeScalars.map { $0 == "\\" ? "\\\\" : "\\Q\($0)\\E" }.joined()
        return (suffix == ":startsWith" ? "\\A" : "") + literal + (suffix == ":endsWith" ? "\\z" : "")
    }

    /// The number of budget steps for testing a record.
    var cost: Int { 8 + field.cost + 4 * values.count }

    /// Whether a record satisfies the condition: any of the values suffices, except that `_ne` excludes all of them. A
    /// record without the field does not.
    func passes(_ record: Record, _ budget: WorkBudget) -> Bool {
        guard let value = field.value(in: record), !value.isNull else { return false }
        if test == .notEqual { return values.allSatisfy { !Self.isEqual(value, $0) } }
        return values.contains { passes(value, $0, budget) }
    }

    private func passes(_ value: JSONValue, _ other: Value, _ budget: WorkBudget) -> Bool {
        switch test {
        case .equal: return Self.isEqual(value, other)
        case .notEqual: return !Self.isEqual(value, other)
        case .like:
            guard let regex = other.regex else { return false }
            return regex.match(Array(Self.text(value).utf8)[...], budget) == .match
        case .atLeast: return Self.ordering(value, other).map { $0 >= 0 } ?? false
        case .atMost: return Self.ordering(value, other).map { $0 <= 0 } ?? false
        case .above: return Self.ordering(value, other).map { $0 > 0 } ?? false
        case .below: return Self.ordering(value, other).map { $0 < 0 } ?? false
        }
    }

    /// Whether a value equals the text: a number by value, others by text.
    private static func isEqual(_ value: JSONValue, _ other: Value) -> Bool {
        switch value {
        case .string(let text): text.hasSameCodePoints(as: other.text)
        case .number(let number):
            ordering(number, other) == 0
        default: text(value) == other.text
        }
    }

    private static func ordering(_ number: JSONNumber, _ other: Value) -> Int? {
        if let right = other.integer, let left = Int(number.text) { return left == right ? 0 : left < right ? -1 : 1 }
        guard let right = other.number else { return nil }
        let left = JSONDecimal(number)
        return left == right ? 0 : left < right ? -1 : 1
    }

    /// Negative, 0 or positive; nil if the two cannot be compared.
    private static func ordering(_ value: JSONValue, _ other: Value) -> Int? {
        switch value {
        case .number(let number): return ordering(number, other)
        case .string(let text):
            if text.hasSameCodePoints(as: other.text) { return 0 }
            return text.utf8.lexicographicallyPrecedes(other.text.utf8) ? -1 : 1
        default: return nil
        }
    }

    /// A value as JavaScript's `toString` prints it: a list as its elements, joined by commas.
    static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .null: ""
        case .array(let elements): elements.map { text($0) }.joined(separator: ",")
        case .object: value.compactText
        }
    }
}

/// A reason why the parameters of a list cannot be served.
public struct QueryProblem: Error, Sendable, Hashable {
    public let parameter: String
    /// The reason as a clause.
    public let reason: String
}
