public import SDPlatform

/// Notifies the service manager that started the daemon, by the protocol of `sd_notify(3)`: a datagram to the Unix
/// socket named by `NOTIFY_SOCKET`.
public struct ServiceManager: Sendable {
    private let address: String

    /// Finds the service manager; nil if there is none.
    public init?() {
        self.init(address: SystemCalls.environmentVariable("NOTIFY_SOCKET"))
    }

    /// Makes the manager at an address; nil for an address that has no socket's form. One that begins with `@` is an
    /// abstract one of Linux.
    init?(address: String?) {
        guard let address, address.utf8.first == 0x2f || address.utf8.first == 0x40 else { return nil }
        self.address = address
    }

    /// Reports that requests are answered from now on. If the manager takes no datagram for now, a thread sends it
    /// later: the daemon does not wait, and the manager still learns it.
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

    /// Reports that the daemon is about to end, without waiting.
    /// - Throws: if the datagram cannot be sent.
    public func stopping() throws(SystemError) {
        try send("STOPPING=1\n")
    }

    /// False where the message was sent, or never will be.
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
