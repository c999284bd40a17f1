import SDHTTPTransport
import Synchronization

/// A call that is held open until it ends for any reason: it was answered, its client left, or the daemon ends. The
/// first to end it gets its stream.
final class HeldCall: Sendable {
    private struct State {
        var stream: HeldStream?
        var isOver = false
        var cleanUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func keep(_ stream: HeldStream) {
        state.withLock { if !$0.isOver { $0.stream = stream } }
    }

    /// The stream; nil once the call is over.
    var stream: HeldStream? { state.withLock { $0.stream } }

    /// Calls `work` once when the call is over, or at once if it already is.
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
    func end() -> HeldStream? {
        let (stream, cleanUp) = state.withLock { state in
            state.isOver = true
            return (state.stream.take(), state.cleanUp.take())
        }
        cleanUp?()
        return stream
    }
}
