import SDPlatform
import Synchronization

/// The ports of sessions that have ended. A late request to one must not reach the next session, so the system's choice
/// of a free port is refused for a while: for as long as sockets linger (RFC 9293, section 3.4.2).
final class RestingPorts: Sendable {
    private struct State {
        var closed: [UInt16: MonotonicInstant] = [:]
        /// The count at which those that have rested are forgotten.
        var forgetsAt = 256
    }

    private static let rest = Duration.seconds(60)

    private let state = Mutex(State())

    /// A session is over; its port rests from now on.
    func add(_ port: UInt16) {
        state.withLock { state in
            state.closed[port] = .now
            guard state.closed.count >= state.forgetsAt else { return }
            state.closed = state.closed.filter { $0.value.elapsed < Self.rest }
            state.forgetsAt = max(256, 2 * state.closed.count)
        }
    }

    /// Whether a port rests still.
    func contains(_ port: UInt16) -> Bool {
        state.withLock { $0.closed[port].map { $0.elapsed < Self.rest } ?? false }
    }
}
