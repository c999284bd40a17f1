import JSON
import StubModel
import XML

/// What a matcher expects, in the words of WireMock's reports.
extension ValueMatcher {
    /// The name that stands in brackets before the expected text.
    var shownName: String { `operator`.rawValue }

    /// Nothing is said about an equality but the value.
    var isEquality: Bool { [.equalTo, .equalToJson, .equalToXml].contains(`operator`) }

    /// As `expectedText`, beside the name of a header or parameter: of a path matcher its expression alone.
    var expectedFieldText: String {
        switch `operator` {
        case .matchesJsonPath, .matchesXPath: operand["expression"]?.stringValue ?? expectedText
        default: expectedText
        }
    }

    /// As `expectedFieldText`, for fields with one value, of which WireMock says `null` where nothing is expected.
    var expectedSingleText: String { `operator` == .absent ? "null" : expectedFieldText }

    /// The operand for people: JSON and XML laid out, matchers within matchers in words.
    var expectedText: String {
        switch `operator` {
        case .absent: return "(absent)"
        case .anything: return "anything"
        case .and, .or:
            let word = `operator` == .and ? " AND " : " OR "
            return inner.map { "\($0.shownName) \($0.expectedText)" }.joined(separator: word)
        case .not: return Self(nested: operand)?.expectedText ?? ""
        case .hasExactly, .includes:
            return "[" + inner.map { "\($0.shownName) \($0.expectedText)" }.joined(separator: " AND ") + "]"
        case .equalToJson, .matchesJsonSchema:
            guard let text = operand.stringValue else { return operand.prettyText }
            return (try? JSONValue(parsing: text, dialect: .lenient))?.prettyText ?? text
        case .equalToXml:
            let text = operand.stringValue ?? ""
            return XMLText.pretty(Array(text.utf8)[...]) ?? text
        case .matchesJsonPath, .matchesXPath:
            guard let object = operand.objectValue, let expression = object["expression"]?.stringValue,
                let matcher = Self(nested: operand)
            else { return operand.stringValue ?? operand.compactText }
            return "\(expression) [\(matcher.shownName)] \(matcher.expectedFieldText)"
        default:
            return operand.stringValue ?? operand.compactText
        }
    }

    /// The matchers of a list.
    private var inner: [ValueMatcher] { (operand.arrayValue ?? []).compactMap(Self.init(nested:)) }

    /// A matcher within a matcher: its first operator decides.
    private init?(nested value: JSONValue) {
        guard case .object(let object) = value,
            let `operator` = object.members.lazy.compactMap({ Operator(rawValue: $0.key) }).first
        else { return nil }
        self.init(`operator`, json: object)
    }
}
