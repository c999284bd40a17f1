import SDAdminAPI
import SDHTTPTransport
import SDMockEngine
import Synchronization

/// The listeners of a session's own port, one for each of the daemon's addresses.
struct SessionListeners: SessionEndpoint {
    private let listeners: [OpenListener]
    let port: UInt16
    private let resting: RestingPorts

    /// The number of attempts to find a port that is free at all addresses.
    private static let maxAttempts = 10
    /// The number of ports that are refused because they rest. Each is held meanwhile, so that the system names others.
    private static let maxRefused = 50

    /// Opens the listeners.
    /// - Parameters:
    ///   - port: the port; 0 takes one that is free at all addresses and does not rest.
    ///   - resting: is told of the port when it is closed.
    /// - Throws: if the port is taken or cannot be opened.
    init(
        _ server: Server, addresses: [String], port: UInt16, tag: UInt64, worker: Int, resting: RestingPorts
    ) throws(EndpointProblem) {
        self.resting = resting
        var attempt = 1
        var refused: [OpenListener] = []
        defer { for listener in refused { listener.close() } }
        while true {
            do throws(TransportError) {
                let opened = try Self.open(server, addresses, port, tag, worker)
                let number = opened.first?.port ?? 0
                if port == 0, refused.count < Self.maxRefused, resting.contains(number) {
                    refused += opened
                    continue
                }
                (listeners, self.port) = (opened, number)
                return
            } catch {
                guard port == 0, error.isAddressInUse, attempt < Self.maxAttempts else {
                    throw EndpointProblem(isTaken: error.isAddressInUse, message: error.description)
                }
                attempt += 1
            }
        }
    }

    private static func open(
        _ server: Server, _ addresses: [String], _ port: UInt16, _ tag: UInt64, _ worker: Int
    ) throws(TransportError) -> [OpenListener] {
        var listeners: [OpenListener] = []
        do throws(TransportError) {
            for address in addresses {
                let port = listeners.first?.port ?? port
                listeners.append(try server.open(address: address, port: port, tag: tag, worker: worker))
            }
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        return listeners
    }

    func change(to state: PortState, _ done: @escaping @Sendable (PortProblem?) -> Void) {
        let mode: OpenListener.Mode =
            switch state.mode {
            case .open: .open
            case .down: .down
            case .stalled: .stalled
            }
        // The listeners share a loop, so the last one is changed last.
        let first = FirstProblem()
        for (index, listener) in listeners.enumerated() {
            let isLast = index == listeners.count - 1
            listener.change(to: mode, refusals: state.refusals) { error in
                let problem = first.add(error)
                if isLast { done(problem.map { PortProblem(message: $0.description) }) }
            }
        }
    }

    func close() {
        resting.add(port)
        for listener in listeners { listener.close() }
    }
}

/// The first error of several changes.
private final class FirstProblem: Sendable {
    private let found = Mutex<TransportError?>(nil)

    /// Adds the outcome of a change.
    /// - Returns: the first error so far.
    func add(_ error: TransportError?) -> TransportError? {
        found.withLock { found in
            found = found ?? error
            return found
        }
    }
}
