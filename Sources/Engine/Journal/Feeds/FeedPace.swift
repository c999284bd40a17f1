import SDPlatform
import Synchronization

/// Bounds the number of ordinary requests that a reader is told in a second. What is wrong is always told: requests that
/// nothing answered, that failed, or on which a fault acted.
public final class FeedPace: Sendable {
    private struct State {
        var tokens: Double
        var time: UInt64
        /// The requests that were left out and whose answers have not ended.
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
        state = Mutex(State(tokens: Double(rate), time: SystemCalls.monotonicNanoseconds()))
    }

    /// The number of requests that were left out since the last call.
    public func take() -> Int {
        state.withLock { state in
            defer { state.count = 0 }
            return state.count
        }
    }

    /// Decides about an event. Called under the lock of a feed.
    /// - Parameter isAnswerTold: whether the reader is told answers too.
    func judge(_ event: FeedEvent, isAnswerTold: Bool) -> Verdict {
        switch event {
        case .change: .told
        case .request(let event): judge(event, isAnswerTold)
        case .response(let event): judgeAnswer(event)
        }
    }

    private func judge(_ event: ServeEvent, _ isAnswerTold: Bool) -> Verdict {
        if event.isRemarkable { return .told }
        let now = SystemCalls.monotonicNanoseconds()
        let (isTold, isFirst) = state.withLock { state -> (Bool, Bool) in
            let passed = Double(now > state.time ? now - state.time : 0) / 1_000_000_000
            state.time = now
            state.tokens = min(state.tokens + passed * rate, rate)
            if state.tokens >= 1 {
                state.tokens -= 1
                return (true, false)
            }
            if isAnswerTold { state.open.insert(ObjectIdentifier(event)) }
            state.count += 1
            return (false, state.count == 1)
        }
        if isFirst { whenLeftOut(self) }
        return isTold ? .told : .leftOut
    }

    private func judgeAnswer(_ event: ServeEvent) -> Verdict {
        let isRemarkable = event.isRemarkable
        return state.withLock { state in
            guard state.open.remove(ObjectIdentifier(event)) != nil else { return .told }
            guard isRemarkable else { return .leftOut }
            if state.count > 0 { state.count -= 1 }
            return .toldLate(event)
        }
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
