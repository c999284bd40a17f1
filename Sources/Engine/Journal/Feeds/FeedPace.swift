import SDPlatform
import SDWireValues
import Synchronization

/// Limits the rate of ordinary requests that a reader gets. Problems are always sent: requests that were unmatched or
/// failed, or on which a fault acted.
public final class FeedPace: Sendable {
    fileprivate struct State {
        var tokens: Double
        /// The latest arrival of a request, in monotonic nanoseconds.
        var time: UInt64 = 0
        /// The requests that were sent and whose answers have not ended: usually few.
        var open: Set<ObjectIdentifier> = []
        /// The number of requests that were left out and not yet reported.
        var count = 0
    }

    enum Verdict {
        case told, leftOut
        /// A request that was left out is sent after all, before its answer.
        case toldLate(ServeEvent)
    }

    private let rate: Double
    private let state: Mutex<State>
    /// Called when the first request since `take` is left out; must not call the feed.
    private let whenLeftOut: @Sendable (FeedPace) -> Void

    /// - Parameter rate: the largest number of ordinary requests per second, at least 1.
    public init(rate: Int, whenLeftOut: @escaping @Sendable (FeedPace) -> Void) {
        self.rate = Double(rate)
        self.whenLeftOut = whenLeftOut
        state = Mutex(State(tokens: Double(rate)))
    }

    /// The number of requests that were left out since the last call.
    public func take() -> Int {
        state.withLock { state in
            defer { state.count = 0 }
            return state.count
        }
    }

    /// Decides about a request. Called under the lock of a feed.
    /// - Parameter isAnswerTold: whether the reader also gets answers.
    func judge(_ event: ServeEvent, isAnswerTold: Bool) -> Verdict {
        let isRemarkable = event.isRemarkable
        // The arrival is accurate enough, and saves reading the clock.
        let now = event.request.clockTime
        let (isTold, isFirst) = state.withLock { state -> (Bool, Bool) in
            if !isRemarkable, !state.takeToken(at: now, rate) {
                state.count += 1
                return (false, state.count == 1)
            }
            if isAnswerTold { state.open.insert(ObjectIdentifier(event)) }
            return (true, false)
        }
        if isFirst { whenLeftOut(self) }
        return isTold ? .told : .leftOut
    }

    /// Decides about a message. Called under the lock of a feed.
    func judge(_ message: MessageNote) -> Verdict {
        guard !message.isRemarkable else { return .told }
        let now = SystemCalls.monotonicNanoseconds()
        let (isTold, isFirst) = state.withLock { state -> (Bool, Bool) in
            if state.takeToken(at: now, rate) { return (true, false) }
            state.count += 1
            return (false, state.count == 1)
        }
        if isFirst { whenLeftOut(self) }
        return isTold ? .told : .leftOut
    }

    /// Decides about the answer to a request, which was judged before if the reader gets requests. Called under the
    /// lock of a feed.
    func judgeAnswer(_ event: ServeEvent, isRequestTold: Bool) -> Verdict {
        guard isRequestTold else { return .told }
        let isRemarkable = event.isRemarkable
        return state.withLock { state in
            if !state.open.isEmpty, state.open.remove(ObjectIdentifier(event)) != nil { return .told }
            guard isRemarkable else { return .leftOut }
            if state.count > 0 { state.count -= 1 }
            return .toldLate(event)
        }
    }
}

extension FeedPace.State {
    fileprivate mutating func takeToken(at now: UInt64, _ rate: Double) -> Bool {
        if now > time {
            // Before the first request, the bucket is full.
            tokens = min(tokens + Double(now - time) / 1_000_000_000 * rate, rate)
            time = now
        }
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}

extension ServeEvent {
    /// Whether the request was unmatched, failed or ended early, or a fault acted, as far as is known.
    fileprivate var isRemarkable: Bool {
        isUnmatched || failure != nil || mayHaveFaults && (fault != nil || !faults.isEmpty)
            || end.map { $0.outcome != .sent } ?? false
    }
}
