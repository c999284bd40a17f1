import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import Synchronization

/// The automatic actions of a WebSocket: it acts at intervals, and closes at a time or after a number of messages. Its
/// timers belong to its stream's loop, and end with it.
final class ChannelScript: Sendable {
    private let channel: Channel
    private let loop: Loop
    private let session: any ChannelSession
    private let state = Mutex(State())

    private struct State: Sendable {
        var isOver = false
        /// The timers of stubs, and of the close.
        var timers: [StubMapping.ID: ScheduledWork] = [:]
        var end: ScheduledWork?
        var close: ChannelClose?
        /// The number of answered messages.
        var answered = 0
    }

    init(_ channel: Channel, on loop: Loop, in session: any ChannelSession) {
        self.channel = channel
        self.loop = loop
        self.session = session
    }

    /// Ends with the channel.
    func end() {
        let timers = state.withLock { state in
            state.isOver = true
            defer {
                state.timers = [:]
                state.end = nil
            }
            return state.timers.values + [state.end].compactMap(\.self)
        }
        for timer in timers { timer.cancel() }
    }

    // MARK: Closing

    func closes(_ close: ChannelClose?) {
        guard let close else { return }
        state.withLock { $0.close = close }
        guard let time = close.time else { return }
        let timer = loop.after(nanoseconds: UInt64(time) * 1_000_000) { [weak self] in self?.closeNow(close) }
        keep {
            $0.end = timer
        } orCancel: {
            timer.cancel()
        }
    }

    /// Counts an answered message.
    func answered() {
        let close = state.withLock { state -> ChannelClose? in
            state.answered += 1
            return state.answered == state.close?.messages ? state.close : nil
        }
        if let close { closeNow(close) }
    }

    private func closeNow(_ close: ChannelClose) {
        let content = Outgoing.Content.close(code: close.code ?? 1000, reason: close.reason ?? "")
        session.channels.leave(content, nil, on: channel, .init(), in: session)
    }

    // MARK: Intervals

    /// Starts the intervals of a stub, unless they run.
    func start(_ stub: CompiledMessageStub) {
        guard case .interval(let every, _) = stub.trigger, state.withLock({ $0.timers[stub.stub.id] }) == nil
        else { return }
        wait(for: stub.stub.id, until: SystemCalls.monotonicNanoseconds() + UInt64(every) * 1_000_000)
    }

    private func wait(for id: StubMapping.ID, until time: UInt64) {
        let now = SystemCalls.monotonicNanoseconds()
        let timer = loop.after(nanoseconds: time > now ? time - now : 0) { [weak self] in self?.act(id, at: time) }
        keep {
            $0.timers[id] = timer
        } orCancel: {
            timer.cancel()
        }
    }

    private func act(_ id: StubMapping.ID, at time: UInt64) {
        // The stub may have been removed or replaced.
        guard let stub = session.channels.stub(id), case .interval(let every, let pattern) = stub.trigger,
            let request = channel.request, channel.isOpen
        else { return forget(id) }
        var views = RequestViews(request, budget: WorkBudget(limit: session.loopLimit))
        guard pattern?.matches(request, &views) ?? true else { return forget(id) }
        run(MessageExchange(of: channel, stub, in: session)) { [weak self] in
            let between = UInt64(every) * 1_000_000
            let now = SystemCalls.monotonicNanoseconds()
            // Missed intervals are skipped.
            self?.wait(for: id, until: time + between > now ? time + between : now + between)
        }
    }

    private func forget(_ id: StubMapping.ID) { state.withLock { $0.timers[id] = nil } }

    private func keep(_ change: (inout State) -> Void, orCancel cancel: () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { change(&state) }
            return state.isOver
        }
        if isOver { cancel() }
    }

    /// Runs a stub's actions, on another thread if needed, and then `done` on the loop.
    func run(_ exchange: MessageExchange, then done: @escaping @Sendable () -> Void) {
        if exchange.proceed(WorkBudget(limit: session.loopLimit), isLast: false) { return done() }
        session.spentLoopLimit()
        session.matchingThreads.add { [session, loop] in
            _ = exchange.proceed(WorkBudget(limit: session.journaling.matchBudget), isLast: true)
            loop.perform(done)
        }
    }
}
