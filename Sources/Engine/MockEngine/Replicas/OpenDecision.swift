import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDStubModel
import SDStubs
import Synchronization

/// A stub that a request matches, and that has state which replicas share.
struct SharedCandidate: Sendable {
    let stub: CompiledStub
    /// The value of the request for which the stub's sequence is kept; nil for most stubs.
    let turn: [UInt8]?
}

/// A request that was matched, and about which the replicas have to decide together.
final class OpenDecision: Sendable {
    let request: Request
    let notes: [MatchNote]
    let snapshot: SessionSnapshot
    let candidates: [SharedCandidate]
    /// The first match without shared state.
    let otherwise: StubMatch
    let file: FileSearch
    let faults: [ActiveFault]

    init(
        _ request: Request, _ notes: [MatchNote], _ snapshot: SessionSnapshot, _ candidates: [SharedCandidate],
        _ otherwise: StubMatch, _ file: FileSearch, _ faults: [ActiveFault]
    ) {
        self.request = request
        self.notes = notes
        self.snapshot = snapshot
        self.candidates = candidates
        self.otherwise = otherwise
        self.file = file
        self.faults = faults
    }

    /// What is asked of the shared server.
    func proposal(_ key: DecisionKey) -> Proposal {
        var proposal = Proposal(key: key)
        proposal.candidates = candidates.map(\.proposed)
        if otherwise.stub != nil { proposal.candidates.append(Proposal.Candidate()) }
        return proposal
    }
}

extension SharedCandidate {
    /// The part of it that the shared server decides about.
    var proposed: Proposal.Candidate {
        guard let lifecycle = stub.lifecycle else { return Proposal.Candidate() }
        var candidate = Proposal.Candidate()
        if let step = lifecycle.step, step.requiredState != nil || step.nextState != nil {
            let scenario = step.scenario
            candidate.scenario = Proposal.Scenario(
                field: scenario.field, known: scenario.state, required: step.requiredState, next: step.nextState)
        }
        guard let use = lifecycle.use else { return candidate }
        if let times = use.times {
            candidate.times = Proposal.Times(field: stub.timesField, known: times - use.timesLeft, limit: times)
        }
        if let end = lifecycle.responses?.end {
            // A value that the server has forgotten begins anew, as it does in one process.
            candidate.sequence = Proposal.Sequence(
                field: stub.sequenceField, known: turn == nil ? min(max(use.position, 0), end.last) : 0,
                last: end.last, isLoop: end.isLoop, value: turn)
        }
        return candidate
    }
}

extension LiveScenario {
    /// The field of its state.
    var field: String { "s:\(change.load(ordering: .relaxed)):\(name)" }
}

extension CompiledStub {
    /// The field of the number of its uses.
    var timesField: String { "t:\(id.lowercasedString):\(life)" }

    /// The field of the place in its sequence.
    var sequenceField: String {
        "q:\(id.lowercasedString):\(life):\(lifecycle?.use?.sequenceChange.load(ordering: .relaxed) ?? 0)"
    }

    /// The field of the most responses that one value of a sequence has got.
    var mostSentField: String { "m" + sequenceField }
}
