public import SDJSON

/// A violation of a contract by a request or an answer.
public struct Violation: Sendable, Hashable {
    public enum Location: String, Sendable, CaseIterable {
        case path, query, header, cookie, body, security, method, status
        case contentType = "content type"
    }

    public var location: Location
    /// The parameter's or header's name; nil otherwise.
    public var name: String?
    /// The location in the value, such as `/items/0/price`.
    public var pointer: JSONPointer
    /// The violated keyword of the schema, such as `maximum`; nil if it is not a schema's.
    public var keyword: String?
    /// A sentence without a full stop.
    public var message: String
    /// What would be valid.
    public var expected: String?
    /// What was found.
    public var found: String?

    /// Makes a violation.
    public init(
        _ location: Location, name: String? = nil, pointer: JSONPointer = .root, keyword: String? = nil,
        message: String, expected: String? = nil, found: String? = nil
    ) {
        self.location = location
        self.name = name
        self.pointer = pointer
        self.keyword = keyword
        self.message = message
        self.expected = expected
        self.found = found
    }
}
