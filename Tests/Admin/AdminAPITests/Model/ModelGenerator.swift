import SDTestSupport

/// Draws the acts of a run. The same seed draws the same acts.
struct ModelGenerator {
    private var random: TestGenerator
    private var labels = 0
    /// Whether the clock can be moved; a time to live is drawn only then.
    private let movesClock: Bool
    /// The most sessions at the same time; 0 for the base alone.
    private let sessions: Int

    init(seed: UInt64, movesClock: Bool, sessions: Int) {
        random = TestGenerator(seed: seed)
        self.movesClock = movesClock
        self.sessions = sessions
    }

    // MARK: Runs

    mutating func setting() -> ModelSetting {
        var setting = ModelSetting()
        setting.files = chance(2) ? [stub(21), stub(22)] : []
        for index in setting.files.indices { setting.files[index].timeToLive = nil }
        if chance(3) { setting.journalLimit = 6 }
        return setting
    }

    /// Draws `count` acts, followed by a look at everything.
    mutating func acts(_ count: Int) -> [ModelAct] {
        (0..<count).map { _ in act() } + Self.looks(sessions)
    }

    static func looks(_ sessions: Int = 0) -> [ModelAct] {
        let looks: [ModelStep] = [
            .list(limit: nil, offset: nil), .listScenarios, .listUnmatched,
            .listRequests(limit: nil, isUnmatched: false, stub: nil), .counters, .getSettings, .report,
        ]
        return [ModelAct(step: .listSessions)]
            + ([nil] + (0..<sessions).map { $0 }).flatMap { session in
                looks.map { ModelAct(step: $0, session: session) }
            }
    }

    private mutating func act() -> ModelAct {
        guard sessions > 0 else { return ModelAct(step: step()) }
        switch int(0..<100) {
        case ..<6:
            return ModelAct(
                step: .begin(
                    int(0..<sessions), inherits: !chance(4), hasPort: chance(4),
                    timeToLive: movesClock && chance(4) ? int(1..<60) : nil))
        case 6: return ModelAct(step: chance(6) ? .endAll : .end(int(0..<sessions)))
        case 7: return ModelAct(step: .listSessions)
        default:
            let session = chance(3) ? nil : int(0..<sessions)
            return ModelAct(
                step: session != nil && chance(30) ? .report : step(), session: session,
                way: pick(ModelAct.Way.allCases))
        }
    }

    // MARK: Steps

    private mutating func step() -> ModelStep {
        switch int(0..<100) {
        case ..<38: .send(request())
        case ..<41: .explain(request())
        case ..<72: change()
        case ..<84: look()
        case ..<97: remember()
        default: movesClock ? .wait(int(1..<30)) : .getSettings
        }
    }

    private mutating func change() -> ModelStep {
        switch int(0..<36) {
        case ..<14: .add(stub())
        case ..<19: .replace(stub())
        case ..<21: .edit(stub())
        case ..<23: .remove(number())
        case ..<26: .removeLike(stub(), withID: chance(2))
        case ..<28: .removeTeam(team())
        case 28: .removeUnmatched
        case 29: .removeAll
        case ..<34: .importAll(stubs(), overwrites: chance(2), removesOthers: chance(4))
        case 34: .importBroken(stubs())
        default: .reset(chance(2) ? "/reset" : "/mappings/reset")
        }
    }

    private mutating func look() -> ModelStep {
        switch int(0..<16) {
        case ..<3: .list(limit: nil, offset: nil)
        case 3: .list(limit: int(0..<4), offset: int(0..<4))
        case ..<6: .get(number())
        case 6: .findTeam(team())
        case ..<9: .listUnmatched
        case ..<11: .listScenarios
        case ..<14: .setScenario(scenario(), state: chance(5) ? nil : state())
        case 14: .resetScenarios
        default: .setSettings(label())
        }
    }

    private mutating func remember() -> ModelStep {
        switch int(0..<20) {
        case ..<3: .listRequests(limit: nil, isUnmatched: false, stub: nil)
        case 3: .listRequests(limit: int(0..<4), isUnmatched: chance(3), stub: chance(2) ? number() : nil)
        case 4: .getRequest(int(0..<5))
        case ..<7: .removeRequest(int(0..<5))
        case 7: .listUnmatchedRequests
        case ..<12: .count(pattern())
        case ..<14: .find(pattern())
        case 14: .removeRequests(pattern())
        case 15: .removeRequestsOfTeam(team())
        case 16: .clearRequests
        default: .counters
        }
    }

    // MARK: Values

    private mutating func stubs() -> [ModelStub] {
        (0..<int(0..<5)).map { _ in stub() }
    }

    private mutating func stub(_ number: Int? = nil) -> ModelStub {
        var stub = ModelStub(number: number ?? self.number(), label: label())
        stub.pattern = pattern()
        if chance(2) { stub.priority = int(3..<7) }
        if chance(3) { stub.team = team() }
        if chance(3) {
            stub.scenario = chance(6) ? nil : scenario()
            stub.required = chance(3) ? nil : state()
            stub.next = chance(3) ? nil : state()
        }
        if chance(6) { stub.times = int(1..<4) }
        stub.isEnabled = !chance(10)
        if movesClock, chance(5) { stub.timeToLive = int(1..<40) }
        if chance(6) {
            stub.responseCount = int(1..<4)
            stub.end = pick([nil, "repeatLast", "loop", "notFound"])
        }
        return stub
    }

    private mutating func request() -> ModelRequest {
        ModelRequest(
            method: pick(["GET", "GET", "POST"]), path: pick(ModelPattern.paths), kind: pick([nil, nil, "a", "b"]))
    }

    private mutating func pattern() -> ModelPattern {
        ModelPattern(
            method: pick([nil, nil, "GET", "POST"]), place: pick(ModelPattern.Place.allCases),
            kind: pick([nil, nil, "a"]))
    }

    /// A stub's number, sometimes that of a stub from a file.
    private mutating func number() -> Int { pick([1, 2, 3, 4, 5, 6, 7, 8, 21, 22]) }
    private mutating func team() -> String { pick(["red", "blue"]) }
    private mutating func scenario() -> String { pick(["one", "two"]) }
    private mutating func state() -> String { pick(["Started", "Started", "p", "q"]) }

    private mutating func label() -> String {
        labels += 1
        return "w\(labels)"
    }

    private mutating func chance(_ oneIn: Int) -> Bool { int(0..<oneIn) == 0 }
    private mutating func int(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[int(0..<values.count)]
    }
}
