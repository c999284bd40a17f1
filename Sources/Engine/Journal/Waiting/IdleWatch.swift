public import SDHTTPTransport
import SDPlatform
import Synchronization

/// Waits until a session has been idle for a while.
public final class IdleWatch: SessionListener {
    /// Schedules work after a number of nanoseconds.
    public typealias Timer = @Sendable (UInt64, @escaping @Sendable () -> Void) -> ScheduledWork

    private enum Phase {
        /// Something is in flight: the session is checked at its next end.
        case busy
        /// A timer runs.
        case quiet
        case over
    }

    private struct State {
        var phase = Phase.busy
        var work: (@Sendable () -> Void)?
        /// The timer of the phase `quiet`.
        var timer: ScheduledWork?
    }

    private let session: any JournalOwner
    private let quiet: UInt64
    private let timer: Timer
    private let state = Mutex(State())

    package init(_ session: any JournalOwner, quietMilliseconds: Int, timer: @escaping Timer) {
        self.session = session
        quiet = UInt64(max(quietMilliseconds, 0)) &* 1_000_000
        self.timer = timer
    }

    /// Whether nothing has been in flight for the quiet time.
    public var isIdle: Bool {
        isQuiet && remainingQuietTime() == 0
    }

    /// Whether nothing is in flight: no request, and no webhook of one.
    private var isQuiet: Bool { session.inFlightCount == 0 && session.activity.following == 0 }

    /// The rest of the quiet time in nanoseconds.
    private func remainingQuietTime() -> UInt64 {
        let last = session.activity.lastEnd
        // The last end may be ahead of this clock by the difference between the loops' clocks.
        let now = max(SystemCalls.monotonicNanoseconds(), last)
        return last == 0 || now - last >= quiet ? 0 : quiet - (now - last)
    }

    /// Calls `work` once when the session is idle. May be called only once.
    public func whenIdle(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.work = work }
        session.activity.add(self)
        recheck(from: .busy)
    }

    /// Stops listening.
    public func cancel() {
        session.activity.remove(self)
        _ = finished()
    }

    package func answerEnded(_ event: ServeEvent) {
        recheck(from: .busy)
    }

    package func followUpEnded() {
        recheck(from: .busy)
    }

    package func stopped() {
        finish()
    }

    /// Checks the session if the phase is `phase`.
    private func recheck(from phase: Phase) {
        guard state.withLock({ $0.phase == phase }) else { return }
        let isQuiet = isQuiet
        let rest = remainingQuietTime()
        if isQuiet, rest == 0 { return finish() }
        let begins = state.withLock { state in
            guard state.phase == phase else { return false }
            state.phase = isQuiet ? .quiet : .busy
            return isQuiet
        }
        if begins {
            let scheduled = timer(rest) { [weak self] in self?.recheck(from: .quiet) }
            let isOver = state.withLock { state in
                if state.phase != .over { state.timer = scheduled }
                return state.phase == .over
            }
            if isOver { scheduled.cancel() }
        } else if phase == .quiet, self.isQuiet {
            // The last answer ended while the phase returned to `busy`.
            recheck(from: .busy)
        }
    }

    private func finish() {
        finished()?()
    }

    /// The work to call, unless it was called already.
    private func finished() -> (@Sendable () -> Void)? {
        let (work, timer) = state.withLock { state in
            state.phase = .over
            return (state.work.take(), state.timer.take())
        }
        timer?.cancel()
        return work
    }
}
