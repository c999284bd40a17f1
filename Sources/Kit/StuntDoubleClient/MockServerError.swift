/// A call that the server refused, or that did not reach it.
///
/// Two errors that differ in their place alone are equal.
public struct MockServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of what went wrong; for a call that the server refused, in the server's own words.
    public var message: String
    /// The method and the path of the call: `POST /__admin/mappings`. Nil if no call is at fault.
    public var call: String?
    /// The status with which the server refused the call; nil if there is none.
    public var status: Int?
    /// The place in the test that made the call; nil for calls that do not know it, such as those of properties.
    public var callSite: CallSite?

    /// Makes an error.
    public init(_ message: String, call: String? = nil, status: Int? = nil, at callSite: CallSite? = nil) {
        self.message = message
        self.call = call
        self.status = status
        self.callSite = callSite
    }

    /// The place, the call and the status, as far as there are any, and the message.
    public var description: String {
        var text = callSite.map { "\($0): " } ?? ""
        if let call { text += status.map { "\(call) was refused with \($0): " } ?? "\(call): " }
        return text + message
    }

    public static func == (one: MockServerError, other: MockServerError) -> Bool {
        (one.message, one.call, one.status) == (other.message, other.call, other.status)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(call)
        hasher.combine(status)
    }
}

extension MockServerError: PlacedError {
    package var place: CallSite? { callSite }

    package func placed(at callSite: CallSite) -> MockServerError {
        MockServerError(message, call: call, status: status, at: self.callSite ?? callSite)
    }
}
