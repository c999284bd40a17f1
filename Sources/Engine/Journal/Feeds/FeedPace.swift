import SDWireValues
import Synchronization

/// Bounds the number of ordinary requests that a reader is told in a second. What is wrong is always told: requests that
/// nothing answered, that failed, or on which a fault acted.
public final class FeedPace: Sendable {
    fileprivate struct State {
        var tokens: Double
        /// The latest arrival of a request, in monotonic nanoseconds.
        var time: UInt64 = 0
        /// The requests that were told and whose answers have not ended: few, at most times.
        var open: Set<ObjectIdentifier> = []
        /// The number of requests that were left out and not yet reported.
        var count = 0
    }

    enum Verdict {
        case told, leftOut
        /// A request that was left out turns out to be told, before its answer.
        case toldLate(ServeEvent)
    }

    private let rate: Double
    private let state: Mutex<State>
    /// Called when a request is left out after `take`; must not call the feed.
    private let whenLeftOut: @Sendable (FeedPace) -> Void

    /// - Parameter rate: the most ordinary requests in a second, at least 1.
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
    /// - Parameter isAnswerTold: whether the reader is told answers too.
    func judge(_ event: ServeEvent, isAnswerTold: Bool) -> Verdict {
        let isRemarkable = event.isRemarkable
        // The time at which it came is as good as that of the clock, and known.
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

    /// Decides about the answer to a request, which was judged if the reader is told requests. Called under the lock of a
    /// feed.
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
    /// Whether nothing answered, the stub could not be served, or a fault or an end before its time acted, as far as that is
    /// known.
    fileprivate var isRemarkable: Bool {
        isUnmatched || failure != nil || mayHaveFaults && (fault != nil || !faults.isEmpty)
            || end.map { $0.outcome != .sent } ?? false
    }
}
