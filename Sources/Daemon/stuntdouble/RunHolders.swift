import SDPlatform

/// The runs that use a daemon, each by a connection that it holds: the daemon ends with the last of them, however that
/// ends.
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

    /// Where more runs connect to.
    final class Sharing: Sendable {
        let place: RunPlace
        let listener: FileDescriptor

        init(place: RunPlace, listener: consuming FileDescriptor) {
            self.place = place
            self.listener = listener
        }
    }

    /// - Parameters:
    ///   - first: the connection of the run that starts the daemon.
    ///   - sharing: where others connect to; nil for a daemon of its own.
    init(first: consuming FileDescriptor, sharing: Sharing?) {
        self.first = Holder(first)
        self.sharing = sharing
    }

    /// Sends each run a line, and waits on a thread of its own for the end of the last of them.
    /// - Parameter end: called once then; no other can come.
    /// - Throws: if no thread can be started.
    func start(_ line: String, _ end: @escaping @Sendable () -> Void) throws(SystemError) {
        try SystemThread(name: "holders") { [self] in
            waitForLast(line)
            end()
        }.detach()
    }

    /// Sends a line to all runs that wait, in place of the one with which it would begin.
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
                // The last connection ends with the process, which the run waits for.
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

    /// Whether nobody is about to use the daemon; from then on nobody can. Whoever does connects under the lock.
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
