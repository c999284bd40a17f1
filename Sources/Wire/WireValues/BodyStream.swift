import Synchronization

/// A request's body that is streamed: relaying it costs no memory. Everything happens on the connection's loop.
public protocol BodyStream: AnyObject, Sendable {
    /// The announced number of bytes; nil for a chunked body.
    var count: Int? { get }
    /// Starts to read. Called once.
    /// - Parameters:
    ///   - onBytes: called with each slice, in order.
    ///   - onEnd: called once: with the trailer fields, or nil if the client disconnected before the end of the body.
    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (_ trailers: [(name: String, value: String)]?) -> Void)
    /// Pauses or resumes reading; meanwhile the bytes wait at the client.
    func setReading(_ reads: Bool)
    /// The recorded start of the body; nil if it is not recorded.
    var beginning: BodyPrefix? { get }
}

extension BodyStream {
    public var beginning: BodyPrefix? { nil }
}

/// The start of a relayed body, recorded for later inspection of the request. Any thread.
public final class BodyPrefix: Sendable {
    /// The bytes received so far.
    public struct State: Sendable {
        public fileprivate(set) var bytes: [UInt8] = []
        /// The total number of bytes received.
        public fileprivate(set) var count = 0
        /// Whether the body has ended.
        public fileprivate(set) var hasEnded = false
        fileprivate var limit = 0
    }

    private let kept = Mutex(State())

    package init() {}

    /// Sets how many bytes to record; called before the body is read.
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
