public import Platform

/// Tells the service manager that started the daemon how it is doing, by the protocol of `sd_notify(3)`: a datagram to the
/// Unix socket that `NOTIFY_SOCKET` names.
public struct ServiceManager: Sendable {
    private let address: String

    /// Nil if no service manager asks to be told. An address that begins with `@` is an abstract one, which Linux has.
    public init?(environment: [String: String]) {
        guard let address = environment["NOTIFY_SOCKET"], address.utf8.first == 0x2f || address.utf8.first == 0x40
        else {
            return nil
        }
        self.address = address
    }

    /// Says that requests are answered from now on.
    public func ready(status: String) throws(SystemError) {
        try send("READY=1\nSTATUS=\(singleLine(status))\n")
    }

    /// Says that the daemon is about to end.
    public func stopping() throws(SystemError) {
        try send("STOPPING=1\n")
    }

    private func send(_ message: String) throws(SystemError) {
        try SystemCalls.sendDatagram(Array(message.utf8), toUnixSocket: address)
    }
}
