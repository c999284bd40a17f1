import HTTPTransport
import Matching
import Synchronization

/// The stub that was found for a request, and what it was found by.
struct StubMatch {
    let stub: CompiledStub?
    /// The count of conditions that moved, before the first of them was looked at; nil where none was.
    private let seen: UInt64?
    /// Which of the stub's responses is next.
    private let turn: Int
    /// A stub was passed over because its time has come.
    let hasSeenExpired: Bool

    /// Found by patterns alone.
    init(_ stub: CompiledStub?) {
        self.stub = stub
        seen = nil
        turn = 0
        hasSeenExpired = false
    }

    /// Looks for a stub whose pattern matches and whose conditions hold.
    init(
        _ request: Request, _ views: inout RequestViews, _ snapshot: SessionSnapshot,
        _ conditions: borrowing Atomic<UInt64>, clock: () -> Int64
    ) {
        let count = conditions.load(ordering: .acquiring)
        var hasLooked = false
        var hasSeenExpired = false
        let stub = snapshot.firstMatch(request, &views) { stub in
            guard let life = stub.life else { return true }
            hasLooked = true
            if life.isOpen(clock) { return true }
            if life.isMortal { hasSeenExpired = true }
            return false
        }
        self.stub = stub
        self.hasSeenExpired = hasSeenExpired
        seen = hasLooked ? count : nil
        turn = stub?.life?.use?.turn ?? 0
    }

    /// The stub as it answers now: one of its responses, where it has several. Nil where that is still to be drawn.
    var answering: CompiledStub? {
        guard seen != nil, let stub, let turns = stub.life?.turns else { return stub }
        return turns.stubs.indices.contains(turn) ? turns.stubs[turn] : nil
    }

    /// It has several responses, and has not begun with them.
    var needsTurn: Bool { turn < 0 && stub?.life?.turns != nil }

    /// Nothing that was looked at has moved since. To be asked under the session's lock.
    func holds(_ conditions: borrowing Atomic<UInt64>) -> Bool {
        guard let seen else { return true }
        guard seen == conditions.load(ordering: .relaxed) else { return false }
        return stub?.life?.turns == nil || stub?.life?.use?.turn == turn
    }

    /// Notes under the session's lock that the stub answers a request of this time.
    func take(at time: UInt64, _ generator: inout SeededGenerator, _ conditions: borrowing Atomic<UInt64>) {
        guard let stub, let life = stub.life else { return }
        if life.answer(&generator) { conditions.add(1, ordering: .releasing) }
        // The response that answers is counted by itself.
        if life.turns != nil { stub.countHit(at: time) }
    }

    /// Decides under the session's lock which response comes first.
    func draw(_ generator: inout SeededGenerator) {
        guard let life = stub?.life, let use = life.use, let turns = life.turns, use.turn < 0 else { return }
        use.setTurn(turns.next(after: -1, &generator))
    }
}
