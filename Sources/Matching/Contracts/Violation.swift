public import SDJSON

/// A way in which a request or an answer is not as its contract has it.
public struct Violation: Sendable, Hashable {
    public enum Location: String, Sendable, CaseIterable {
        case path, query, header, cookie, body, security, method, status
        case contentType = "content type"
    }

    public var location: Location
    /// The parameter's or header's name; nil for others.
    public var name: String?
    /// The place in the value, such as `/items/0/price`.
    public var pointer: JSONPointer
    /// The keyword of the schema that it breaks, such as `maximum`; nil if it breaks none.
    public var keyword: String?
    /// A sentence without a full stop.
    public var message: String
    /// What is valid there.
    public var expected: String?
    /// What was found there.
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
