import SDCReactor

/// A port opened before or while the server runs. It stays open until `close()`, or until the server drains or ends;
/// dropping the object changes nothing.
public final class OpenListener: Sendable {
    public let port: UInt16
    private let loop: Loop
    // Accessed only on the loop's thread, and before any other thread has the object.
    private nonisolated(unsafe) var raw: OpaquePointer?

    fileprivate init(
        _ loop: Loop, _ rawLoop: OpaquePointer, address: String, port: UInt16, tag: UInt64, tls: TLSSettings?
    ) throws(TransportError) {
        let secured = try tls.map { settings throws(TransportError) in
            try SecuredListeners(settings, at: Server.name(address, port))
        }
        let closed = Box()
        let argument = Unmanaged.passRetained(closed)
        guard
            let raw = cr_listen_tagged(
                rawLoop, address, port, tag, cr_protocol_http1(), listenerClosed, argument.toOpaque())
        else {
            let error = Server.listenFailure(address, port)
            argument.release()
            throw error
        }
        secured?.secure(raw)
        self.port = cr_listener_port(raw)
        self.loop = loop
        self.raw = raw
        closed.listener = self
    }

    /// Stops accepting, soon. Accepted connections continue, and their requests carry the tag. Callable on any thread,
    /// more than once, and after the server has ended.
    public func close() {
        loop.post(Work { [self] in if let raw { cr_listener_close(raw) } })
    }

    /// The treatment of new connections.
    public enum Mode: Sendable {
        case open
        /// New connections are refused.
        case down
        /// New connections are accepted by the kernel, and wait to be served.
        case stalled
    }

    /// Changes how new connections are treated; open ones continue. Callable on any thread.
    /// - Parameters:
    ///   - refusals: the number of connections to reset on accept.
    ///   - done: called later, on the loop's thread; with the system's error if the port that
    ///     was down cannot be opened again. Not called after the server has ended.
    public func change(
        to mode: Mode, refusals: Int, _ done: @escaping @Sendable (TransportError?) -> Void
    ) {
        loop.post(Work { [self] in done(apply(mode, refusals)) })
    }

    private func apply(_ mode: Mode, _ refusals: Int) -> TransportError? {
        guard let raw else { return nil }
        cr_listener_refuse(raw, UInt32(clamping: refusals))
        cr_listener_stall(raw, mode == .stalled)
        if mode == .down {
            cr_listener_suspend(raw)
            return nil
        }
        let code = cr_listener_resume(raw)
        return code == 0 ? nil : TransportError("listen on port \(port)", code: code)
    }

    fileprivate func forget() {
        raw = nil
    }
}

/// Retains the listener until the loop closes it.
private final class Box {
    var listener: OpenListener?
}

private func listenerClosed(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().listener?.forget()
}

extension Server {
    /// Listens on a numeric IPv4 or IPv6 address with one worker, which alone accepts there.
    /// - Parameters:
    ///   - port: the port; 0 takes a free one.
    ///   - tag: the number that each request carries as its `sessionTag`.
    ///   - tls: the TLS settings; nil for plain HTTP.
    /// - Throws: the system's error (`isAddressInUse` if the port is taken); ECANCELED if the server drains or has
    ///   ended.
    /// - Precondition: called on the thread of that worker's loop, where its requests are served, or before the server
    ///   runs.
    public func open(
        address: String, port: UInt16, tag: UInt64, worker: Int, tls: TLSSettings? = nil
    ) throws(TransportError) -> OpenListener {
        let loop = loop(of: worker)
        precondition(Self.mayTouch(loop), "a port opens on the thread of worker \(worker)")
        return try OpenListener(handles[worker], loop, address: address, port: port, tag: tag, tls: tls)
    }
}
