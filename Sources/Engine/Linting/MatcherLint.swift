import SDBasics
import SDJSON
import SDJavaTime
import SDMatching
import SDStubModel
import SDXML

/// Finds operands of a matcher, and of nested ones, that nothing can match, and conditions that exclude each other.
/// Problems of JSON Schemas are reported when they are compiled (`SchemaWarning`).
enum MatcherLint {
    struct Found {
        let code: StubFinding.Code
        /// The path below the request pattern.
        let path: [String]
        let message: String
        var expected: String?
        var suggestion: String?
    }

    /// The deepest nesting that is checked; compiling a stub refuses deeper ones.
    private static let deepest = 64

    static func findings(in matcher: ValueMatcher, at path: [String]) -> [Found] {
        findings(in: matcher, at: path, depth: 0)
    }

    private static func findings(in matcher: ValueMatcher, at path: [String], depth: Int) -> [Found] {
        let place = path + [matcher.operator.rawValue]
        let operand = matcher.operand
        switch matcher.operator {
        case .equalToJson: return equality(matcher, at: place) + placeholders(matcher.operand, at: place)
        case .before, .after, .equalToDateTime: return date(matcher, at: place)
        case .matchesXPath: return xPath(matcher, at: place) + nested(operand, at: place, depth: depth)
        case .matchesJsonPath, .not: return nested(operand, at: place, depth: depth)
        case .and, .or, .hasExactly, .includes:
            let elements = operand.arrayValue ?? []
            let within = elements.enumerated().flatMap {
                nested($1, at: place + [String($0)], depth: depth)
            }
            return within
                + (matcher.operator == .and ? contradictions(in: elements.compactMap(self.matcher), at: place) : [])
        case .matchesJwt:
            return ["claims", "header"].flatMap { part in
                (operand[part]?.objectValue?.members ?? []).flatMap {
                    nested($0.value, at: place + [part, $0.key], depth: depth)
                }
            }
        default: return []
        }
    }

    private static func nested(_ value: JSONValue, at path: [String], depth: Int) -> [Found] {
        guard depth < deepest, let matcher = matcher(value) else { return [] }
        return findings(in: matcher, at: path, depth: depth + 1)
    }

    /// Parses a nested object as a matcher.
    private static func matcher(_ value: JSONValue) -> ValueMatcher? {
        guard case .object(let object) = value else { return nil }
        let known = object.members.lazy.compactMap { ValueMatcher.Operator(rawValue: $0.key) }.first
        return known.map { ValueMatcher($0, json: object) }
    }

    // MARK: - Documents

    private static func equality(_ matcher: ValueMatcher, at path: [String]) -> [Found] {
        guard mayBeRemarkable(matcher.operand), let json = json(matcher.operand),
            let equality = try? JSONEquality(expected: json, ignoreArrayOrder: false, ignoreExtraElements: false)
        else { return [] }
        let isText = matcher.operand.stringValue != nil
        if isText, json.holdsJSON {
            return [
                Found(
                    code: .jsonInText, path: path,
                    message: "this requires a JSON string that contains JSON, which requests hardly ever send",
                    expected: "the JSON without the quotes around it")
            ]
        }
        return equality.warnings.map { warning in
            let place = isText && !warning.pointer.tokens.isEmpty ? "at \(warning.pointer.text): " : ""
            return Found(
                code: .jsonRemark, path: isText ? path : path + warning.pointer.tokens,
                message: place + warning.message.withoutFullStop)
        }
    }

    /// Texts that other tools treat as placeholders for any value.
    private static func placeholders(_ operand: JSONValue, at path: [String]) -> [Found] {
        guard ForeignPlaceholder.mayBe(in: operand.stringValue ?? operand.compactText), let json = json(operand) else {
            return []
        }
        let isText = operand.stringValue != nil
        return ForeignPlaceholder.find(in: json).map { found in
            let place = isText && !found.path.isEmpty ? "at \(JSONPointer(found.path).text): " : ""
            return Found(
                code: .jsonRemark, path: isText ? path : path + found.path, message: place + found.message,
                expected: found.expected, suggestion: found.suggestion)
        }
    }

    /// Whether a document may have a placeholder, or is a quoted text; only such documents need to be compiled.
    private static func mayBeRemarkable(_ value: JSONValue) -> Bool {
        guard let text = value.stringValue else { return hasPlaceholder(value) }
        return text.contains(text: "{json-unit.") || text.first { !$0.isWhitespace } == "\""
    }

    private static func hasPlaceholder(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.contains(text: "{json-unit.")
        case .array(let elements): elements.contains(where: hasPlaceholder)
        case .object(let object): object.members.contains { hasPlaceholder($0.value) }
        case .null, .bool, .number: false
        }
    }

    private static func json(_ operand: JSONValue) -> JSONValue? {
        guard let text = operand.stringValue else { return operand }
        return try? JSONValue(parsing: text, dialect: .lenient)
    }

    private static func xPath(_ matcher: ValueMatcher, at path: [String]) -> [Found] {
        guard XMLDocument.unavailable == nil,
            let text = matcher.operand.stringValue ?? matcher.operand["expression"]?.stringValue,
            let problem = XPath(text, namespaces: nil).problem
        else { return [] }
        let isAlone = matcher.operand.stringValue != nil
        return [
            Found(
                code: .invalidXPath, path: isAlone ? path : path + ["expression"],
                message: "not a valid XPath expression, so this never matches: \(problem.withoutFullStop)")
        ]
    }

    private static func date(_ matcher: ValueMatcher, at path: [String]) -> [Found] {
        guard let text = matcher.operand.stringValue,
            let matcher = try? DateTimeMatcher(.equal, expected: text), !matcher.isReadable
        else { return [] }
        return [
            Found(
                code: .unreadableDate, path: path,
                message: "not a date, so this never matches; a date is 2026-03-01T10:00:00Z, or now +3 days")
        ]
    }

    // MARK: - Contradictions

    /// The first of several matchers for one value that contradicts an earlier one.
    static func contradictions(in matchers: [ValueMatcher], at path: [String]) -> [Found] {
        guard matchers.count > 1 else { return [] }
        let absent = matchers.firstIndex(where: \.isAbsence)
        if let absent, let other = matchers.firstIndex(where: \.needsValue) {
            return [
                Found(
                    code: .contradiction, path: path + [String(max(absent, other))],
                    message: "this never matches: \"absent\" requires no value, but "
                        + "\"\(matchers[other].operator.rawValue)\" requires one")
            ]
        }
        let equal = matchers.enumerated().compactMap { index, matcher in
            matcher.exactText.map { (index: index, text: $0) }
        }
        guard let first = equal.first,
            let other = equal.first(where: { !$0.text.utf8.elementsEqual(first.text.utf8) })
        else { return [] }
        return [
            Found(
                code: .contradiction, path: path + [String(other.index)],
                message: "this never matches: the value cannot equal two strings at once")
        ]
    }
}

extension ValueMatcher {
    /// The only text that passes.
    fileprivate var exactText: String? {
        `operator` == .equalTo && !flag("caseInsensitive") ? operand.stringValue : nil
    }
}

extension String {
    /// The text without its final full stop, as in diagnostics.
    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
