package import SDJSON

extension Stub {
    /// A JSON value: a literal in source order, or received from the server.
    ///
    /// `["id": 7, "tags": ["a", "b"], "author": .null, "address": .encoding(address)]`
    public struct JSON: Sendable, Hashable {
        package var value: JSONValue

        package init(_ value: JSONValue) {
            self.value = value
        }

        /// Null.
        public static var null: JSON { JSON(.null) }

        /// A value inside a literal, encoded as JSON: `["id": .encoding(order.id), "name": "x"]`.
        ///
        /// A value that cannot be encoded fails when the stub is added.
        public static func encoding(_ value: some Encodable) -> JSON { JSON(.encoding(value)) }

        /// A matcher in the claims of
        /// ``Stub/Match/jwt(claims:header:)``, or in the parameters of ``Stub/Request/state(_:)``.
        public static func matcher(_ matcher: Match) -> JSON { JSON(matcher.jsonValue) }

        /// The member of an object; nil if it is missing or this is not an object.
        public subscript(key: String) -> JSON? { value[key].map(JSON.init) }
        /// The element of a list; nil if it is missing or this is not a list.
        public subscript(index: Int) -> JSON? { value[index].map(JSON.init) }
        /// The elements of a list; nil if this is not a list.
        public var arrayValue: [JSON]? { value.arrayValue?.map(JSON.init) }
        /// The string; nil if this is not a string.
        public var stringValue: String? { value.stringValue }
        /// The integer; nil if this is not an integer.
        public var intValue: Int? { value.intValue }
        /// The number; nil if this is not a number.
        public var doubleValue: Double? { value.doubleValue }
        /// The boolean; nil if this is not a boolean.
        public var boolValue: Bool? { value.boolValue }
    }
}

extension Stub.JSON: CustomStringConvertible {
    /// The JSON as text, without spaces.
    public var description: String { value.compactText }
}

extension Stub.JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
    public init(integerLiteral value: Int) { self.init(JSONValue(integerLiteral: value)) }
    public init(floatLiteral value: Double) { self.init(JSONValue(floatLiteral: value)) }
    public init(stringLiteral value: String) { self.init(.string(value)) }
    public init(arrayLiteral elements: Stub.JSON...) { self.init(.array(elements.map(\.value))) }
    public init(dictionaryLiteral elements: (String, Stub.JSON)...) {
        self.init(.object(JSONObject(elements.map { ($0.0, $0.1.value) })))
    }
}

extension JSONObject {
    /// Makes an object with its members sorted by name.
    package init(_ members: [String: Stub.JSON]) {
        self.init(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) })
    }
}
