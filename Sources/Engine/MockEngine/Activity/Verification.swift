import HTTPTransport
import JSON
import Matching
import StubModel
import Synchronization

/// Expectations beside what a session receives: at this moment, and from then on as long as somebody waits.
///
/// The events of the journal are looked at once, outside of all locks. Then each event is looked at once, on the thread
/// that decided it.
public final class Verification: SessionListener {
    let session: Session
    let document: VerificationDocument
    let patterns: [CompiledPattern]

    fileprivate struct State {
        var tally: VerificationTally
        var events = OrderedEvents()
        /// What callers took out of the journal while it was looked at, or before its turn had come.
        var forgotten: [ForgottenEvents] = []
        /// Events have left for want of room that nobody looked at.
        var lastEvicted: UInt64 = 0
        /// Requests for which a matcher was given up.
        var givenUp = 0
        var refusal: StubRefusal?
        var isStopped = false
        var decided: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(_ document: VerificationDocument, _ patterns: [CompiledPattern], in session: Session) {
        self.session = session
        self.document = document
        self.patterns = patterns
        state = Mutex(State(tally: VerificationTally(document)))
    }

    // MARK: Looking

    /// Looks at the journal, and, where `isWaiting`, hears of what comes until `cancel`. Once.
    func begin(isWaiting: Bool) throws(StubRefusal) {
        if isWaiting { session.activity.add(self) }
        let (events, served, lastEvicted) = session.state.withLock {
            ($0.journal.newestFirst(), $0.served, $0.journal.lastEvicted)
        }
        var tally = VerificationTally(document)
        var givenUp = 0
        do throws(StubRefusal) {
            for event in events.reversed() { try look(at: event, &tally, &givenUp) }
        } catch {
            cancel()
            throw error
        }
        state.withLock { state in
            state.tally = tally
            state.givenUp = givenUp
            state.lastEvicted = lastEvicted
            for forgotten in state.forgotten { state.forget(forgotten) }
            let early = state.events.begin(behind: served)
            look(at: early, &state)
        }
    }

    /// A pattern that a matcher has to give up on for so many requests costs more than it can tell.
    private static let mostGivenUp = 20

    private func look(
        at event: ServeEvent, _ tally: inout VerificationTally, _ givenUp: inout Int
    ) throws(StubRefusal) {
        guard event.sequence > VerificationTally.firstOfInterest(document) else { return }
        var views = RequestViews(event.request)
        var places: [Int] = []
        for (place, pattern) in patterns.enumerated() where pattern.matches(event.request, &views) {
            places.append(place)
        }
        tally.add(event.sequence, meeting: places)
        guard let trouble = views.notes.first(where: \.isTrouble) else { return }
        givenUp += 1
        if givenUp >= Self.mostGivenUp {
            throw .unserved(StubMapping().id, [StubProblem(pointer: .root, message: trouble.message)])
        }
    }

    private func look(at events: [ServeEvent], _ state: inout State) {
        for event in events {
            guard state.refusal == nil else { return }
            do throws(StubRefusal) {
                try look(at: event, &state.tally, &state.givenUp)
            } catch {
                state.refusal = error
            }
            for forgotten in state.forgotten { state.tally.forget(forgotten) }
        }
        state.forgotten.removeAll { !$0.concernsAny(behind: state.events.last) }
    }

    // MARK: Hearing

    func recorded(_ event: ServeEvent) {
        hear { state in look(at: state.events.take(event), &state) }
    }

    func forgot(_ forgotten: ForgottenEvents) {
        hear { $0.forget(forgotten) }
    }

    func stopped() {
        hear { $0.isStopped = true }
    }

    private func hear(_ change: (inout State) -> Void) {
        let decided = state.withLock { state in
            change(&state)
            return state.isDecided ? state.decided.take() : nil
        }
        decided?()
    }

    // MARK: Waiting

    /// Nothing is left to wait for: it holds, or it never will.
    public var isDecided: Bool {
        state.withLock { $0.isDecided }
    }

    /// Calls `work` once when nothing is left to wait for: at once where that is so already.
    public func whenDecided(_ work: @escaping @Sendable () -> Void) {
        let isDecided = state.withLock { state in
            if !state.isDecided { state.decided = work }
            return state.isDecided
        }
        if isDecided { work() }
    }

    /// Hears nothing from now on. The verdict stays what it is.
    public func cancel() {
        session.activity.remove(self)
        state.withLock { $0.decided = nil }
    }

    // MARK: Verdict

    /// What the answers are made of.
    struct Findings {
        let tally: VerificationTally
        let holds: Bool
        let lastSequence: UInt64
        let lastEvicted: UInt64
    }

    /// - Throws: that a pattern costs more than it can tell.
    func findings() throws(StubRefusal) -> Findings {
        let (findings, refusal) = state.withLock { state in
            (
                Findings(
                    tally: state.tally, holds: state.holds, lastSequence: state.events.last,
                    lastEvicted: state.lastEvicted), state.refusal
            )
        }
        if let refusal { throw refusal }
        return findings
    }
}

extension Verification.State {
    fileprivate var holds: Bool { events.next != nil && tally.holds }
    fileprivate var isDecided: Bool { isStopped || refusal != nil || holds }

    /// Events may be told behind the word that they are forgotten.
    fileprivate mutating func forget(_ gone: ForgottenEvents) {
        tally.forget(gone)
        if case .through(let last) = gone, last >= lastEvicted { lastEvicted = 0 }
        if events.next == nil || gone.concernsAny(behind: events.last) { forgotten.append(gone) }
    }
}

extension ForgottenEvents {
    fileprivate func concernsAny(behind sequence: UInt64) -> Bool {
        switch self {
        case .through(let last): last > sequence
        case .these(let gone): gone.contains { $0 > sequence }
        }
    }
}
