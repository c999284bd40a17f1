import AdminAPI
import HTTPTransport
import MockEngine

/// The listeners of a session's own port, one for each of the daemon's addresses.
struct SessionListeners: SessionEndpoint {
    private let listeners: [OpenListener]
    let port: UInt16

    /// The number of attempts to find a port that is free at all addresses.
    private static let mostAttempts = 10

    /// Opens the listeners.
    /// - Parameter port: the port; 0 takes one that is free at all addresses.
    /// - Throws: if the port is taken or cannot be opened.
    init(
        _ server: Server, addresses: [String], port: UInt16, tag: UInt64, worker: Int
    ) throws(EndpointProblem) {
        var attempt = 1
        while true {
            do throws(TransportError) {
                listeners = try Self.open(server, addresses, port, tag, worker)
                self.port = listeners.first?.port ?? 0
                return
            } catch {
                guard port == 0, error.isAddressInUse, attempt < Self.mostAttempts else {
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

    func close() {
        for listener in listeners { listener.close() }
    }
}
