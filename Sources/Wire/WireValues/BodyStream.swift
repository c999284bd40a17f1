import Synchronization

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
    /// What is kept of the body for others; nil if nothing is.
    var beginning: BodyBeginning? { get }
}

extension BodyStream {
    public var beginning: BodyBeginning? { nil }
}

/// The beginning of a body that is passed on, for those who look at the request later. Any thread.
public final class BodyBeginning: Sendable {
    /// What has come so far.
    public struct State: Sendable {
        public fileprivate(set) var bytes: [UInt8] = []
        /// The number of bytes of the body.
        public fileprivate(set) var count = 0
        /// Whether nothing more comes.
        public fileprivate(set) var hasEnded = false
        fileprivate var limit = 0
    }

    private let kept = Mutex(State())

    package init() {}

    /// Keeps so many bytes from now on: called before the body is read.
    public func keep(_ limit: Int) { kept.withLock { $0.limit = max(limit, 0) } }

    public var state: State { kept.withLock { $0 } }

    package func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        kept.withLock { kept in
            kept.count += bytes.count
            let room = kept.limit - kept.bytes.count
            if room > 0 { kept.bytes += bytes.prefix(room) }
        }
    }

    package func end() { kept.withLock { $0.hasEnded = true } }
}
