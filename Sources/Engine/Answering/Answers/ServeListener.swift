package import SDHTTPTransport
package import SDTemplating

/// Something that is done beside the answers of a stub: its state is recorded, others are called.
///
/// It says in which phases it has work. In others it is not asked, and a stub without listeners costs its requests
/// nothing.
package protocol ServeListener: Sendable {
    var phases: ServePhases { get }
    /// Whether it reads the whole bodies of an exchange, which are kept for it until then.
    var readsBodies: Bool { get }
    /// Its work before a response, for messages: "recording its state".
    var task: String { get }
    /// Called once the response is made, before its first byte, where the response is made: on a loop or beside it.
    /// - Parameter environment: the values of templates, which see the request and the response.
    /// - Throws: why the response cannot be sent; the client gets a 500 that says so.
    func beforeResponse(_ session: any AnsweringSession, _ environment: RenderEnvironment) throws(ListenerProblem)
    /// Called on the loop when the exchange is over, however it ended, before anybody learns of it.
    func exchangeEnds(_ exchange: ServedExchange, _ outcome: StreamEnd.Outcome)
    /// Called on the loop when the last byte of the response was sent, before anybody learns that the exchange is over:
    /// what is begun here, nobody who waits for the session to be idle can miss. Not called for a response that was not
    /// sent to its end.
    func responseSent(_ exchange: ServedExchange)
    /// Called on the loop when the exchange is over, however it ended, and journal, log and readers know of it.
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

/// The phases of an exchange in which listeners are told.
package struct ServePhases: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let beforeResponse = ServePhases(rawValue: 1)
    package static let responseSent = ServePhases(rawValue: 2)
    package static let exchangeEnded = ServePhases(rawValue: 4)
    package static let exchangeEnds = ServePhases(rawValue: 8)
}

/// The reason why a listener could not do its work, as a clause.
package struct ListenerProblem: Error {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
