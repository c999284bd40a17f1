public import SDHTTPTransport
import SDJournal
import SDReports
public import SDStubModel
import Synchronization

extension SessionRegistry {
    /// The TLS fault for a new handshake; nil for none. The fault is counted, so the caller must apply it. Any thread;
    /// reads one atomic as long as no session has had a connection fault.
    /// - Parameters:
    ///   - origin: the listener that accepted the connection.
    ///   - serverName: the server name of the client hello (SNI), in lower case; nil if the client sent none.
    public func tlsFault(origin: Request.Origin, serverName: String?) -> TLSFault? {
        fault(origin, serverName) { if case .tls(let fault) = $0 { fault } else { nil } }
    }

    /// The fault for a connection that starts HTTP/2; nil for none. As `tlsFault`.
    public func http2Fault(origin: Request.Origin, serverName: String?) -> HTTP2Fault? {
        fault(origin, serverName) { if case .http2(let fault) = $0 { fault } else { nil } }
    }

    /// Records a failed handshake for the report.
    /// - Parameter text: who started it, and why it failed.
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

    /// The session of a connection, as far as it is known before a request: the host takes precedence over the port, as
    /// for requests. Nil if that session has ended.
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
    /// The value of the first connection fault that acts on this connection.
    fileprivate func connectionFault<Fault>(
        serverName: String?, _ part: (ConnectionFault.Kind) -> Fault?
    ) -> Fault? {
        let found = state.withLock { state -> (ConnectionFault, Fault, StubMapping.ID)? in
            for fault in state.faults {
                guard let connection = fault.fault.connection, let part = part(connection.kind),
                    connection.concerns(serverName),
                    state.faultLedger.acts(fault.program, now: state.clock(), &state.generator)
                else { continue }
                return (connection, part, fault.id)
            }
            return nil
        }
        guard let (fault, part, id) = found else { return nil }
        notes?.add(.acts) { writer in
            writer.add(id.lowercasedString)
            writer.add(count: 1)
        }
        shared.requests.noteFault(fault.key)
        trouble?.broke("\(fault.key): \(fault.name)", serverName: serverName, session: options.label)
        return part
    }
}
