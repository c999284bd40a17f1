package import SDHTTPTransport
package import SDTemplating

/// An action besides the answers of a stub, such as recording state or sending webhooks.
///
/// It states the phases in which it acts. It is not called in others, and a stub without listeners costs its requests
/// nothing.
package protocol ServeListener: Sendable {
    var phases: ServePhases { get }
    /// Whether it reads the whole bodies of an exchange, which are stored for it.
    var readsBodies: Bool { get }
    /// The name of its work before a response, for messages: "recording its state".
    var task: String { get }
    /// Called once the response is made, before its first byte, on the same thread: a loop or a background thread.
    /// - Parameter environment: the template values, including the request and the response.
    /// - Throws: why the response cannot be sent; the client gets a 500 that says so.
    func beforeResponse(_ session: any AnsweringSession, _ environment: RenderEnvironment) throws(ListenerProblem)
    /// Called on the loop when the exchange is over, however it ended, before its end is published.
    func exchangeEnds(_ exchange: ServedExchange, _ outcome: StreamEnd.Outcome)
    /// Called on the loop when the last byte of the response was sent, before the end is published: work that starts
    /// here is seen by every caller that waits for the session to be idle. Not called for a response that was not sent
    /// to its end.
    func responseSent(_ exchange: ServedExchange)
    /// Called on the loop when the exchange is over, however it ended, and journal, log and readers have its end.
    func exchangeEnded(_ exchange: ServedExchange)
}

extension ServeListener {
    package var readsBodies: Bool { false }
    package var task: String { "telling its listeners" }
    package func beforeResponse(
        _ session: any AnsweringSession, _ environment: RenderEnvironment
    ) throws(ListenerProblem) {}
    package func exchangeEnds(_ exchange: ServedExchange, _ outcome: StreamEnd.Outcome) {}
    package func responseSent(_ exchange: ServedExchange) {}
    package func exchangeEnded(_ exchange: ServedExchange) {}
}

/// The phases of an exchange in which listeners are called.
package struct ServePhases: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let beforeResponse = ServePhases(rawValue: 1)
    package static let responseSent = ServePhases(rawValue: 2)
    package static let exchangeEnded = ServePhases(rawValue: 4)
    package static let exchangeEnds = ServePhases(rawValue: 8)
}

/// The reason why a listener failed, as a clause.
package struct ListenerProblem: Error {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
