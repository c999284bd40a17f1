import SDJournal
package import SDPlatform
package import SDRecords
import SDStubModel

/// The conditions besides its pattern that decide whether a stub answers, and with which of its responses: its
/// scenario, the session's state, a body file that may be missing, `times`, `ttl`, `enabled` and `responses`. Most
/// stubs have none.
package final class StubLifecycle: Sendable {
    /// The step in a scenario; nil without a scenario, and for a stub that is in no set yet.
    package let step: ScenarioStep?
    package let isEnabled: Bool
    package let responses: SequencedResponses?
    /// The condition on the session's state; nil for none.
    package let condition: StateCondition?
    /// The body file whose absence makes the stub fall through; nil for none.
    package let file: FileCondition?
    /// The state of use; nil for a stub that is in no set yet.
    package let use: StubUse?

    /// Makes the conditions of a stub that is in no set yet.
    package init(isEnabled: Bool, responses: SequencedResponses?, condition: StateCondition?, file: FileCondition?) {
        step = nil
        use = nil
        self.file = file
        self.isEnabled = isEnabled
        self.responses = responses
        self.condition = condition
    }

    /// Makes the same conditions for a stub in a set.
    package init(_ other: StubLifecycle, step: ScenarioStep?, use: StubUse?) {
        isEnabled = other.isEnabled
        responses = other.responses
        condition = other.condition
        file = other.file
        self.step = step
        self.use = use
    }

    /// The conditions in their initial state, for a stub that is in no set yet.
    package var renewed: StubLifecycle {
        StubLifecycle(isEnabled: isEnabled, responses: responses, condition: condition, file: file)
    }

    /// Whether a mapping uses any of the conditions.
    static func isNeeded(by mapping: StubMapping) -> Bool {
        mapping.scenarioName != nil || mapping.times != nil || mapping.ttlMilliseconds != nil
            || mapping.enabled == false || mapping.responses != nil || mapping.response.fallThrough == true
            || StateCondition.isMeant(by: mapping.request.customMatcher)
    }

    /// The log message after a value of its sequence was dropped, once; nil otherwise.
    package func takeLoss() -> String? {
        guard let key = responses?.key, use?.takesLoss() == true else { return nil }
        return
            "its sequence has seen more than \(SequencePositions.certain) values of \(key.text): those that came first are "
            + "forgotten, and begin anew"
    }

    package var canExpire: Bool { use.map { $0.deadline != .max } ?? false }

    /// Whether the stub may answer, apart from the session's state.
    /// - Parameter clock: called only if the time matters.
    package func isOpen(_ clock: () -> Int64) -> Bool {
        guard isEnabled, let use, use.timesLeft > 0, step?.isOpen ?? true else { return false }
        return use.deadline == .max || clock() < use.deadline
    }

    /// The reason why it may not answer, for messages; nil if it may.
    package var skipReason: String? {
        if !isEnabled { return "it is not enabled" }
        if let use, use.timesLeft <= 0 {
            let times = use.times ?? 0
            return "it answers \(times == 1 ? "once" : "\(times) times") (\"times\"), and has done so"
        }
        return step?.skipReason
    }

    /// Records that the stub answers; called only under the session's lock. Returns whether this may allow another stub
    /// to answer, or keep this one from answering.
    /// - Parameter value: the request's value, if the sequence is kept per value.
    package func answer(to value: [UInt8]?, _ generator: inout SeededGenerator) -> Bool {
        var hasMoved = step?.advance() ?? false
        guard let use else { return hasMoved }
        if use.timesLeft != .max, use.countDown() { hasMoved = true }
        if let responses { responses.advance(use, value, &generator) }
        return hasMoved
    }
}
