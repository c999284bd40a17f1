import SDJournal
import SDStubModel
import Synchronization

/// The state of a session's own port: how new connections are treated.
public struct PortState: Sendable, Equatable {
    public enum Mode: Sendable, Equatable {
        case open
        /// Connections are refused.
        case down
        /// Connections are accepted, but never read.
        case stalled
    }

    public var mode = Mode.open
    /// The number of connections to reset right after they are accepted.
    public var refusals = 0

    /// The state that faults demand; the last mode wins.
    init(_ faults: [SessionFault.PortFault]) {
        for fault in faults {
            switch fault {
            case .refuseNext(let count): refusals += count
            case .down: mode = .down
            case .acceptAndStall: mode = .stalled
            }
        }
    }
}

/// The reason why a session's port could not be reopened.
public struct PortProblem: Error, Sendable {
    public let message: String

    public init(message: String) {
        self.message = message
    }
}

extension SessionFault.PortFault {
    var key: String {
        if case .refuseNext = self { "refuseNext" } else { "listener" }
    }

    var outcome: String? {
        switch self {
        case .refuseNext: nil
        case .down: "down"
        case .acceptAndStall: "acceptAndStall"
        }
    }
}

extension Session {
    /// Whether the session has a port of its own.
    public var hasPort: Bool { endpoint != nil }

    /// Whether the session has a port of its own that serves HTTPS.
    public var hasSecuredPort: Bool { endpoint?.httpsPort != nil }

    /// Applies the session's port faults.
    /// - Parameter done: called once they are applied, on any thread, at once if nothing has changed; with the reason
    ///   on failure.
    public func applyPortFaults(_ done: @escaping @Sendable (PortProblem?) -> Void = { _ in }) {
        guard let endpoint else { return done(nil) }
        let (faults, new, isNew) = state.withLock { state in
            let ports = state.faults.filter { $0.fault.port != nil }
            let ids = ports.map(\.id)
            let known = state.portFaults
            defer { state.portFaults = ids }
            return (ports.compactMap(\.fault.port), ports.filter { !known.contains($0.id) }, ids != known)
        }
        // An unchanged fault is not counted again.
        guard isNew else { return done(nil) }
        endpoint.change(to: PortState(faults)) { [self] problem in
            // The kernel refuses connections silently, so only the port's going down is counted.
            if problem == nil {
                for fault in new where fault.fault.port?.outcome != nil {
                    shared.requests.noteFault(fault.fault.port?.key ?? "")
                }
                state.withLock { state in
                    for fault in new where fault.fault.port?.outcome != nil { state.faultLedger.note(fault.program) }
                }
            }
            done(problem)
        }
    }
}
