import SDPlatform
import Synchronization

/// The ports of ended sessions. A late request must not reach the next session, so a free port that the system offers
/// is rejected for a while: as long as sockets linger (RFC 9293, section 3.4.2).
final class PortCooldown: Sendable {
    private struct State {
        var closed: [UInt16: MonotonicInstant] = [:]
        /// The count at which expired ports are removed.
        var forgetsAt = 256
    }

    private static let rest = Duration.seconds(60)

    private let state = Mutex(State())

    /// Starts the cooldown of an ended session's port.
    func add(_ port: UInt16) {
        state.withLock { state in
            state.closed[port] = .now
            guard state.closed.count >= state.forgetsAt else { return }
            state.closed = state.closed.filter { $0.value.elapsed < Self.rest }
            state.forgetsAt = max(256, 2 * state.closed.count)
        }
    }

    /// Whether a port is still cooling down.
    func contains(_ port: UInt16) -> Bool {
        state.withLock { $0.closed[port].map { $0.elapsed < Self.rest } ?? false }
    }
}
