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
    /// The nearest first.
    public let nearest: [NearMiss]
}

/// Finds the stubs nearest to a request at a bounded cost.
///
/// Up to `maxCompared` stubs are all candidates, as in WireMock. Of more, those whose paths are most similar to the
/// request's, and some of those that accept any path.
struct NearMissSearch {
    /// The number of stubs that WireMock names.
    static let count = MissedRequest.most
    /// The largest number of candidates.
    static let maxCompared = MissedRequest.maxCompared

    let stubs: VisibleStubs
    /// The session whose state decides whether a stub may answer.
    private let session: Session

    /// A search among the stubs of this moment.
    init(_ session: Session) {
        stubs = session.visibleStubs
        self.session = session
    }

    /// A search among other stubs than the session's.
    init(_ session: Session, among stubs: VisibleStubs) {
        self.stubs = stubs
        self.session = session
    }

    /// The nearest stubs, the nearest first; of two with the same distance, the one that is tried first.
    ///
    /// - Parameters:
    ///   - detail: the details of the evaluations.
    ///   - budget: what the search draws from. Once it is spent, what was found so far is returned.
    func nearest(
        _ request: some TemplateRequest, count: Int = count, _ detail: PatternEvaluation.Detail = [],
        _ budget: WorkBudget, by measure: Measure = .wireMock
    ) -> [NearMiss] {
        var views = RequestViews(request, budget: budget)
        return nearest(request, &views, count: count, detail, by: measure)
    }

    /// What keeps one stub from answering a request; nil if there is no such stub, or the budget is spent.
    func miss(of id: StubMapping.ID, _ request: some TemplateRequest, _ budget: WorkBudget) -> NearMiss? {
        guard let stub = session.compiledStub(id) else { return nil }
        var views = RequestViews(request, budget: budget)
        return nearMisses([stub], request, &views, .differences).first
    }

    /// What makes a stub the nearest.
    enum Measure {
        /// WireMock's distance, for answers that are WireMock's.
        case wireMock
        /// The number of conditions that differ counts before that, and expressions count by their beginnings: for what
        /// people read.
        case people
    }

    /// The nearest stubs to a request of which matchers have decoded parts already, and with what is left of its budget.
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
            // What an abandoned matcher says of a value is not true.
            if views.isSpent { break }
            nearest.append(
                NearMiss(
                    mapping, file: stub.file, line: stub.line, evaluation,
                    scenarioState: stub.lifecycle?.step?.scenario.state,
                    ineligibility: stub.lifecycle.flatMap { states.reasonToStayOut($0, of: stub) }))
        }
        return nearest
    }

    /// The candidates, in the order in which they are tried.
    private func candidates(_ views: RequestViews) -> [CompiledStub] {
        guard stubs.maxCount > Self.maxCompared else { return stubs.all }
        return stubs.candidates(near: views.path, most: Self.maxCompared)
    }
}
