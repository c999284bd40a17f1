import SDPlatform
import Synchronization

/// Coalesces requests to reload the folder. A request during the wait for a reload joins it, and reloads start at least
/// half a second apart: a thousand requests in a row cause two reloads.
final class ReloadRequests: Sendable {
    private struct State {
        var isDue = false
        var lastBegin: MonotonicInstant?
    }

    private static let pause = Duration.milliseconds(500)

    private let state = Mutex(State())
    private let read: @Sendable (_ began: @escaping @Sendable () -> Void) -> Void
    private let after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - after: runs work later, on any thread.
    ///   - read: reloads the folder, now or later; calls `began` right before it does.
    init(
        after: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
        read: @escaping @Sendable (_ began: @escaping @Sendable () -> Void) -> Void
    ) {
        self.after = after
        self.read = read
    }

    /// Requests a reload that starts after this call.
    func ask() {
        let wait = state.withLock { state -> Duration? in
            if state.isDue { return nil }
            state.isDue = true
            return state.lastBegin.map { max(.zero, Self.pause - $0.elapsed) } ?? .zero
        }
        guard let wait else { return }
        if wait == .zero { begin() } else { after(wait) { [self] in begin() } }
    }

    private func begin() {
        read { [self] in
            state.withLock { state in
                state.isDue = false
                state.lastBegin = .now
            }
        }
    }
}
