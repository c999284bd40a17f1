import SDAnswering
public import SDExplaining
import SDIndexing
import SDJournal
import SDMatching
import SDMockEngine
import SDPlatform
public import SDStubModel
import SDStubs

/// A request with the stubs nearest to it.
public struct RequestNearMisses: Sendable {
    public let request: LoggedRequest
    /// The near misses, nearest first.
    public let nearest: [NearMiss]
}

/// Finds the stubs nearest to a request at a bounded cost.
///
/// Up to `maxCompared` stubs are all candidates, as in WireMock. If there are more, those with the most similar paths
/// are, and some of those that accept any path.
struct NearMissSearch {
    /// The number of stubs that WireMock lists.
    static let count = MissedRequest.most
    /// The largest number of candidates.
    static let maxCompared = MissedRequest.maxCompared

    let stubs: VisibleStubs
    /// The session whose state decides whether a stub may answer.
    private let session: Session

    /// A search among the current stubs.
    init(_ session: Session) {
        stubs = session.visibleStubs
        self.session = session
    }

    /// A search among other stubs than the session's.
    init(_ session: Session, among stubs: VisibleStubs) {
        self.stubs = stubs
        self.session = session
    }

    /// The nearest stubs, nearest first; at equal distance, in order of precedence.
    ///
    /// - Parameters:
    ///   - detail: the details of the evaluations.
    ///   - budget: the budget of the search. Once it is spent, the result so far is returned.
    func nearest(
        _ request: some TemplateRequest, count: Int = count, _ detail: PatternEvaluation.Detail = [],
        _ budget: WorkBudget, by measure: Measure = .wireMock
    ) -> [NearMiss] {
        var views = RequestViews(request, budget: budget)
        return nearest(request, &views, count: count, detail, by: measure)
    }

    /// Why one stub does not answer a request; nil if there is no such stub, or the budget is spent.
    func miss(of id: StubMapping.ID, _ request: some TemplateRequest, _ budget: WorkBudget) -> NearMiss? {
        guard let stub = session.compiledStub(id) else { return nil }
        var views = RequestViews(request, budget: budget)
        return nearMisses([stub], request, &views, .differences).first
    }

    /// How the nearest stub is determined.
    enum Measure {
        /// WireMock's distance, for answers in WireMock's format.
        case wireMock
        /// First the number of differing conditions, then the distance, in which expressions count by their beginnings:
        /// for people.
        case people
    }

    /// The nearest stubs to a request with decoded parts, within the rest of its budget.
    func nearest(
        _ request: some TemplateRequest, _ views: inout RequestViews, count: Int = count,
        _ detail: PatternEvaluation.Detail = [], by measure: Measure = .wireMock
    ) -> [NearMiss] {
        let candidates = candidates(views)
        let patterns = NearestPatterns(candidates.map(\.pattern))
        let most = measure == .people ? max(count, NearestPatterns.pool) : count
        var found = patterns.nearest(to: request, &views, count: most)
        if measure == .people {
            found = patterns.nearestByBeginning(found, to: request, &views, count: most)
            found = patterns.fewestDifferences(found, to: request, &views, count: count)
        }
        return nearMisses(found.map { candidates[$0.index] }, request, &views, detail)
    }

    private func nearMisses(
        _ stubs: [CompiledStub], _ request: some TemplateRequest, _ views: inout RequestViews,
        _ detail: PatternEvaluation.Detail
    ) -> [NearMiss] {
        var states = StateView(session, request, views)
        var nearest: [NearMiss] = []
        for stub in stubs {
            let mapping = stub.currentMapping
            let evaluation = stub.pattern.evaluate(request, &views, of: mapping.request, detail)
            // A match that the budget has cut short does not count.
            if views.isSpent { break }
            nearest.append(
                NearMiss(
                    mapping, file: stub.file, line: stub.line, evaluation,
                    scenarioState: stub.lifecycle?.step?.scenario.state,
                    ineligibility: stub.lifecycle.flatMap { states.skipReason($0, of: stub) }))
        }
        return nearest
    }

    /// The candidates, in order of precedence.
    private func candidates(_ views: RequestViews) -> [CompiledStub] {
        guard stubs.maxCount > Self.maxCompared else { return stubs.all }
        return stubs.candidates(near: views.path, most: Self.maxCompared)
    }
}
