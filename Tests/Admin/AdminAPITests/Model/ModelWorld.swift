/// A step and the session to which it is sent.
struct ModelAct: Equatable {
    var step: ModelStep
    /// The number of the session; nil for the base.
    var session: Int?
    var way = Way.header

    /// The way in which a session is named.
    enum Way: CaseIterable { case path, header, host, port }
}

/// The initial state of a run.
struct ModelSetting {
    var files: [ModelStub] = []
    var journalLimit = 10_000
}

/// The state of the model: the base, and the sessions beside it.
struct ModelWorld {
    struct Beside {
        let number: Int
        var session: ModelSession
        let hasPort: Bool
        let timeToLive: Int?
        var deadline: Int
    }

    private var base: ModelSession
    /// The sessions that have not ended, the oldest first.
    private var sessions: [Beside] = []
    private var ended: Set<Int> = []

    init(_ setting: ModelSetting) {
        base = ModelSession(files: setting.files, journalLimit: setting.journalLimit)
    }

    mutating func perform(_ act: ModelAct) -> String {
        base.removeExpired()
        for beside in sessions where beside.deadline <= base.now { end(beside.number) }
        switch act.step {
        case .wait(let milliseconds):
            base.now += milliseconds
            return "waited"
        case .begin(let number, let inherits, let hasPort, let timeToLive):
            return begin(number, inherits, hasPort, timeToLive)
        case .end(let number):
            defer { end(number) }
            return lives(number) ? "200" : ended.contains(number) ? "410 session \(number)" : "nobody"
        case .endAll:
            for beside in sessions { end(beside.number) }
            return "200"
        case .listSessions:
            // Counting their stubs is a look at the base: what has no look before its own stub expires hides nothing.
            for place in sessions.indices { sessions[place].session.see(base) }
            let listed = sessions.map { ModelAnswer.session($0.number, $0.session.served, $0.session.unmatched) }
            return "200 " + ModelAnswer.list(listed)
        default: return ask(act)
        }
    }

    private func lives(_ number: Int) -> Bool {
        sessions.contains { $0.number == number }
    }

    private mutating func begin(_ number: Int, _ inherits: Bool, _ hasPort: Bool, _ timeToLive: Int?) -> String {
        if let place = sessions.firstIndex(where: { $0.number == number }) {
            // The answer counts its stubs.
            sessions[place].session.see(base)
            return "lives"
        }
        let session = ModelSession(beside: base, inherits: inherits)
        let deadline = timeToLive.map { base.now + $0 } ?? .max
        sessions.append(
            Beside(number: number, session: session, hasPort: hasPort, timeToLive: timeToLive, deadline: deadline))
        ended.remove(number)
        return "201"
    }

    private mutating func end(_ number: Int) {
        guard lives(number) else { return }
        sessions.removeAll { $0.number == number }
        ended.insert(number)
    }

    private mutating func ask(_ act: ModelAct) -> String {
        guard let number = act.session else { return act.step == .report ? "nobody" : base.perform(act.step) }
        guard let place = sessions.firstIndex(where: { $0.number == number }) else {
            return ended.contains(number) ? "410 session \(number)" : "nobody"
        }
        // Reading a report does not count as using the session.
        if act.step != .report, let timeToLive = sessions[place].timeToLive {
            sessions[place].deadline = base.now + timeToLive
        }
        sessions[place].session.see(base)
        let answer = sessions[place].session.perform(act.step)
        sessions[place].session.see(base)
        return answer
    }
}
