import Synchronization

/// What a test has declared for one session, shared by all values that stand for it.
final class Declarations: Sendable {
    /// The session is over: handlers are no longer asked.
    func end() {}
}
