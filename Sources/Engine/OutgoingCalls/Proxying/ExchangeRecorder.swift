package import SDHTTPTransport
package import SDJournal
package import SDUpstream

/// Keeps what passes to other servers and back, whole, while it passes.
package protocol ExchangeRecorder: AnyObject, Sendable {
    /// Begins the record of a proxied request; nil if it is not kept. Called on the loop of the request.
    /// - Parameters:
    ///   - request: with its whole body, unless that is streamed.
    ///   - url: the URL that is called.
    func begin(_ event: ServeEvent, _ request: Request, url: String) -> (any ExchangeRecord)?
}

/// The record of one proxied request. Called on the loop of the request.
package protocol ExchangeRecord: AnyObject, Sendable {
    /// What of a streamed body was sent to the other server.
    func sent(_ bytes: [UInt8])
    func answered(_ head: UpstreamHead)
    /// A piece of the body as it came.
    func received(_ bytes: [UInt8])
    /// - Parameter end: the trailers of a whole answer, or why the call broke off.
    func ended(_ end: Result<[(name: String, value: String)], UpstreamProblem>)
}
