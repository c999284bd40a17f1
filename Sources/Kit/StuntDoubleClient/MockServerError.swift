/// A call that the server refused, or that did not reach it.
public struct MockServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of what went wrong; for a call that the server refused, in the server's own words.
    public var message: String
    /// The method and the path of the call: `POST /__admin/mappings`. Nil if no call is at fault.
    public var call: String?
    /// The status with which the server refused the call; nil if there is none.
    public var status: Int?

    /// Makes an error.
    public init(_ message: String, call: String? = nil, status: Int? = nil) {
        self.message = message
        self.call = call
        self.status = status
    }

    /// The call, the status if there is one, and the message.
    public var description: String {
        guard let call else { return message }
        guard let status else { return "\(call): \(message)" }
        return "\(call) was refused with \(status): \(message)"
    }
}
