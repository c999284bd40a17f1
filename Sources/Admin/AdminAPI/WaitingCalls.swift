import SDHTTPTransport
import SDMemory
import SDMockEngine
import Synchronization

/// The waiting admin calls and open event streams of a daemon: they must be ended before the daemon can end, and
/// streams are kept alive.
final class WaitingCalls: Sendable {
    private struct State {
        var endings: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var streams: [ObjectIdentifier: EventStreamConnection] = [:]
        var timer: ScheduledWork?
        /// Whether all were ended, and newcomers are too.
        var isOver = false
    }

    /// The interval of keep-alive comments in nanoseconds: proxies and clients take a connection that is silent for
    /// long for dead.
    private static let keepAliveInterval: UInt64 = 15_000_000_000
    private static let keepAlive = WireBytes(Array(": still here\n\n".utf8))

    private let daemon: any DaemonControl
    private let memory: MemoryLedger
    private let state = Mutex(State())

    init(_ daemon: any DaemonControl, _ memory: MemoryLedger) {
        self.daemon = daemon
        self.memory = memory
    }

    // MARK: Calls

    /// Keeps a call until it is over. One that begins when all were ended is answered at once: it may have come before
    /// and been read beside the loop.
    /// - Parameter end: answers the call with what is known.
    func add(_ call: HeldAnswer, end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.endings[ObjectIdentifier(call)] = end
            return state.isOver
        }
        if isOver { end() }
    }

    func remove(_ call: HeldAnswer) {
        _ = state.withLock { $0.endings.removeValue(forKey: ObjectIdentifier(call)) }
    }

    /// Answers all waiting calls and those that come, and ends the streams.
    func endAll() {
        let (endings, streams) = state.withLock { state in
            state.isOver = true
            return (Array(state.endings.values), Array(state.streams.values))
        }
        for end in endings { end() }
        for stream in streams { stream.finish() }
    }

    // MARK: Streams

    func add(_ stream: EventStreamConnection) {
        memory.add(stream)
        state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = stream
            if state.timer == nil { state.timer = nextKeepAlive() }
        }
    }

    /// Ends a stream that has begun after all were ended.
    func finishIfOver(_ stream: EventStreamConnection) {
        if state.withLock({ $0.isOver }) { stream.finish() }
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
