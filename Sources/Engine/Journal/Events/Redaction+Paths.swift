import SDJSON
import SDSecrets

/// Matchers that find a secret by a JSONPath or XPath expression, as in `$[?(@.password == 'hush')]` and
/// `//user[@token="hush"]`.
extension Redaction {
    private static let keys: Set<String> = ["matchesJsonPath", "matchesXPath"]

    /// A matcher as JSON, with secrets redacted in its expressions and in nested matchers.
    func expressions(in json: JSONValue) -> JSONValue {
        switch json {
        case .array(let items): return .array(items.map(expressions))
        case .object(let object):
            var result = object
            for member in object.members {
                result[member.key] =
                    Self.keys.contains(member.key) ? matcher(ofPath: member.value) : expressions(in: member.value)
            }
            return .object(result)
        default: return json
        }
    }

    /// The value of `matchesJsonPath` or `matchesXPath`: an expression, or an object of an expression and a matcher.
    private func matcher(ofPath value: JSONValue) -> JSONValue {
        if let text = value.stringValue { return .string(expression(text) ?? text) }
        guard let object = value.objectValue, let text = object["expression"]?.stringValue else { return value }
        guard let shown = expression(text) else { return expressions(in: value) }
        var result = object
        for member in object.members {
            switch member.key {
            case "expression": result["expression"] = .string(shown)
            case "xPathNamespaces": break
            default: result[member.key] = marked(member.value)
            }
        }
        return .object(result)
    }

    /// A value with all texts and numbers replaced by the mark.
    private func marked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string, .number: return .string(Self.mark)
        case .array(let items): return .array(items.map(marked))
        case .object(let object): return .object(JSONObject(object.members.map { ($0.key, marked($0.value)) }))
        default: return value
        }
    }

    /// An expression with its literals replaced by the mark; nil if it names no secret.
    func expression(_ text: String) -> String? {
        let tokens = PathTokens(text)
        guard tokens.names.contains(where: hides) || tokens.literalTexts.contains(where: hides) else { return nil }
        return tokens.marked(Self.mark, besides: hides)
    }
}

/// The names and literals of an expression.
private struct PathTokens {
    private(set) var names: [String] = []
    private let scalars: [Unicode.Scalar]
    /// The literals without their quotes.
    private var literals: [Range<Int>] = []
    private var place = 0
    /// For each open bracket, whether it holds a member's name rather than an index or arguments.
    private var brackets: [Bool] = []
    /// The last character that is not white space.
    private var last: Unicode.Scalar?

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        while place < scalars.count { step() }
    }

    private mutating func step() {
        let scalar = scalars[place]
        switch scalar {
        case " ", "\t", "\n", "\r":
            place += 1
            return
        case "[":
            let before = place > 0 ? scalars[place - 1] : " "
            brackets.append(Self.isOfName(before) || "@$.)]".unicodeScalars.contains(before))
            place += 1
        case "(":
            brackets.append(false)
            place += 1
        case "]", ")":
            _ = brackets.popLast()
            place += 1
        case "'", "\"": quoted(scalar)
        case "/" where last == "~": quoted(scalar)
        case _ where Self.isOfName(scalar): word()
        default: place += 1
        }
        last = scalar
    }

    private mutating func quoted(_ quote: Unicode.Scalar) {
        let start = place + 1
        place = start
        while place < scalars.count, scalars[place] != quote { place += scalars[place] == "\\" ? 2 : 1 }
        let range = start..<min(place, scalars.count)
        place = min(place + 1, scalars.count)
        let next = scalars[place...].first { $0 != " " }
        let isName =
            brackets.last == true && (last == "[" || last == ",") && (next == "]" || next == ",") && quote != "/"
        if isName { names.append(Self.text(scalars[range])) } else { literals.append(range) }
    }

    private mutating func word() {
        let start = place
        while place < scalars.count, Self.isOfName(scalars[place]) { place += 1 }
        let range = start..<place
        // A number on one side of a comparison.
        if let last, "=<>!,(".unicodeScalars.contains(last), scalars[start].properties.numericType != nil {
            literals.append(range)
        } else {
            names.append(Self.text(scalars[range]))
        }
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    var literalTexts: [String] { literals.map { Self.text(scalars[$0]) } }

    /// The expression with its literals replaced by a mark.
    /// - Parameter isName: whether a literal is itself a name, as in `local-name()='password'`; such literals stay.
    func marked(_ mark: String, besides isName: (String) -> Bool) -> String {
        var (result, end) = ("", 0)
        for range in literals where !isName(Self.text(scalars[range])) {
            result += Self.text(scalars[end..<range.lowerBound]) + mark
            end = range.upperBound
        }
        return result + Self.text(scalars[end...])
    }
}
