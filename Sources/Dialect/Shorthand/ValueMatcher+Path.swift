import SDJSON
package import SDStubModel

extension ValueMatcher {
    /// The matcher with its texts in the wire format of a path, because received paths are not decoded. Regular
    /// expressions stay unchanged.
    /// - Throws: an error for an invalid escape.
    package func spelledAsPath() throws(RouteKey.Failure) -> ValueMatcher {
        var json = json
        let key = `operator`.rawValue
        switch (`operator`, operand) {
        case (let name, .string(let text)) where name.isSpeltAsPath:
            json[key] = .string(try RoutePath.onTheWire(text))
        case (.not, let operand): json[key] = try Self.spelledAsPath(operand)
        case (.and, .array(let elements)), (.or, .array(let elements)):
            var spelled: [JSONValue] = []
            for element in elements { spelled.append(try Self.spelledAsPath(element)) }
            json[key] = .array(spelled)
        default: break
        }
        return ValueMatcher(`operator`, json: json)
    }

    private static func spelledAsPath(_ value: JSONValue) throws(RouteKey.Failure) -> JSONValue {
        guard case .object(let object) = value, let name = deciding(object, .single) else { return value }
        return try ValueMatcher(name, json: object).spelledAsPath().jsonValue
    }
}
