import JSON
import Matching
import StubModel

/// A stub that did not match a request, and how far it is from doing so.
struct NearMiss: Sendable {
    let stub: StubMapping
    private let compiled: CompiledStub
    let evaluation: PatternEvaluation
    /// The state of the stub's scenario, where it has one.
    let scenarioState: String?
    /// Why the stub may not answer even a request that matches; nil where it may.
    let ineligibility: String?

    init(
        _ stub: CompiledStub, _ evaluation: PatternEvaluation, scenarioState: String?, ineligibility: String?
    ) {
        self.stub = stub.currentMapping
        compiled = stub
        self.evaluation = evaluation
        self.scenarioState = scenarioState
        self.ineligibility = ineligibility
    }

    var reference: StubReference { StubReference(compiled) }

    /// WireMock's distance: 0 matches, 1 is as far as can be.
    var distance: Double { evaluation.distance }
}

/// Finds the stubs that are nearest to a request, at a bounded cost.
///
/// Up to `mostCompared` stubs are all compared, as WireMock does it. Of more, those are whose paths look most like the
/// request's, and some of those that take any path.
struct NearMissSearch {
    /// WireMock names three.
    static let count = 3
    /// A comparison costs less than a microsecond, unless all conditions have to be looked at.
    static let mostCompared = 1_000

    let stubs: VisibleStubs

    /// The nearest first; of two equally near the one that is tried first.
    ///
    /// - Parameters:
    ///   - detail: what is told of them.
    ///   - detailed: how many of them, from the nearest on, it is told of.
    func nearest(
        _ request: some MatchableRequest, count: Int = count, _ detail: PatternEvaluation.Detail = [],
        detailed: Int = count
    ) -> [NearMiss] {
        var views = RequestViews(request)
        var nearest: [(stub: CompiledStub, distance: Double)] = []
        for stub in candidates(views) {
            let bound = nearest.count < count ? .infinity : nearest.last?.distance ?? 0
            guard let distance = stub.pattern.distance(request, &views, below: bound) else { continue }
            let place = nearest.firstIndex { $0.distance > distance } ?? nearest.count
            nearest.insert((stub, distance), at: place)
            if nearest.count > count { nearest.removeLast() }
        }
        return nearest.enumerated().map { place, near in
            NearMiss(
                near.stub, near.stub.pattern.evaluate(request, &views, place < detailed ? detail : []),
                scenarioState: near.stub.life?.step?.scenario.state,
                ineligibility: near.stub.life?.reasonToStayOut)
        }
    }

    /// In the order in which they are tried.
    private func candidates(_ views: RequestViews) -> [CompiledStub] {
        guard stubs.mostCount > Self.mostCompared else { return stubs.all }
        return stubs.candidates(near: views.path, most: Self.mostCompared)
    }
}
