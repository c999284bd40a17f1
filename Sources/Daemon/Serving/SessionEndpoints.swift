import SDAdminAPI
import SDHTTPTransport
import SDMockEngine
import Synchronization

/// The listeners of a session's own ports, at each of the daemon's addresses.
struct SessionListeners: SessionEndpoint {
    /// The addresses, and the server that accepts there.
    struct Place {
        let server: Server
        let addresses: [String]
        let tag: UInt64
        let worker: Int
        /// The cooldown of closed ports.
        let resting: PortCooldown
    }

    private let plain, secured: OwnPort?
    private let resting: PortCooldown

    var port: UInt16? { plain?.number }
    var httpsPort: UInt16? { secured?.number ?? (plain?.isSecured == true ? plain?.number : nil) }

    /// Opens the listeners.
    /// - Parameters:
    ///   - plain: TLS settings for the HTTP port; nil for plain HTTP only.
    ///   - secured: TLS settings for the HTTPS port.
    /// - Throws: if a port is taken or cannot be opened.
    init(
        at place: Place, _ ports: SessionPorts, plain: TLSSettings?, secured: TLSSettings?
    ) throws(EndpointProblem) {
        resting = place.resting
        let first = try ports.http.map { port throws(EndpointProblem) in try OwnPort(at: place, port, plain) }
        self.plain = first
        do throws(EndpointProblem) {
            self.secured = try ports.https.map { port throws(EndpointProblem) in try OwnPort(at: place, port, secured) }
        } catch {
            first?.close()
            var problem = error
            problem.isOfHTTPS = true
            throw problem
        }
    }

    private var listeners: [OpenListener] { (plain?.listeners ?? []) + (secured?.listeners ?? []) }

    func change(to state: PortState, _ done: @escaping @Sendable (PortProblem?) -> Void) {
        let mode: OpenListener.Mode =
            switch state.mode {
            case .open: .open
            case .down: .down
            case .stalled: .stalled
            }
        // The listeners share a loop, so the last one changes last.
        let first = FirstProblem()
        let listeners = listeners
        for (index, listener) in listeners.enumerated() {
            let isLast = index == listeners.count - 1
            listener.change(to: mode, refusals: state.refusals) { error in
                let problem = first.add(error)
                if isLast { done(problem.map { PortProblem(message: $0.description) }) }
            }
        }
    }

    func close() {
        for own in [plain, secured] {
            if let own { resting.add(own.number) }
            own?.close()
        }
    }
}

/// One of a session's ports, open at each address.
private struct OwnPort {
    let listeners: [OpenListener]
    let number: UInt16
    let isSecured: Bool

    /// The maximum number of attempts to find a port that is free at all addresses.
    private static let maxAttempts = 10
    /// The maximum number of ports rejected because they cool down. Each is held meanwhile, so that the system offers
    /// others.
    private static let maxRefused = 50

    /// Opens the port.
    /// - Parameter port: the port; 0 for one that is free at all addresses and not cooling down.
    /// - Throws: if the port is taken or cannot be opened.
    init(at place: SessionListeners.Place, _ port: UInt16, _ tls: TLSSettings?) throws(EndpointProblem) {
        var attempt = 1
        var refused: [OpenListener] = []
        defer { for listener in refused { listener.close() } }
        while true {
            do throws(TransportError) {
                let opened = try Self.open(place, port, tls)
                let number = opened.first?.port ?? 0
                if port == 0, refused.count < Self.maxRefused, place.resting.contains(number) {
                    refused += opened
                    continue
                }
                (listeners, self.number, isSecured) = (opened, number, tls != nil)
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
        _ place: SessionListeners.Place, _ port: UInt16, _ tls: TLSSettings?
    ) throws(TransportError) -> [OpenListener] {
        var listeners: [OpenListener] = []
        do throws(TransportError) {
            for address in place.addresses {
                let port = listeners.first?.port ?? port
                listeners.append(
                    try place.server.open(
                        address: address, port: port, tag: place.tag, worker: place.worker, tls: tls))
            }
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        return listeners
    }

    func close() {
        for listener in listeners { listener.close() }
    }
}

/// The first error of several changes.
private final class FirstProblem: Sendable {
    private let found = Mutex<TransportError?>(nil)

    /// Adds the result of a change.
    /// - Returns: the first error so far.
    func add(_ error: TransportError?) -> TransportError? {
        found.withLock { found in
            found = found ?? error
            return found
        }
    }
}
