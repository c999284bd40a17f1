import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDStubModel
import SDStubs
import Synchronization

/// A stub that matches a request and whose state the replicas share.
struct SharedCandidate: Sendable {
    let stub: CompiledStub
    /// The request's value that selects the place in the stub's sequence; nil for most stubs.
    let turn: [UInt8]?
}

/// A matched request whose answer the replicas decide together.
final class OpenDecision: Sendable {
    let request: Request
    let notes: [MatchNote]
    let snapshot: SessionSnapshot
    let candidates: [SharedCandidate]
    /// The first match without shared state, as the fallback.
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

    /// The proposal for the shared server.
    func proposal(_ key: DecisionKey) -> Proposal {
        var proposal = Proposal(key: key)
        proposal.candidates = candidates.map(\.proposed)
        if otherwise.stub != nil { proposal.candidates.append(Proposal.Candidate()) }
        return proposal
    }
}

extension SharedCandidate {
    /// The candidate as the shared server sees it.
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
            // A value that the server has dropped starts again, as in one process.
            candidate.sequence = Proposal.Sequence(
                field: stub.sequenceField, known: turn == nil ? min(max(use.position, 0), end.last) : 0,
                last: end.last, isLoop: end.isLoop, value: turn)
        }
        return candidate
    }
}

extension LiveScenario {
    /// The field of the scenario's state.
    var field: String { "s:\(change.load(ordering: .relaxed)):\(name)" }
}

extension CompiledStub {
    /// The field of the stub's number of uses.
    var timesField: String { "t:\(id.lowercasedString):\(life)" }

    /// The field of the stub's place in its sequence.
    var sequenceField: String {
        "q:\(id.lowercasedString):\(life):\(lifecycle?.use?.sequenceChange.load(ordering: .relaxed) ?? 0)"
    }

    /// The field of the largest number of responses that one value of the sequence got.
    var maxSentField: String { "m" + sequenceField }
}
