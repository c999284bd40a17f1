import SDBasics

/// A test's declarations for one session, shared by all `MockServer` values of it: handlers and their failures.
final class Declarations: Sendable {
    private struct State {
        var feed: RequestFeed?
        var handlers: [Stub.ID: Task<Void, Never>] = [:]
    }

    let failures = HandlerFailures()
    /// The folder of the session's initial state, which a reset restores; nil for none.
    let folder = Lock<String?>(nil)
    private let state = Lock(State())

    deinit {
        end()
    }

    /// The feed of the session's requests, opened on first use.
    func feed(of server: MockServer) -> RequestFeed {
        state.withLock { state in
            if let feed = state.feed, !feed.isOver { return feed }
            let feed = RequestFeed(of: server.withoutDeclarations)
            state.feed = feed
            return feed
        }
    }

    func add(_ handler: Task<Void, Never>, of stub: Stub.ID) {
        state.withLock { $0.handlers[stub] = handler }
    }

    /// Ends a stub's handler after the requests it has begun.
    func remove(_ stub: Stub.ID) {
        let feed = state.withLock { state in
            state.handlers[stub] = nil
            return state.feed
        }
        feed?.leave(stub)
    }

    /// Ends all handlers immediately.
    func end() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        for handler in old.handlers.values { handler.cancel() }
        old.feed?.end()
    }
}
