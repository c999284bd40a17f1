package import SDPlatform
import Synchronization

/// A call that waits for messages.
package final class MessageWait: Sendable {
    private let pattern: CompiledMessagePattern?
    private let wanted: Int
    private let state = Mutex(State())

    private struct State {
        var found: [MessageEvent] = []
        var isDone = false
        var whenDone: (@Sendable () -> Void)?
    }

    init(_ pattern: CompiledMessagePattern?, count: Int) {
        self.pattern = pattern
        wanted = count
    }

    /// The messages found, oldest first.
    package var found: [MessageEvent] { state.withLock { $0.found } }

    package var isDone: Bool { state.withLock { $0.isDone } }

    /// Adds the existing messages that match; the newest ones count.
    func take(_ events: [MessageEvent], _ budget: WorkBudget) {
        var found: [MessageEvent] = []
        for event in events.reversed() where found.count < wanted && matches(event, budget) { found.append(event) }
        add(found.reversed())
    }

    func take(_ event: MessageEvent, _ budget: UInt64) {
        guard !isDone, matches(event, WorkBudget(limit: budget)) else { return }
        add([event])
    }

    private func matches(_ event: MessageEvent, _ budget: WorkBudget) -> Bool {
        pattern.map { event.matches($0, budget) } ?? true
    }

    private func add(_ events: [MessageEvent]) {
        let whenDone = state.withLock { state -> (@Sendable () -> Void)? in
            state.found += events
            state.isDone = state.isDone || state.found.count >= wanted
            return state.isDone ? state.whenDone.take() : nil
        }
        whenDone?()
    }

    /// Removes messages that the journal has dropped.
    func forget(_ isForgotten: (MessageEvent) -> Bool) {
        state.withLock { state in if !state.isDone { state.found.removeAll(where: isForgotten) } }
    }

    /// Ends the wait, regardless of what was found.
    func finish() {
        let whenDone = state.withLock { state -> (@Sendable () -> Void)? in
            state.isDone = true
            return state.whenDone.take()
        }
        whenDone?()
    }

    /// Calls `work` once enough messages are found, or at once if they are.
    package func whenDone(_ work: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.whenDone = work }
            return state.isDone
        }
        if isDone { work() }
    }
}

extension MessageEvent {
    /// Whether a pattern matches; false once the budget is spent.
    package func matches(_ pattern: CompiledMessagePattern, _ budget: WorkBudget) -> Bool {
        guard !budget.isSpent else { return false }
        var views = MessageViews(message, on: channel, now: UInt64(time) * 1_000_000, budget)
        return pattern.matches(&views) && !budget.isSpent
    }
}
