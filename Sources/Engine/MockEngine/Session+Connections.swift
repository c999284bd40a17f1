public import SDHTTPTransport
import SDJournal
import SDReports
public import SDStubModel
import Synchronization

extension SessionRegistry {
    /// The fault of TLS with which a client is met that begins a handshake; nil for none. The caller makes it act: it is
    /// counted. Any thread; reads one atomic for as long as no session has had a fault of connections.
    /// - Parameters:
    ///   - origin: the listener that accepted the connection.
    ///   - serverName: the server that the client asks for (SNI), in lower case; nil if it names none.
    public func tlsFault(origin: Request.Origin, serverName: String?) -> TLSFault? {
        fault(origin, serverName) { if case .tls(let fault) = $0 { fault } else { nil } }
    }

    /// The fault with which a connection is met that begins to speak HTTP/2; nil for none. As `tlsFault`.
    public func http2Fault(origin: Request.Origin, serverName: String?) -> HTTP2Fault? {
        fault(origin, serverName) { if case .http2(let fault) = $0 { fault } else { nil } }
    }

    /// Keeps for the report that a handshake came to nothing.
    /// - Parameter text: who began it, and why it ended.
    public func noteFailedHandshake(_ text: String, _ origin: Request.Origin, serverName: String?) {
        let session = session(origin, serverName) ?? base
        session.noteRefusal(.handshake, serverName ?? "port \(origin.port)", text, logging: .never)
    }

    private func fault<Fault>(
        _ origin: Request.Origin, _ serverName: String?, _ part: (ConnectionFault.Kind) -> Fault?
    ) -> Fault? {
        guard base.shared.breaksConnections.load(ordering: .relaxed) else { return nil }
        return session(origin, serverName)?.connectionFault(serverName: serverName, part)
    }

    /// The session that a connection is for as far as that can be told before a request: the host counts before the port,
    /// as it does for requests. Nil for one that has ended.
    private func session(_ origin: Request.Origin, _ serverName: String?) -> Session? {
        let host = isEmpty ? nil : serverName.flatMap { SessionID(host: $0.utf8) }
        guard
            let id = host.flatMap({ find($0) == nil ? nil : $0 })
                ?? (origin.tag == 0 || origin.tag == Request.Origin.adminTag ? nil : SessionID(number: origin.tag))
        else { return base }
        guard case .alive(let live)? = find(id) else { return nil }
        return live.session
    }
}

extension Session {
    /// The part of the first fault of connections that acts on this one.
    fileprivate func connectionFault<Fault>(
        serverName: String?, _ part: (ConnectionFault.Kind) -> Fault?
    ) -> Fault? {
        let found = state.withLock { state -> (ConnectionFault, Fault)? in
            for fault in state.faults {
                guard let connection = fault.fault.connection, let part = part(connection.kind),
                    connection.concerns(serverName),
                    state.faultLedger.acts(fault.program, now: state.clock(), &state.generator)
                else { continue }
                return (connection, part)
            }
            return nil
        }
        guard let (fault, part) = found else { return nil }
        shared.requests.noteFault(fault.key)
        trouble?.broke("\(fault.key): \(fault.name)", serverName: serverName, session: options.label)
        return part
    }
}
