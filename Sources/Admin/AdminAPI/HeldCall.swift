import HTTPTransport
import Synchronization

/// A call that is held open until it is over for whatever reason: it was answered, its client has gone, the daemon ends.
/// Who ends it first has its stream.
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

    /// Nil once it is over.
    var stream: HeldStream? { state.withLock { $0.stream } }

    /// Calls `work` once, when it is over: at once where it is so already.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.cleanUp = work }
            return state.isOver
        }
        if isOver { work() }
    }

    /// - Returns: the stream, to the first who ends it.
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
