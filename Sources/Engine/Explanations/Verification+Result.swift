public import SDExplaining
public import SDJournal
public import SDMatching
import SDPlatform
import SDStubModel
import Synchronization

/// The results of verifications.
extension Verification {
    /// The largest number of unexpected requests in a result.
    private static let maxRequests = 50

    /// The largest number of searches for near misses, each of which costs time.
    private static let maxSearches = 20

    /// The result so far.
    /// - Throws: if matching exceeded the budget of the call.
    public func result() throws(StubRefusal) -> VerificationResult {
        let findings = try findings()
        guard session.keepsJournal else { return VerificationResult(unrecorded: expected) }
        var searches = 0
        let budget = sharedBudget
        var expectations: [VerificationResult.Item] = []
        for place in expected.expectations.indices { expectations.append(item(place, findings, &searches, budget)) }
        let unexpected = findings.counts.unexpected
        return VerificationResult(
            isRecorded: true, holds: findings.holds, expectations: expectations,
            chains: expected.chains.map { chain(findings.counts.walk($0), of: $0) },
            unexpected: session.events(of: unexpected.prefix(Self.maxRequests)), unexpectedCount: unexpected.count,
            cannotTell: cannotTell(of: findings.counts.perhapsUnexpected), lastSequence: findings.lastSequence)
    }

    // MARK: Expectations

    private func item(
        _ place: Int, _ findings: Findings, _ searches: inout Int, _ budget: WorkBudget
    ) -> VerificationResult.Item {
        let expectation = expected.expectations[place]
        let (met, undecided) = (findings.counts.met[place], findings.counts.undecided[place])
        let isOK = findings.counts.isMet(place)
        var misses: [MissedRequest]?
        if !isOK, met.count < expectation.count.least, searches < Self.maxSearches {
            searches += 1
            misses = nearMisses(of: place, besides: met + undecided, budget)
        }
        return VerificationResult.Item(
            expectation: expectation, met: met, undecided: undecided, cannotTell: cannotTell(of: undecided), isOK: isOK,
            isEvicted: isEvicted(place, findings), nearMisses: misses)
    }

    private func cannotTell(of sequences: [UInt64]) -> String? {
        sequences.isEmpty ? nil : session.cannotTell(of: sequences)
    }

    /// Whether events that might count were evicted before they could be matched.
    private func isEvicted(_ place: Int, _ findings: Findings) -> Bool {
        guard findings.lastEvicted > expected.since else { return false }
        let matches = session.matches(of: expected.expectations[place].pattern, patterns[place])
        // Not if all events answered by the pattern's stub were matched.
        return matches.map { $0 > findings.counts.met[place].count } ?? true
    }

    private func chain(_ walk: ExpectationCounts.Walk, of places: [Int]) -> VerificationResult.Chain {
        VerificationResult.Chain(expectations: places, reached: walk.reached, missing: walk.missing)
    }

    // MARK: Near misses

    /// The events nearest to an expectation that do not match it, nearest first; nil if the budget is spent.
    private func nearMisses(of place: Int, besides met: [UInt64], _ budget: WorkBudget) -> [MissedRequest]? {
        let met = Set(met)
        let events = session.events.lazy.filter { $0.sequence > self.expected.since && !met.contains($0.sequence) }
            .prefix(MissedRequest.maxCompared)
        var nearest: [(event: ServeEvent, distance: Double)] = []
        for event in events {
            var views = RequestViews(event.request, budget: budget)
            let bound = nearest.count < MissedRequest.most ? .infinity : nearest.last?.distance ?? 0
            guard let distance = patterns[place].distance(event.request, &views, below: bound) else { continue }
            nearest.insert((event, distance), at: nearest.firstIndex { $0.distance > distance } ?? nearest.count)
            if nearest.count > MissedRequest.most { nearest.removeLast() }
        }
        let pattern = expected.expectations[place].pattern
        let missed = nearest.map {
            var views = RequestViews($0.event.request, budget: budget)
            return MissedRequest(
                event: $0.event, patterns[place].evaluate($0.event.request, &views, of: pattern, .differences))
        }
        return budget.isSpent ? nil : missed
    }
}

/// A request near to a pattern.
public struct MissedRequest: Sendable {
    /// The number of near misses in a result, and the largest number of candidates that are compared for them.
    package static let most = 3
    package static let maxCompared = 1_000

    public let event: ServeEvent
    public let evaluation: PatternEvaluation

    package init(event: ServeEvent, _ evaluation: PatternEvaluation) {
        self.event = event
        self.evaluation = evaluation
    }
}

extension JournalOwner {
    /// The stored events with these sequence numbers.
    package func events(of sequences: some Sequence<UInt64>) -> [ServeEvent] {
        let sequences = Array(sequences)
        return withJournal { journal in sequences.compactMap { journal.event($0) } }
    }
}
