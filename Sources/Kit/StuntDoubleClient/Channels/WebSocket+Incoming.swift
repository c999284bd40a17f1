#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MockServer.WebSocket {
    /// The messages of clients as they arrive, starting with the oldest in the journal. Ends when the session ends or
    /// the reading task is cancelled.
    ///
    /// ```swift
    /// for try await message in mock.webSocket("/chat").incoming {
    ///     if try message.decode(as: Command.self) == .leave { break }
    /// }
    /// ```
    public var incoming: Incoming { Incoming(socket: self) }

    /// The clients' messages in order.
    public struct Incoming: AsyncSequence, Sendable {
        let socket: MockServer.WebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Iterates over the messages.
        public struct Iterator: AsyncIteratorProtocol {
            let socket: MockServer.WebSocket
            /// Messages received and not yet returned, oldest first.
            private var ready: ArraySlice<Message> = []
            /// The ids of all messages seen in the journal.
            private var known: Set<UUID> = []
            /// The number of messages in the journal at the last look-up.
            private var count = 0

            init(socket: MockServer.WebSocket) {
                self.socket = socket
            }

            /// The next message; nil once the session has ended or the task is cancelled.
            /// - Throws: `MockServerError` if the server cannot be reached or keeps no journal.
            public mutating func next() async throws -> Message? {
                while ready.isEmpty {
                    if Task.isCancelled { return nil }
                    do {
                        let (socket, known, count) = (socket, known, count)
                        let (events, newCount) = try await KitThreads.run {
                            try await socket.news(known, count)
                        }
                        self.count = newCount
                        self.known.formUnion(events.map(\.id))
                        ready = events.filter { $0.direction == .received }[...]
                    } catch is CancellationError {
                        return nil
                    } catch let error as MockServerError where error.status == 410 || error.status == 404 {
                        return nil
                    }
                }
                return ready.removeFirst()
            }
        }
    }

    /// The longest wait of one call.
    private static var longestWait: Duration { .seconds(20) }

    /// Waits a while for messages with unknown ids. Returns them, and the number of messages in the journal.
    private func news(_ known: Set<UUID>, _ count: Int) async throws -> (events: [Message], count: Int) {
        var now = try await messageCount()
        if now == count {
            let last = try await events(count: count + 1, limit: 1, within: Self.longestWait)
            now = try await messageCount()
            // The count of a full journal stays the same.
            if now == count, last.allSatisfy({ known.contains($0.id) }) { return ([], now) }
        }
        var wanted = Swift.max(now - count, 1)
        while true {
            let found = try await events(count: wanted)
            let new = found.filter { !known.contains($0.id) }
            if new.count < found.count || found.count < wanted { return (new, now) }
            wanted *= 2
        }
    }
}
