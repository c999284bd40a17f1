public import SDStubModel

/// A stub that did not match a request, with its distance.
public struct NearMiss: Sendable {
    public let stub: StubMapping
    private let file: String?
    private let line: Int?
    public let evaluation: PatternEvaluation
    /// The state of the stub's scenario, if it has one.
    public let scenarioState: String?
    /// Why the stub may not answer even a matching request; nil if it may.
    public let ineligibility: String?

    /// - Parameters:
    ///   - file: the stub file; nil for a stub from the admin API.
    ///   - line: the line in the file.
    package init(
        _ stub: StubMapping, file: String?, line: Int?, _ evaluation: PatternEvaluation, scenarioState: String?,
        ineligibility: String?
    ) {
        self.stub = stub
        self.file = file
        self.line = line
        self.evaluation = evaluation
        self.scenarioState = scenarioState
        self.ineligibility = ineligibility
    }

    /// The stub's reference, as its author knows it.
    public var reference: StubReference {
        StubReference(id: stub.id, name: stub.name, file: file, line: line, key: stub.request.routeKey)
    }

    /// WireMock's distance, from 0 for a match to 1.
    public var distance: Double { evaluation.distance }
}
