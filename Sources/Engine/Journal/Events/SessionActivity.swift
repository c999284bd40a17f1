import SDHTTPTransport
import SDPlatform
import Synchronization

/// The current activity of a session: requests in flight, waiting calls and event readers. Each serve event refers to
/// it and reports its end.
///
/// Without listeners, a request costs one load when it is decided, and an addition, a store and a load at its end.
package final class SessionActivity: Sendable {
    /// Logs every end.
    package let log: (any RequestLog)?
    /// The session's id in the log; nil for the default session.
    package let label: String?
    /// The largest number of request body bytes that events show.
    package let bodyLimit: Int
    /// The outcomes of all sessions' requests.
    package let counters: RequestCounters
    package let inFlight = InFlightTable()
    package let changes = ChangeLog()

    // Sequentially consistent: an end is counted before it looks for listeners, and a listener is added before it reads
    // the count, so neither can miss the other.
    private let endCount = Atomic<UInt64>(0)
    private let lastEndTime = Atomic<UInt64>(0)
    /// The number of requests that are matched on background threads, and so not decided yet.
    private let matchCount = Atomic(0)
    /// The number of webhooks of requests that have not ended.
    private let followingCount = Atomic(0)
    private let hasListeners = Atomic(false)
    private let isStopped = Atomic(false)
    /// The order of changes. Under it: the feed, `listeners`, and the locks of listeners.
    private let changing = Mutex(())
    /// An innermost lock.
    private let listeners = Mutex<[any SessionListener]>([])

    /// Whether the daemon is a forward proxy.
    package let isForwardProxy: Bool

    package init(
        log: (any RequestLog)?, label: String?, bodyLimit: Int = 1 << 20, isForwardProxy: Bool = false,
        counters: RequestCounters = RequestCounters()
    ) {
        self.isForwardProxy = isForwardProxy
        self.counters = counters
        self.log = log
        self.label = label
        self.bodyLimit = bodyLimit
    }

    // MARK: Requests

    /// Reports that a request was decided. Called after the session's lock, under which a listener takes its snapshot,
    /// was released.
    package func recorded(_ event: ServeEvent) {
        guard hasListeners.load(ordering: .relaxed) else { return }
        notifyListeners { $0.recorded(event) }
    }

    /// Reports the end of an answer.
    /// - Parameter time: the time of the end, in monotonic nanoseconds.
    package func answerEnded(_ event: ServeEvent, at time: UInt64) {
        lastEndTime.store(time, ordering: .relaxed)
        counters.ended(event)
        endCount.add(1, ordering: .sequentiallyConsistent)
        log?.served(event)
        guard hasListeners.load(ordering: .sequentiallyConsistent) else { return }
        notifyListeners { $0.answerEnded(event) }
    }

    /// Reports the end of another replica's answer, which that replica has logged.
    package func endedElsewhere(_ event: ServeEvent) {
        guard let end = event.end else { return }
        if end.endTime > lastEnd { lastEndTime.store(end.endTime, ordering: .relaxed) }
        guard hasListeners.load(ordering: .sequentiallyConsistent) else { return }
        notifyListeners { $0.answerEnded(event) }
    }

    package func beganMatching() {
        matchCount.add(1, ordering: .sequentiallyConsistent)
    }

    /// Reports that matching on a background thread has ended.
    package func endedMatching() {
        matchCount.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// The number of requests being matched. Must be read before the number of requests served.
    package var matching: Int { matchCount.load(ordering: .sequentiallyConsistent) }

    /// The number of answers that have ended. Must be read before the number of requests served.
    package var ended: UInt64 { endCount.load(ordering: .sequentiallyConsistent) }

    /// The time of the last end in monotonic nanoseconds; 0 if there was none.
    var lastEnd: UInt64 { lastEndTime.load(ordering: .relaxed) }

    // MARK: Webhooks

    /// Reports that a webhook is to be sent: before the end of its request.
    package func beganFollowing() {
        followingCount.add(1, ordering: .sequentiallyConsistent)
    }

    /// Reports that a webhook was answered, or failed for good.
    /// - Parameter time: the time of its end, in monotonic nanoseconds.
    package func followUpEnded(at time: UInt64) {
        lastEndTime.store(time, ordering: .relaxed)
        followingCount.subtract(1, ordering: .sequentiallyConsistent)
        guard hasListeners.load(ordering: .sequentiallyConsistent) else { return }
        notifyListeners { $0.followUpEnded() }
    }

    /// The number of webhooks that have not ended. Must be read after the number of requests in flight.
    package var following: Int { followingCount.load(ordering: .sequentiallyConsistent) }

    // MARK: Listeners

    package func add(_ listener: any SessionListener) {
        listeners.withLock { listeners in
            if !listeners.contains(where: { $0 === listener }) { listeners.append(listener) }
            hasListeners.store(true, ordering: .sequentiallyConsistent)
        }
        if isStopped.load(ordering: .sequentiallyConsistent) { listener.stopped() }
    }

    package func remove(_ listener: any SessionListener) {
        listeners.withLock { listeners in
            listeners.removeAll { $0 === listener }
            if listeners.isEmpty { hasListeners.store(false, ordering: .relaxed) }
        }
    }

    /// The number of listeners that keep the session in use.
    var listenerCount: Int { listeners.withLock { $0.count { $0.keepsInUse } } }

    package func eventsRemoved(_ forgotten: RemovedEvents) {
        notifyListeners { $0.eventsRemoved(forgotten) }
    }

    /// Reports a change.
    /// - Parameter served: the number of requests decided before it.
    package func changed(_ change: SessionChange, served: UInt64) {
        // Under a lock, so that listeners receive changes in the order of their numbers.
        changing.withLock { _ in
            let numbered = changes.append(change, served: served)
            notifyListeners { $0.changed(numbered) }
        }
    }

    /// Whether there is a listener.
    package var isHeard: Bool { hasListeners.load(ordering: .relaxed) }

    /// Reports a change to the current listeners only; it is not stored, and without listeners it costs nothing. Must
    /// not be called under a lock.
    package func note(_ change: @autoclosure () -> SessionChange) {
        guard isHeard else { return }
        let change = change()
        notifyListeners { $0.noted(change) }
    }

    /// Ends all requests in flight, waiting calls and event streams.
    package func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        inFlight.endAll(through: .max)
        notifyListeners { $0.stopped() }
    }

    private func notifyListeners(_ word: (any SessionListener) -> Void) {
        for listener in listeners.withLock({ $0 }) { word(listener) }
    }
}
