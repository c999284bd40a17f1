import CReactor

/// A port that was opened before or while the server runs. It stays open until it is closed, or the server drains or
/// ends; dropping the object changes nothing.
public final class OpenListener: Sendable {
    public let port: UInt16
    private let mailbox: Mailbox
    // Accessed only on the loop's thread, and before any other thread has the object.
    private nonisolated(unsafe) var raw: OpaquePointer?

    fileprivate init(loop: OpaquePointer, mailbox: Mailbox, address: String, port: UInt16, tag: UInt64)
        throws(TransportError)
    {
        let closed = Box()
        let argument = Unmanaged.passRetained(closed)
        guard let raw = cr_listen_tagged(loop, address, port, tag, listenerClosed, argument.toOpaque()) else {
            let error = Server.listenFailure(address, port)
            argument.release()
            throw error
        }
        self.port = cr_listener_port(raw)
        self.mailbox = mailbox
        self.raw = raw
        closed.listener = self
    }

    /// Stops accepting, soon. Accepted connections go on, and their requests carry the tag. Callable on any thread,
    /// more than once, and after the server has ended.
    public func close() {
        mailbox.post(Work { [self] in if let raw { cr_listener_close(raw) } })
    }

    fileprivate func forget() {
        raw = nil
    }
}

/// Keeps the listener until the loop closes it.
private final class Box {
    var listener: OpenListener?
}

private func listenerClosed(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().listener?.forget()
}

extension Server {
    /// Listens on a numeric IPv4 or IPv6 address with one worker, which alone accepts there.
    /// - Parameter port: the port; 0 takes a free one.
    /// - Parameter tag: the number that each request carries as its `listenerTag`.
    /// - Throws: the system's error (`isAddressInUse` if the port is taken); ECANCELED if the server drains or has
    ///   ended.
    /// - Precondition: called on the thread of that worker's loop, where its requests are served, or before the server
    ///   runs.
    public func open(address: String, port: UInt16, tag: UInt64, worker: Int) throws(TransportError) -> OpenListener {
        let loop = loop(of: worker)
        precondition(Self.mayTouch(loop), "a port opens on the thread of worker \(worker)")
        return try OpenListener(loop: loop, mailbox: mailboxes[worker], address: address, port: port, tag: tag)
    }
}
