/// A call that the server rejected, or that did not reach it.
///
/// Two errors that differ only in their call site are equal.
public struct MockServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong; for a rejected call, the server's message.
    public var message: String
    /// The method and path of the call: `POST /__admin/mappings`. Nil if the error is not about a call.
    public var call: String?
    /// The status of the server's answer to a rejected call; nil otherwise.
    public var status: Int?
    /// The call site in the test; nil if unknown, as for properties.
    public var callSite: CallSite?

    /// Makes an error.
    public init(_ message: String, call: String? = nil, status: Int? = nil, at callSite: CallSite? = nil) {
        self.message = message
        self.call = call
        self.status = status
        self.callSite = callSite
    }

    /// The call site, call and status, where present, and the message.
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

extension MockServerError: CallSiteError {
    package var place: CallSite? { callSite }

    package func placed(at callSite: CallSite) -> MockServerError {
        MockServerError(message, call: call, status: status, at: self.callSite ?? callSite)
    }
}
