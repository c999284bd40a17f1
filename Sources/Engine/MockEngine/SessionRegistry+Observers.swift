import Synchronization

/// Observes sessions as they are created and end. Called on any thread, never under a session's lock.
public protocol SessionsObserver: AnyObject, Sendable {
    /// Called before the session is published, so before its first request.
    func began(_ live: LiveSession)
    /// Called when its event streams have ended.
    /// - Parameter verdict: the verdict in the list of ended sessions.
    func ended(_ live: LiveSession, verdict: String)
}

extension SessionRegistry {
    public func add(_ observer: any SessionsObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = observer }
    }

    public func remove(_ observer: any SessionsObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = nil }
    }

    func notifyObservers(_ word: (any SessionsObserver) -> Void) {
        for observer in observers.withLock({ Array($0.values) }) { word(observer) }
    }
}
