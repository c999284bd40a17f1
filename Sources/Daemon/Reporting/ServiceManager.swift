public import Platform

/// Notifies the service manager that started the daemon, by the protocol of `sd_notify(3)`: a datagram to the Unix
/// socket named by `NOTIFY_SOCKET`.
public struct ServiceManager: Sendable {
    private let address: String

    /// Finds the service manager; nil if there is none. An address that begins with `@` is an abstract one of Linux.
    public init?(environment: [String: String]) {
        guard let address = environment["NOTIFY_SOCKET"], address.utf8.first == 0x2f || address.utf8.first == 0x40
        else {
            return nil
        }
        self.address = address
    }

    /// Reports that requests are answered from now on.
    /// - Throws: if the datagram cannot be sent.
    public func ready(status: String) throws(SystemError) {
        try send("READY=1\nSTATUS=\(singleLine(status))\n")
    }

    /// Reports that the daemon is about to end.
    /// - Throws: if the datagram cannot be sent.
    public func stopping() throws(SystemError) {
        try send("STOPPING=1\n")
    }

    private func send(_ message: String) throws(SystemError) {
        try SystemCalls.sendDatagram(Array(message.utf8), toUnixSocket: address)
    }
}
