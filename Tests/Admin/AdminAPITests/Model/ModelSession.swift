/// The expected state of a session in the plainest form: lists that are searched from end to end. Every step returns
/// the expected answer in the short form of `ModelAnswer`.
struct ModelSession {
    /// A stub and its state.
    struct Kept {
        var stub: ModelStub
        var isOfFile = false
        var matches = 0
        var timesUsed = 0
        var position = 0
        /// The time at which it expires.
        var deadline = Int.max
        /// The position in the order of insertion.
        var sequence = 0
        /// Whether it belongs to the base and is inherited.
        var isInherited = false
    }

    struct Event {
        var sequence: Int
        var request: ModelRequest
        /// The stub at that time; nil if none matched.
        var stub: ModelStub?
        var body: String
    }

    /// The stubs from files.
    let files: [ModelStub]
    /// The most events that the journal keeps.
    let journalLimit: Int

    /// Whether this is a session beside the base, from which it may inherit.
    let isChild: Bool
    let inherits: Bool
    /// The base's stubs that this session has edited or removed for itself.
    var hidden: Set<Int> = []
    /// Whether it has removed all inherited stubs, including future ones.
    var hidesAll = false

    /// The stubs, the oldest first.
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

    /// Makes the base.
    init(files: [ModelStub], journalLimit: Int) {
        self.files = files
        self.journalLimit = journalLimit
        isChild = false
        inherits = false
        nextSequence = 1_000
        restore()
    }

    /// Makes a session that has just begun.
    init(beside base: ModelSession, inherits: Bool) {
        files = []
        journalLimit = base.journalLimit
        isChild = true
        self.inherits = inherits
        nextSequence = 1_000_000
        see(base)
    }

    // MARK: Inheriting

    /// Reads the base's current stubs. Inherited stubs keep their order and come below the session's own.
    mutating func see(_ base: ModelSession) {
        now = base.now
        removeExpired()
        guard inherits else { return }
        if !hasOwnSettings { settings = base.settings }
        // The session's own stub hides one that the base has added since.
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

    /// The stubs in the order in which they are tried.
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

    /// Edits a stub: keeps its place and its count of answers, and resets everything else.
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

    /// Resets the stubs to those of the files, or to the inherited ones at the next look at the base.
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

    /// Removes the scenarios that no stub names.
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
        let position = stubs[place].position
        let last = stub.bodies.count - 1
        stubs[place].position = position < last ? position + 1 : stub.end == "loop" ? 0 : last
        stubs[place].timesUsed += 1
        stubs[place].matches += 1
        if let scenario = stub.scenario, let next = stub.next { states[scenario] = next }
        event.stub = stub
        event.body = stub.bodies[position]
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

    /// The scenario's stubs, the oldest first.
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
