package import SDHTTPTransport
package import SDJournal
package import SDUpstream

/// Records whole exchanges with other servers while they are in progress.
package protocol ExchangeRecorder: AnyObject, Sendable {
    /// Starts the record of a proxied request; nil if it is not recorded. Called on the loop of the request.
    /// - Parameters:
    ///   - request: the request with its whole body, unless that is streamed.
    ///   - url: the URL that is called.
    func begin(_ event: ServeEvent, _ request: Request, url: String) -> (any ExchangeRecord)?
}

/// The record of one proxied request. Called on the loop of the request.
package protocol ExchangeRecord: AnyObject, Sendable {
    /// Body bytes that were sent to the other server, for a streamed body.
    func sent(_ bytes: [UInt8])
    func answered(_ head: UpstreamHead)
    /// Body bytes as they were received.
    func received(_ bytes: [UInt8])
    /// - Parameter end: the trailers of a whole answer, or why the call broke off.
    func ended(_ end: Result<[(name: String, value: String)], UpstreamProblem>)
}
