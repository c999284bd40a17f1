import StubModel

/// What decides, beside its pattern, whether a stub answers, and with which of its responses: its scenario, how often and how
/// long it does, and whether it is to at all. Most stubs have none of it.
final class StubLife: Sendable {
    /// Nil where it is in no scenario, and in a stub that is in no set yet.
    let step: ScenarioStep?
    let isEnabled: Bool
    let turns: ResponseTurns?
    /// Nil in a stub that is in no set yet.
    let use: StubUse?

    /// Of a stub that is in no set yet.
    init(isEnabled: Bool, turns: ResponseTurns?) {
        step = nil
        use = nil
        self.isEnabled = isEnabled
        self.turns = turns
    }

    /// The same in a set.
    init(_ other: StubLife, step: ScenarioStep?, use: StubUse?) {
        isEnabled = other.isEnabled
        turns = other.turns
        self.step = step
        self.use = use
    }

    /// The same from its beginning, in no set yet.
    var renewed: StubLife { StubLife(isEnabled: isEnabled, turns: turns) }

    /// Whether a mapping uses anything of it.
    static func isNeeded(by mapping: StubMapping) -> Bool {
        mapping.scenarioName != nil || mapping.times != nil || mapping.ttlMilliseconds != nil
            || mapping.enabled == false || mapping.responses != nil
    }

    var isMortal: Bool { use.map { $0.deadline != .max } ?? false }

    /// The stub may answer.
    /// - Parameter clock: asked only where it matters.
    func isOpen(_ clock: () -> Int64) -> Bool {
        guard isEnabled, let use, use.timesLeft > 0, step?.isOpen ?? true else { return false }
        return use.deadline == .max || clock() < use.deadline
    }

    /// Why it may not, for people; nil where it may.
    var reasonToStayOut: String? {
        if !isEnabled { return "it is not enabled" }
        if let use, use.timesLeft <= 0 { return "it has answered as often as its \"times\" say" }
        return step?.reasonToStayOut
    }

    /// Only under the session's lock: the stub answers. True if another stub may be open now, or this one closed.
    func answer(_ generator: inout SeededGenerator) -> Bool {
        var hasMoved = step?.advance() ?? false
        guard let use else { return hasMoved }
        if use.timesLeft != .max, use.countDown() { hasMoved = true }
        if let turns { use.setTurn(turns.next(after: use.turn, &generator)) }
        return hasMoved
    }
}
