public import SDPlatform

/// Notifies the service manager by the protocol of `sd_notify(3)`: a datagram to the Unix socket named by
/// `NOTIFY_SOCKET`.
public struct ServiceManager: Sendable {
    private let address: String

    /// Finds the service manager; nil if there is none.
    public init?() {
        self.init(address: SystemCalls.environmentVariable("NOTIFY_SOCKET"))
    }

    /// Makes the manager for an address; nil for an invalid one. An address that starts with `@` is an abstract Linux
    /// socket.
    init?(address: String?) {
        guard let address, address.utf8.first == 0x2f || address.utf8.first == 0x40 else { return nil }
        self.address = address
    }

    /// Reports that requests are answered from now on. If the manager's socket is full, a thread sends the datagram
    /// later, so the daemon does not wait.
    /// - Throws: if the datagram cannot be sent.
    public func ready(status: String) throws(SystemError) {
        let message = "READY=1\nSTATUS=\(singleLine(status))\n"
        do throws(SystemError) {
            try send(message)
        } catch {
            guard error.isFull else { throw error }
            let thread = try SystemThread(name: "notify") {
                while isFull(message) { SystemCalls.pause(milliseconds: Self.retryMilliseconds) }
            }
            thread.detach()
        }
    }

    private static let retryMilliseconds: Int32 = 20

    /// Reports that the daemon is stopping, without waiting.
    /// - Throws: if the datagram cannot be sent.
    public func stopping() throws(SystemError) {
        try send("STOPPING=1\n")
    }

    /// True if the socket is full; false if the message was sent, or can never be.
    private func isFull(_ message: String) -> Bool {
        do throws(SystemError) {
            try send(message)
            return false
        } catch {
            return error.isFull
        }
    }

    private func send(_ message: String) throws(SystemError) {
        try SystemCalls.sendDatagram(Array(message.utf8), toUnixSocket: address)
    }
}
