import SDJSON
import SDStubModel

/// Combines the conditions on a query parameter in a route's key and under `when`.
enum RouteQuery {
    /// A matcher for both conditions. Reports contradictions at the current path.
    /// - Returns: the matcher, and the path within it of the condition under `when`.
    static func both(
        _ key: ValueMatcher, _ condition: ValueMatcher, _ reader: inout ModelReader
    ) -> (matcher: ValueMatcher, path: [String])? {
        if condition.isAbsence {
            reader.report(
                detail: nil, message: "the route's key requires this parameter, so it cannot be absent",
                expected: "the parameter in the key, or absent")
            return nil
        }
        let isMultiple = !ValueMatcher.Position.single.allows(condition.operator)
        // `{any}` only requires the parameter.
        if isPresence(key), isMultiple || condition.needsValue { return (condition, []) }
        let keys = key.operator == .includes ? key.operand.arrayValue ?? [] : [key.jsonValue]
        if condition.operator == .includes, let elements = condition.operand.arrayValue {
            return (ValueMatcher(.includes, operand: .array(elements + keys)), [])
        }
        guard !isMultiple else {
            reader.report(
                detail: nil,
                message: "\"\(condition.operator.rawValue)\" cannot be combined with the value in the route's key",
                expected: "{any} in the key, or all of the parameter's values here")
            return nil
        }
        if key.operator == .includes {
            return (
                ValueMatcher(.includes, operand: .array(keys + [condition.jsonValue])),
                ["includes", String(keys.count)]
            )
        }
        return (ValueMatcher(.and, operand: [key.jsonValue, condition.jsonValue]), ["and", "1"])
    }

    private static func isPresence(_ matcher: ValueMatcher) -> Bool {
        matcher.operator == .matches && matcher.operand == ".*"
    }
}
