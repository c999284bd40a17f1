/// What a session should be, as plainly as it can be said: lists that are walked from end to end. Every step returns the
/// answer that is expected of the server, in the words of `ModelAnswer`.
struct ModelSession {
    /// A stub and what has come of it.
    struct Kept {
        var stub: ModelStub
        var isOfFile = false
        var matches = 0
        var timesUsed = 0
        var turn = 0
        /// When it is gone.
        var deadline = Int.max
        /// The place in the order of insertion.
        var sequence = 0
        /// It is the base's, as the session sees it.
        var isInherited = false
    }

    struct Event {
        var sequence: Int
        var request: ModelRequest
        /// As it was then; nil where none matched.
        var stub: ModelStub?
        var body: String
    }

    /// What the folder says.
    let files: [ModelStub]
    /// More events than these do not fit.
    let journalLimit: Int

    /// Beside another, which it may inherit from.
    let isChild: Bool
    let inherits: Bool
    /// Of the base's stubs those that it edited or removed for itself.
    var hidden: Set<Int> = []
    /// It removed all, those to come too.
    var hidesAll = false

    /// The oldest first.
    var stubs: [Kept] = []
    var nextSequence: Int
    var states: [String: String] = [:]
    var events: [Event] = []
    var hasEvicted = false
    var served = 0
    var unmatched = 0
    var settings: String?
    var hasOwnSettings = false
    var now = 0

    /// The first session.
    init(files: [ModelStub], journalLimit: Int) {
        self.files = files
        self.journalLimit = journalLimit
        isChild = false
        inherits = false
        nextSequence = 1_000
        restore()
    }

    /// Another, that has just begun.
    init(beside base: ModelSession, inherits: Bool) {
        files = []
        journalLimit = base.journalLimit
        isChild = true
        self.inherits = inherits
        nextSequence = 1_000_000
        see(base)
    }

    // MARK: Inheriting

    /// Looks at what the base is now. What it inherits stands where it stands there, below its own.
    mutating func see(_ base: ModelSession) {
        now = base.now
        removeExpired()
        guard inherits else { return }
        if !hasOwnSettings { settings = base.settings }
        // Its own stands for one that has come to the base since.
        for kept in base.stubs where stubs.contains(where: { !$0.isInherited && $0.stub.number == kept.stub.number }) {
            hidden.insert(kept.stub.number)
        }
        let visible = base.stubs.filter { kept in !hidesAll && !hidden.contains(kept.stub.number) }
        stubs = stubs.filter { kept in
            !kept.isInherited || visible.contains { $0.stub.number == kept.stub.number }
        }
        for original in visible {
            var copy = Kept(stub: original.stub)
            copy.deadline = original.deadline
            copy.sequence = original.sequence
            copy.isInherited = true
            guard let place = place(original.stub.number) else {
                stubs.append(copy)
                continue
            }
            guard stubs[place].isInherited else { continue }
            if stubs[place].stub != original.stub || stubs[place].deadline != original.deadline {
                copy.matches = stubs[place].matches
                stubs[place] = copy
            } else {
                stubs[place].sequence = original.sequence
            }
        }
        stubs.sort { $0.sequence < $1.sequence }
        forgetScenarios()
    }

    // MARK: Stubs

    /// In the order in which they are tried.
    var ranked: [Kept] {
        stubs.sorted { ($0.stub.rank, -$0.sequence) < ($1.stub.rank, -$1.sequence) }
    }

    func place(_ number: Int) -> Int? {
        stubs.firstIndex { $0.stub.number == number }
    }

    mutating func put(_ stub: ModelStub) {
        var kept = fresh(stub)
        kept.sequence = nextSequence
        nextSequence += 1
        stubs.append(kept)
    }

    func fresh(_ stub: ModelStub) -> Kept {
        var kept = Kept(stub: stub)
        kept.deadline = stub.timeToLive.map { now + $0 } ?? .max
        return kept
    }

    /// An edit keeps the place and what was answered, and begins everything else anew.
    mutating func exchange(_ stub: ModelStub) -> Bool {
        guard let place = place(stub.number) else { return false }
        var kept = fresh(stub)
        kept.matches = stubs[place].matches
        kept.sequence = stubs[place].sequence
        if stubs[place].isInherited { hidden.insert(stub.number) }
        stubs[place] = kept
        return true
    }

    mutating func remove(where isDoomed: (Kept) -> Bool) {
        for kept in stubs where isDoomed(kept) && kept.isInherited { hidden.insert(kept.stub.number) }
        stubs.removeAll(where: isDoomed)
    }

    mutating func removeAll() {
        hidesAll = inherits
        stubs = []
    }

    /// Back to what the files say, or to what it inherits when it looks at the base again.
    mutating func restore() {
        stubs = files.enumerated().map { place, stub in
            var kept = fresh(stub)
            kept.sequence = place
            return kept
        }
        hidden = []
        hidesAll = false
        states = [:]
    }

    /// A scenario is there as long as a stub names it.
    mutating func forgetScenarios() {
        states = states.filter { name, _ in stubs.contains { $0.stub.scenario == name } }
    }

    mutating func removeExpired() {
        stubs.removeAll { $0.deadline <= now }
        forgetScenarios()
    }

    // MARK: Serving

    func state(_ scenario: String) -> String {
        states[scenario] ?? "Started"
    }

    func isOpen(_ kept: Kept) -> Bool {
        let stub = kept.stub
        guard stub.isEnabled, kept.timesUsed < stub.times ?? .max else { return false }
        guard let scenario = stub.scenario, let required = stub.required else { return true }
        return state(scenario) == required
    }

    /// The number of the stub that would answer.
    func choice(_ request: ModelRequest) -> Int? {
        ranked.first { $0.stub.pattern.matches(request) && isOpen($0) }?.stub.number
    }

    mutating func serve(_ request: ModelRequest) -> String {
        served += 1
        var event = Event(sequence: served, request: request, stub: nil, body: "")
        defer { record(event) }
        guard let place = choice(request).flatMap(place) else {
            unmatched += 1
            return "404 unmatched"
        }
        let stub = stubs[place].stub
        let turn = stubs[place].turn
        let last = stub.bodies.count - 1
        stubs[place].turn = turn < last ? turn + 1 : stub.end == "loop" ? 0 : last
        stubs[place].timesUsed += 1
        stubs[place].matches += 1
        if let scenario = stub.scenario, let next = stub.next { states[scenario] = next }
        event.stub = stub
        event.body = stub.bodies[turn]
        return ModelAnswer.served(event)
    }

    mutating func record(_ event: Event) {
        events.append(event)
        if events.count > journalLimit {
            events.removeFirst()
            hasEvicted = true
        }
    }

    mutating func clearJournal() {
        events = []
        hasEvicted = false
    }

    // MARK: Scenarios

    var scenarioNames: [String] {
        Set(stubs.compactMap(\.stub.scenario)).sorted()
    }

    /// The oldest first.
    func members(_ scenario: String) -> [ModelStub] {
        stubs.map(\.stub).filter { $0.scenario == scenario }
    }

    func possibleStates(_ scenario: String) -> [String] {
        var states: [String] = []
        for stub in members(scenario) {
            for state in [stub.required, stub.next].compactMap(\.self) where !states.contains(state) {
                states.append(state)
            }
        }
        return states
    }
}
