internal import SDJSON
import SDJSONSchema
internal import SDStubModel

/// Functions shared by matchers of documents. Errors in their operands, such as an invalid schema, are treated as in
/// WireMock: some reject the stub, others leave a stub that never matches.
extension PatternCompiler {
    /// An operand that is JSON, or a text that contains JSON.
    mutating func json(_ matcher: ValueMatcher, at place: PatternPlace) -> JSONValue? {
        guard case .string(let text) = matcher.operand else { return matcher.operand }
        do {
            return try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            let name = matcher.operator.rawValue
            refuse(.badOperand, place.member(name), "`\(name)` is not JSON: \(error)")
            return nil
        }
    }

    mutating func equality(
        _ expected: JSONValue, at place: PatternPlace, ignoreArrayOrder: Bool = false,
        ignoreExtraElements: Bool = false, nullsEqualMissing: Bool = false
    ) -> JSONEquality? {
        do {
            return try JSONEquality(
                expected: expected, ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements,
                nullsEqualMissing: nullsEqualMissing)
        } catch {
            refuse(.badOperand, place, "\(error)")
            return nil
        }
    }

    /// The expression of a path matcher, alone or in an object beside an operator.
    mutating func expression(_ matcher: ValueMatcher, at place: PatternPlace) -> String? {
        switch matcher.operand {
        case .string(let text): return text
        case .object(let object):
            if let text = object["expression"]?.stringValue { return text }
            fallthrough
        default:
            refuse(.badOperand, place, "expected an expression, or an object of `expression` and a matcher")
            return nil
        }
    }

    mutating func warning(
        _ problem: SchemaProblem, isInvalid: Bool, _ matcher: ValueMatcher, at place: PatternPlace
    ) {
        let pointer = place.member(matcher.operator.rawValue).pointer
        schemaWarnings.append(
            SchemaWarning(
                schema: JSONPointer(text: pointer) ?? .root, isText: matcher.operand.stringValue != nil,
                isInvalid: isInvalid, problem: problem))
    }
}
