/// The body of a request that is asked for before all of it has come: what is passed on while it is sent costs no memory.
/// Everything happens on the loop of the connection.
public protocol BodyStream: AnyObject, Sendable {
    /// The number of bytes that the client has announced; nil for a body in chunks.
    var count: Int? { get }
    /// Begins to read. Called once.
    /// - Parameters:
    ///   - onBytes: called with each piece, in their order.
    ///   - onEnd: called once: with the trailer fields, or nil if the client left before the end of the body.
    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (_ trailers: [(name: String, value: String)]?) -> Void)
    /// Stops to read, or goes on: what comes meanwhile waits with the client.
    func read(_ reads: Bool)
}
