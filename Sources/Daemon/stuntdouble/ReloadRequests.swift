import SDPlatform
import Synchronization

/// Requests to read the folder again. Those that come while a reading is due are met by that one, and a reading begins
/// no sooner than half a second after the one before it: a thousand requests in a row are two readings.
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
    ///   - after: does work later, on any thread.
    ///   - read: reads the folder, now or later, and calls `began` right before it does.
    init(
        after: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
        read: @escaping @Sendable (_ began: @escaping @Sendable () -> Void) -> Void
    ) {
        self.after = after
        self.read = read
    }

    /// Asks for a reading that begins after this call.
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
