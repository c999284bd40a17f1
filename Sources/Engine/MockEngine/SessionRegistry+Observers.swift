import Synchronization

/// Hears of sessions that begin and end. Called on any thread, never under a session's lock.
public protocol SessionsObserver: AnyObject, Sendable {
    /// Called before anybody else knows of the session, so that no request has come.
    func began(_ live: LiveSession)
    /// Called when its event streams have ended.
    /// - Parameter verdict: the one that the list of ended sessions has.
    func ended(_ live: LiveSession, verdict: String)
}

extension SessionRegistry {
    public func add(_ observer: any SessionsObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = observer }
    }

    public func remove(_ observer: any SessionsObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = nil }
    }

    func tell(_ word: (any SessionsObserver) -> Void) {
        for observer in observers.withLock({ Array($0.values) }) { word(observer) }
    }
}
