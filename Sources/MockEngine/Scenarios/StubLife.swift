import StubModel

/// What decides, beside its pattern, whether a stub answers: the state of its scenario. Most stubs have none of it.
final class StubLife: Sendable {
    let step: ScenarioStep?

    /// Of a stub that is in no set yet.
    static let unbound = StubLife(step: nil)

    init(step: ScenarioStep?) {
        self.step = step
    }

    /// Whether a mapping uses anything of it.
    static func isNeeded(by mapping: StubMapping) -> Bool {
        mapping.scenarioName != nil
    }

    /// The stub may answer.
    var isOpen: Bool { step?.isOpen ?? true }

    /// Why it may not, for people; nil where it may.
    var reasonToStayOut: String? {
        step?.reasonToStayOut
    }

    /// Only under the session's lock: the stub answers. True if another stub may be open now, or this one closed.
    func use() -> Bool {
        step?.advance() ?? false
    }
}
