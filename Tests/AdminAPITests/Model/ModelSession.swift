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

    /// The oldest first.
    var stubs: [Kept] = []
    var states: [String: String] = [:]
    var events: [Event] = []
    var hasEvicted = false
    var served = 0
    var unmatched = 0
    var settings: String?
    var now = 0

    init(files: [ModelStub], journalLimit: Int) {
        self.files = files
        self.journalLimit = journalLimit
        restoreFiles()
    }

    // MARK: Stubs

    /// In the order in which they are tried.
    var ranked: [Kept] {
        Array(stubs.reversed()).enumerated().sorted {
            ($0.element.stub.rank, $0.offset) < ($1.element.stub.rank, $1.offset)
        }.map(\.element)
    }

    func place(_ number: Int) -> Int? {
        stubs.firstIndex { $0.stub.number == number }
    }

    mutating func put(_ stub: ModelStub) {
        stubs.append(fresh(stub))
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
        kept.isOfFile = stubs[place].isOfFile
        stubs[place] = kept
        return true
    }

    mutating func restoreFiles() {
        stubs = files.map {
            var kept = fresh($0)
            kept.isOfFile = true
            return kept
        }
        states = [:]
    }

    /// A scenario is there as long as a stub names it.
    mutating func forgetScenarios() {
        states = states.filter { name, _ in stubs.contains { $0.stub.scenario == name } }
    }

    mutating func removeExpired() {
        guard stubs.contains(where: { $0.deadline <= now }) else { return }
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
