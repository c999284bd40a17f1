import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDPlatform
import Synchronization

/// The waiting admin calls and open event streams of a daemon: they are ended before the daemon stops, and streams are
/// kept alive.
final class WaitingCalls: Sendable {
    private struct State {
        var endings: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var streams: [ObjectIdentifier: EventStreamConnection] = [:]
        var timer: ScheduledWork?
        /// Whether everything was ended; new calls end at once.
        var isOver = false
    }

    /// The interval of keep-alive comments in nanoseconds: proxies and clients close connections that are silent for
    /// long.
    private static let keepAliveInterval: UInt64 = 15_000_000_000
    private static let keepAlive = WireBytes(Array(": still here\n\n".utf8))

    private let daemon: any DaemonControl
    private let memory: MemoryLedger
    /// The calls that wait; none starts to wait once all were ended. Under it: the daemon's server, a call, a loop.
    private let state = Mutex(State())

    init(_ daemon: any DaemonControl, _ memory: MemoryLedger) {
        self.daemon = daemon
        self.memory = memory
    }

    // MARK: Calls

    /// Holds a call until it is answered, at the latest when all are ended. A call handled after that is answered at
    /// once.
    /// - Returns: nil if the call was answered.
    func hold(_ reply: consuming DeferredReply, _ response: @escaping @Sendable () -> PlainResponse)
        -> DeferredAdminReply?
    {
        var reply: DeferredReply? = reply
        let held = begin(&reply) { reply, state in
            let held = reply.hold()
            state.endings[ObjectIdentifier(held)] = { held.answer(response) }
            return held
        }
        reply.take()?.answer(response())
        return held
    }

    /// Starts something that lasts until `endAll`; under the lock, so that nothing starts once the server drains.
    /// - Returns: nil if everything was ended; `reply` is unused then.
    private func begin<Waiting>(
        _ reply: inout DeferredReply?, _ start: (consuming DeferredReply, inout State) -> Waiting
    ) -> Waiting? {
        state.withLock { state in
            guard !state.isOver, let reply = reply.take() else { return nil }
            return start(reply, &state)
        }
    }

    func remove(_ call: DeferredAdminReply) {
        _ = state.withLock { $0.endings.removeValue(forKey: ObjectIdentifier(call)) }
    }

    /// Answers all waiting and later calls, and ends the streams.
    func endAll() {
        let (endings, streams) = state.withLock { state in
            state.isOver = true
            return (Array(state.endings.values), Array(state.streams.values))
        }
        for end in endings { end() }
        for stream in streams { stream.finish() }
    }

    // MARK: Streams

    /// Starts a stream, which lasts until all are ended.
    /// - Parameter pause: the minimum time between two writes, in nanoseconds.
    /// - Returns: nil if everything was ended, and so this stream.
    func stream(_ reply: consuming DeferredReply, pause: UInt64) -> EventStreamConnection? {
        var reply: DeferredReply? = reply
        let stream = begin(&reply) { reply, state in
            let stream = reply.stream(pause: pause)
            state.streams[ObjectIdentifier(stream)] = stream
            if state.timer == nil { state.timer = nextKeepAlive() }
            return stream
        }
        if let stream { memory.add(stream) }
        reply.take()?.endStream()
        return stream
    }

    func remove(_ stream: EventStreamConnection) {
        memory.remove(stream)
        state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = nil
            if state.streams.isEmpty { state.timer.take()?.cancel() }
        }
    }

    private func nextKeepAlive() -> ScheduledWork {
        daemon.after(nanoseconds: Self.keepAliveInterval) { [weak self] in self?.keepAlive() }
    }

    private func keepAlive() {
        let streams = state.withLock { state in
            state.timer = state.streams.isEmpty ? nil : nextKeepAlive()
            return Array(state.streams.values)
        }
        for stream in streams { stream.send(Self.keepAlive) }
    }
}
