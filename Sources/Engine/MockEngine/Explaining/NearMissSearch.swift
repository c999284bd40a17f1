import JSON
import Matching
import StubModel

/// A stub that did not match a request, with its distance.
struct NearMiss: Sendable {
    let stub: StubMapping
    private let compiled: CompiledStub
    let evaluation: PatternEvaluation
    /// The state of the stub's scenario, if it has one.
    let scenarioState: String?
    /// The reason why the stub may not answer even a matching request; nil if it may.
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

    /// WireMock's distance, from 0 for a match to 1.
    var distance: Double { evaluation.distance }
}

/// Finds the stubs nearest to a request at a bounded cost.
///
/// Up to `mostCompared` stubs are all compared, as in WireMock. Of more, those are compared whose paths are most
/// similar to the request's, and some of those that accept any path.
struct NearMissSearch {
    /// The number of stubs that WireMock names.
    static let count = 3
    /// The most stubs compared. A comparison takes less than a microsecond unless all conditions must be tested.
    static let mostCompared = 1_000

    let stubs: VisibleStubs

    /// The nearest stubs, the nearest first; of two with the same distance, the one that is tried first.
    ///
    /// - Parameters:
    ///   - detail: the details of the evaluations.
    ///   - detailed: the number of nearest stubs with these details.
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

    /// The stubs to compare, in the order in which they are tried.
    private func candidates(_ views: RequestViews) -> [CompiledStub] {
        guard stubs.mostCount > Self.mostCompared else { return stubs.all }
        return stubs.candidates(near: views.path, most: Self.mostCompared)
    }
}
