import SDBasics
import SDJSON
import SDSecrets
import SDStubModel

/// Patterns of redacted requests. A placeholder never comes again, so any value matches in its place, or the condition
/// is dropped.
extension RequestPattern {
    /// The pattern with any value in the place of a secret; for the URL see `expandPath`.
    /// - Parameter names: the names of parameters that are always secret.
    func withoutSecrets(_ names: SecretNames) -> RequestPattern {
        var pattern = self
        pattern.queryParameters = Self.open(queryParameters, names)
        pattern.formParameters = Self.open(formParameters, names)
        pattern.headers = Self.open(headers)
        pattern.cookies = Self.open(cookies)
        if let text = host?.operand.stringValue, text.isRedacted {
            pattern.host = ValueMatcher(.matches, RecordedPath.expression(text, "[^.]*", "[^.]*"))
        }
        pattern.bodyPatterns = bodyPatterns.compactMap(\.withoutSecrets)
        return pattern
    }

    /// A secret name is not a condition.
    private static func open(_ matchers: [NamedMatcher], _ names: SecretNames? = nil) -> [NamedMatcher] {
        matchers.compactMap { matcher in
            if matcher.name.isRedacted { return nil }
            let isSecret = names?.contains(matcher.name) == true || matcher.matcher.operand.compactText.isRedacted
            return isSecret ? NamedMatcher(matcher.name, ValueMatcher(.matches, ".*")) : matcher
        }
    }

    private var matchers: [ValueMatcher] {
        (queryParameters + formParameters + headers + cookies).map(\.matcher) + bodyPatterns
    }

    /// The weight of the conditions besides method and path. Of two patterns for one request, the heavier one is tried
    /// first.
    var conditions: Int {
        matchers.reduce(0) { $0 + $1.conditions } + (host == nil ? 0 : 2) + (port == nil ? 0 : 2)
    }

    /// The number of places where any value matches.
    var openPlaces: Int { matchers.filter { $0.conditions == 1 }.count + (url.isOpen ? 1 : 0) }
    /// That number if the path has such a place, since it may match other stubs' paths; otherwise 0.
    var openPathPlaces: Int { url.isOpen ? openPlaces : 0 }
}

extension ValueMatcher {
    /// The body's matcher with any value in the place of a secret; nil if it would require a key that is a placeholder.
    fileprivate var withoutSecrets: ValueMatcher? {
        switch `operator` {
        case .equalTo where operand.stringValue?.isRedacted == true: ValueMatcher(.matches, "[\\s\\S]*")
        case .equalToJson:
            (operand.stringValue.flatMap { try? JSONValue(parsing: Array($0.utf8)[...]) } ?? operand).hasRedactedKey
                ? nil : self
        default: self
        }
    }

    /// 2 for a specific value, 1 for any value.
    fileprivate var conditions: Int {
        switch (`operator`, operand) {
        case (.matches, _), (.anything, _): 1
        case (.includes, .array(let values)), (.hasExactly, .array(let values)): 2 * max(values.count, 1)
        case (.equalToJson, let json) where json.compactText.contains(text: "${json-unit.any-"): 1
        case (.equalToXml, .string(let text)) where text.contains(text: RedactedExchanges.anyXMLText): 1
        default: 2
        }
    }
}

extension String {
    var isRedacted: Bool { contains(text: RedactedExchanges.placeholder) }
}

extension JSONValue {
    fileprivate var hasRedactedKey: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasRedactedKey)
        case .object(let object): object.members.contains { $0.key.isRedacted || $0.value.hasRedactedKey }
        default: false
        }
    }
}

/// Paths as regular expressions.
enum RecordedPath {
    /// An expression that matches exactly a text, with anything in the place of a secret.
    /// - Parameters:
    ///   - any: the expression for a secret.
    ///   - anyInQuery: the expression for a secret in the query.
    static func expression(_ text: String, _ any: String, _ anyInQuery: String) -> String {
        var expression = ""
        var rest = text[...]
        var isInQuery = false
        while let place = rest.firstRange(ofText: RedactedExchanges.placeholder) {
            let before = rest[..<place.lowerBound]
            isInQuery = isInQuery || before.contains("?")
            // A path parameter may have contained slashes.
            let isParameter = !isInQuery && before.last == "="
            expression += escaped(before) + (isInQuery ? anyInQuery : isParameter ? "[^;?]*" : any)
            rest = rest[place.upperBound...]
        }
        return expression + escaped(rest)
    }

    private static func escaped(_ text: Substring) -> String {
        text.reduce(into: "") { text, letter in
            if "\\.[]{}()*+-?^$|".contains(letter) { text.append("\\") }
            // A class, since a literal character would be searched by its bytes.
            text += letter == "\u{FFFD}" ? "[\u{FFFD}]" : String(letter)
        }
    }

    /// The text from which such an expression was made.
    static func text(ofExpression expression: String) -> String {
        var text = ""
        var rest = expression[...]
        while let letter = rest.popFirst() {
            switch letter {
            case "\\": if let next = rest.popFirst() { text.append(next) }
            case "[":
                let content = rest.prefix { $0 != "]" }
                rest = rest.dropFirst(content.count + 1)
                guard content.first == "^" else {
                    text += content
                    continue
                }
                text += RedactedExchanges.placeholder
                rest = rest.drop { $0 == "*" }
            default: text.append(letter)
            }
        }
        return text
    }
}

extension URLPattern {
    /// Whether any value matches in the place of a secret, so that literal paths must be tried before.
    var isOpen: Bool {
        switch self {
        case .urlPattern(let text), .urlPathPattern(let text):
            text.contains(text: "[^/") || text.contains(text: "[^;") || text.contains(text: "[^&")
        default: false
        }
    }
}
