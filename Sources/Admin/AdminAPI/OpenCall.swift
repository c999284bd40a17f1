import SDHTTPTransport
import Synchronization

/// A call held open until it ends for any reason: it was answered, its client disconnected, or the daemon stops. The
/// first to end it gets its stream.
final class OpenCall: Sendable {
    private struct State {
        var stream: StreamingReply?
        var isOver = false
        var cleanUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func attach(_ stream: StreamingReply) {
        state.withLock { if !$0.isOver { $0.stream = stream } }
    }

    /// The stream; nil once the call is over.
    var stream: StreamingReply? { state.withLock { $0.stream } }

    /// Calls `work` once the call is over; at once if it already is.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.cleanUp = work }
            return state.isOver
        }
        if isOver { work() }
    }

    /// Ends the call.
    /// - Returns: the stream for the first caller, nil for all others.
    @discardableResult
    func claimStream() -> StreamingReply? {
        let (stream, cleanUp) = state.withLock { state in
            state.isOver = true
            return (state.stream.take(), state.cleanUp.take())
        }
        cleanUp?()
        return stream
    }
}
