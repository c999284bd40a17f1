import SDPlatform

/// The connections of the runs that use a daemon. The daemon exits when the last one closes, for whatever reason.
final class RunHolders: Sendable {
    /// A run that uses the daemon.
    private final class Holder: Sendable {
        let connection: FileDescriptor

        init(_ connection: consuming FileDescriptor) {
            self.connection = connection
        }
    }

    private let first: Holder
    private let sharing: Sharing?

    /// The socket for more runs.
    final class Sharing: Sendable {
        let place: RunFiles
        let listener: FileDescriptor

        init(place: RunFiles, listener: consuming FileDescriptor) {
            self.place = place
            self.listener = listener
        }
    }

    /// - Parameters:
    ///   - first: the connection of the run that starts the daemon.
    ///   - sharing: the socket for other runs; nil for an unshared daemon.
    init(first: consuming FileDescriptor, sharing: Sharing?) {
        self.first = Holder(first)
        self.sharing = sharing
    }

    /// Sends each run a line, and waits on its own thread for the last of them to end.
    /// - Parameter end: called once after that; no other run can connect any more.
    /// - Throws: if the thread cannot be started.
    func start(_ line: String, _ end: @escaping @Sendable () -> Void) throws(SystemError) {
        try SystemThread(name: "holders") { [self] in
            waitForLast(line)
            end()
        }.detach()
    }

    /// Sends all waiting runs a line instead of the ready line.
    func refuse(_ line: String) {
        greet(first, line)
        guard let listener = sharing?.listener.number else { return }
        while SystemCalls.waitReadable(anyOf: [listener], milliseconds: 0) == [true], let other = accept() {
            greet(other, line)
        }
    }

    private func waitForLast(_ line: String) {
        var holders = [first]
        greet(first, line)
        let listener = sharing?.listener.number
        while true {
            let numbers = holders.map { $0.connection.number } + (listener.map { [$0] } ?? [])
            let ready = SystemCalls.waitReadable(anyOf: numbers, milliseconds: -1)
            if let new = accept() {
                greet(new, line)
                holders.append(new)
            }
            let left = holders.enumerated().filter { index, holder in
                index >= ready.count || !ready[index] || !SystemCalls.isClosed(holder.connection.number)
            }.map(\.element)
            if left.isEmpty, isLast() {
                // Leave the last connection open until the process exits: the run waits for that.
                return hold(holders)
            }
            holders = left
        }
    }

    private func hold(_ holders: [Holder]) {
        for holder in holders { _ = Unmanaged.passRetained(holder) }
    }

    private func accept() -> Holder? {
        guard let sharing, let connection = SystemCalls.acceptLocally(sharing.listener.number) else { return nil }
        return Holder(connection)
    }

    private func greet(_ holder: Holder, _ line: String) {
        try? SystemCalls.writeAll(line.utf8, to: holder.connection.number)
    }

    /// Whether no run is about to connect. If so, none can any more, because runs connect under the lock.
    private func isLast() -> Bool {
        guard let place = sharing?.place, let listener = sharing?.listener.number else { return true }
        guard let lock = try? SystemCalls.lock(place.lockPath).release() else { return true }
        defer { SystemCalls.unlock(lock) }
        if SystemCalls.waitReadable(anyOf: [listener], milliseconds: 0) == [true] { return false }
        try? SystemCalls.removeFile(place.socketPath)
        try? SystemCalls.removeFile(place.logPath)
        return true
    }
}
