import HTTPTransport
import Platform
import Synchronization

/// What goes on in one session at this moment: what is in flight, who waits, who listens. Each serve event refers to it,
/// and tells it its end.
///
/// Where nobody waits, a request costs one load when it is decided, and an addition, a store and a load at its end.
final class SessionActivity: Sendable {
    /// Who is told of every end.
    let log: (any RequestLog)?
    /// Names the session to it; nil for the first.
    let label: String?
    let inFlight = InFlightTable()
    let changes = ChangeLog()
    /// As long as somebody reads it.
    let feed = Mutex<EventFeed?>(nil)

    // Sequentially consistent: who begins to listen and then looks at the number must not be overlooked by an end that
    // is counted and then looks for listeners.
    private let endCount = Atomic<UInt64>(0)
    private let lastEndTime = Atomic<UInt64>(0)
    private let hasListeners = Atomic(false)
    private let isStopped = Atomic(false)
    private let changing = Mutex(())
    private let listeners = Mutex<[ObjectIdentifier: any SessionListener]>([:])

    init(log: (any RequestLog)?, label: String?) {
        self.log = log
        self.label = label
    }

    // MARK: Requests

    /// A request was decided. Called behind the session's lock, under which a listener took its snapshot.
    func recorded(_ event: ServeEvent) {
        guard hasListeners.load(ordering: .relaxed) else { return }
        tell { $0.recorded(event) }
    }

    /// - Parameter time: monotonic nanoseconds.
    func ended(_ event: ServeEvent, at time: UInt64) {
        lastEndTime.store(time, ordering: .relaxed)
        endCount.add(1, ordering: .sequentiallyConsistent)
        log?.served(event)
        guard hasListeners.load(ordering: .sequentiallyConsistent) else { return }
        tell { $0.ended(event) }
    }

    /// How many answers have ended. To be read before the number of requests that were served.
    var ended: UInt64 { endCount.load(ordering: .sequentiallyConsistent) }

    /// When the last answer ended: monotonic nanoseconds, 0 where none has.
    var lastEnd: UInt64 { lastEndTime.load(ordering: .relaxed) }

    // MARK: Listeners

    func add(_ listener: any SessionListener) {
        listeners.withLock { listeners in
            listeners[ObjectIdentifier(listener)] = listener
            hasListeners.store(true, ordering: .sequentiallyConsistent)
        }
        if isStopped.load(ordering: .sequentiallyConsistent) { listener.stopped() }
    }

    func remove(_ listener: any SessionListener) {
        listeners.withLock { listeners in
            listeners[ObjectIdentifier(listener)] = nil
            if listeners.isEmpty { hasListeners.store(false, ordering: .relaxed) }
        }
    }

    var listenerCount: Int { listeners.withLock { $0.count } }

    func forgot(_ forgotten: ForgottenEvents) {
        tell { $0.forgot(forgotten) }
    }

    /// - Parameter served: how many requests were decided before it.
    func changed(_ change: SessionChange, served: UInt64) {
        // Listeners hear of changes in the order of their numbers.
        changing.withLock { _ in
            let numbered = changes.append(change, served: served)
            tell { $0.changed(numbered) }
        }
    }

    /// Ends all that is in flight, and everybody who waits or listens.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        inFlight.endAll(through: .max)
        tell { $0.stopped() }
    }

    private func tell(_ word: (any SessionListener) -> Void) {
        for listener in listeners.withLock({ Array($0.values) }) { word(listener) }
    }
}
