import SDAnswering
import SDHTTPTransport
import SDIndexing
import SDJournal
import SDMatching
import SDPlatform
import SDStubs
import Synchronization

/// The stub found for a request, and the state in which it was found.
struct StubMatch {
    let stub: CompiledStub?
    /// The request's value that selects the place in the stub's sequence; nil for most stubs.
    private let turn: [UInt8]?
    /// The value of `Session.conditions` before the first condition was checked; nil if none was.
    private let seen: UInt64?
    /// Whether a stub was skipped because it has expired.
    let hasSeenExpired: Bool
    /// Whether a matching stub depends on the session's state. Set only if replicas share it.
    let hasAskedState: Bool

    /// A match that depends on patterns alone.
    init(_ stub: CompiledStub?) {
        self.stub = stub
        turn = nil
        seen = nil
        hasSeenExpired = false
        hasAskedState = false
    }

    /// Finds a stub whose pattern matches and whose conditions hold.
    /// - Parameters:
    ///   - isForHead: whether to consider only stubs for GET that also answer HEAD.
    ///   - files: the body file lookups so far.
    init(
        _ request: Request, _ views: inout RequestViews, _ snapshot: SessionSnapshot, isForHead: Bool = false,
        in session: Session, _ files: inout BodyFileLookups
    ) {
        let count = session.conditions.load(ordering: .acquiring)
        var states = StateView(session, request, views, files)
        var hasLooked = false
        var hasSeenExpired = false
        let stub = snapshot.firstMatch(request, &views, isForHead: isForHead) { stub in
            guard let lifecycle = stub.lifecycle else { return true }
            hasLooked = true
            if lifecycle.isOpen(session.options.clock) { return states.satisfies(lifecycle, of: stub) }
            if lifecycle.canExpire { hasSeenExpired = true }
            return false
        }
        turn = stub.flatMap { states.turn(of: $0) }
        states.propagateExhaustion(to: &views)
        self.stub = stub
        self.hasSeenExpired = hasSeenExpired
        hasAskedState = false
        seen = hasLooked ? count : nil
        files = states.files
    }

    /// Finds the first matching stub without shared state, and those before it that have some.
    /// - Parameter candidates: set to the matching stubs whose conditions other than shared state hold, in order; nil
    ///   stays for none.
    init(
        _ request: Request, _ views: inout RequestViews, _ snapshot: SessionSnapshot, isForHead: Bool,
        in session: Session, _ files: inout BodyFileLookups, _ candidates: inout [SharedCandidate]?
    ) {
        let count = session.conditions.load(ordering: .acquiring)
        var states = StateView(session, request, views, files)
        var hasLooked = false
        var hasSeenExpired = false
        var hasAskedState = false
        var last: StubOrder?
        var stub: CompiledStub?
        while true {
            stub = snapshot.firstMatch(request, &views, isForHead: isForHead) { stub in
                guard let lifecycle = stub.lifecycle else { return true }
                if let last, stub.order <= last { return false }
                hasLooked = true
                if lifecycle.condition != nil { hasAskedState = true }
                if lifecycle.isOpenHere(session.options.clock) { return states.satisfies(lifecycle, of: stub) }
                if lifecycle.canExpire { hasSeenExpired = true }
                return false
            }
            guard let found = stub, found.lifecycle?.isShared == true, !views.isSpent else { break }
            candidates = (candidates.take() ?? []) + [SharedCandidate(stub: found, turn: states.turn(of: found))]
            last = found.order
        }
        turn = stub.flatMap { states.turn(of: $0) }
        states.propagateExhaustion(to: &views)
        self.stub = stub
        self.hasSeenExpired = hasSeenExpired
        self.hasAskedState = hasAskedState
        seen = hasLooked ? count : nil
        files = states.files
    }

    /// This match, or `other` if it found no stub. The result is valid only while both are.
    func or(_ other: () -> StubMatch) -> StubMatch {
        guard stub == nil else { return self }
        let other = other()
        return StubMatch(
            other.stub, turn: other.turn, seen: seen ?? other.seen,
            hasSeenExpired: hasSeenExpired || other.hasSeenExpired,
            hasAskedState: hasAskedState || other.hasAskedState)
    }

    private init(
        _ stub: CompiledStub?, turn: [UInt8]?, seen: UInt64?, hasSeenExpired: Bool, hasAskedState: Bool
    ) {
        self.hasAskedState = hasAskedState
        self.stub = stub
        self.turn = turn
        self.seen = seen
        self.hasSeenExpired = hasSeenExpired
    }

    /// Whether the checked conditions are unchanged. Called under the session's lock.
    func isStillValid(_ conditions: borrowing Atomic<UInt64>) -> Bool {
        seen.map { $0 == conditions.load(ordering: .relaxed) } ?? true
    }

    /// The log message about dropped values of the stub's sequence; nil for none, as nearly always.
    var loss: String? { turn == nil ? nil : stub?.lifecycle?.takeLoss() }

    /// Records that the stub answers a request of this time. Called under the session's lock.
    /// - Returns: the stub that answers: the match, or one of its responses if it has several.
    func commit(
        at time: UInt64, _ generator: inout SeededGenerator, _ conditions: borrowing Atomic<UInt64>
    ) -> CompiledStub? {
        guard let stub, let lifecycle = stub.lifecycle else { return stub }
        let answering = lifecycle.responses.flatMap { $0.current(lifecycle.use, turn, &generator) }
        if lifecycle.answer(to: turn, &generator) { conditions.add(1, ordering: .releasing) }
        // The response that answers has its own count.
        if answering != nil { stub.countHit(at: time) }
        return answering ?? stub
    }
}
