import SDReports
import Synchronization

/// Hears of sessions that begin and end. Called on any thread, never under a session's lock.
public protocol SessionsObserver: AnyObject, Sendable {
    /// Called before anybody else knows of the session, so that no request has come.
    func began(_ live: LiveSession)
    /// Called when its event streams have ended.
    /// - Parameter verdict: that of its report at the end, with the usual reasons to fail.
    func ended(_ live: LiveSession, verdict: String)
}

extension SessionRegistry {
    public func add(_ observer: any SessionsObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = observer }
    }

    public func remove(_ observer: any SessionsObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = nil }
    }

    var isObserved: Bool { observers.withLock { !$0.isEmpty } }

    func tell(_ word: (any SessionsObserver) -> Void) {
        for observer in observers.withLock({ Array($0.values) }) { word(observer) }
    }

    /// The verdict about a session that is about to end.
    func verdict(of live: LiveSession) -> String {
        var question = ReportQuestion()
        question.begun = begun(through: live.session)
        return live.session.report(question).report.verdict
    }
}
