import SDJSON
import SDStubModel
import SDXML

/// The expected value of a matcher in the words of WireMock's reports.
extension ValueMatcher {
    /// The name in brackets before the expected text.
    var shownName: String { `operator`.rawValue }

    /// Whether only the value is shown, because the matcher is an equality.
    var isEquality: Bool { [.equalTo, .equalToJson, .equalToXml].contains(`operator`) }

    /// The expected text after the name of a header or parameter; for a path matcher, only its expression.
    var expectedFieldText: String {
        switch `operator` {
        case .matchesJsonPath, .matchesXPath: operand["expression"]?.stringValue ?? expectedText
        default: expectedText
        }
    }

    /// The expected text for a field with one value: WireMock shows `null` if no value is expected.
    var expectedSingleText: String { isAbsence ? "null" : expectedFieldText }

    /// The operand in readable form: JSON and XML indented, nested matchers as text.
    var expectedText: String {
        switch `operator` {
        case .absent: return isAbsence ? "(absent)" : "false"
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

    /// Parses a nested matcher; its first operator decides.
    private init?(nested value: JSONValue) {
        guard case .object(let object) = value,
            let `operator` = object.members.lazy.compactMap({ Operator(rawValue: $0.key) }).first
        else { return nil }
        self.init(`operator`, json: object)
    }
}
