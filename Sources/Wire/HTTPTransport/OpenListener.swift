import CReactor

/// A port that was opened while the server runs, or before. It stays open until it is closed, or the server drains or
/// ends; dropping it changes nothing.
public final class OpenListener: Sendable {
    public let port: UInt16
    private let mailbox: Mailbox
    // Touched on the loop's thread only, and before anybody else has it.
    private nonisolated(unsafe) var raw: OpaquePointer?

    fileprivate init(loop: OpaquePointer, mailbox: Mailbox, address: String, port: UInt16, tag: UInt64)
        throws(SystemError)
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

    /// Stops accepting, soon. Connections that were accepted go on, and their requests carry the tag. Any thread, once or
    /// more, also after the server has ended.
    public func close() {
        mailbox.post(Work { [self] in if let raw { cr_listener_close(raw) } })
    }

    fileprivate func forget() {
        raw = nil
    }
}

/// Finds the listener when the loop closes it, and keeps it until then.
private final class Box {
    var listener: OpenListener?
}

private func listenerClosed(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().listener?.forget()
}

extension Server {
    /// Listens on a numeric IPv4 or IPv6 address with one worker alone: only that one accepts there.
    /// - Parameter port: 0 takes a free one.
    /// - Parameter tag: comes along with each request, as its `listenerTag`.
    /// - Throws: what the system says (`isAddressInUse` where the port is taken); ECANCELED where the server drains or has
    ///   ended.
    /// - Precondition: on the thread of that worker's loop, where its requests are served, or before the server runs.
    public func open(address: String, port: UInt16, tag: UInt64, worker: Int) throws(SystemError) -> OpenListener {
        let loop = loop(of: worker)
        precondition(Self.mayTouch(loop), "a port opens on the thread of worker \(worker)")
        return try OpenListener(loop: loop, mailbox: mailboxes[worker], address: address, port: port, tag: tag)
    }
}
