public import SDJSON
import SDShorthand
public import SDStubModel

/// Locations for many stubs at once, with a single scan of the text.
extension ParsedStubFile {
    /// The diagnostics for problems of several stubs, each with its stub's index.
    public func diagnostics(
        for problems: [(stub: Int, problem: ModelProblem)], severity: FileDiagnostic.Severity
    ) -> [FileDiagnostic] {
        diagnostics(for: problems.map { (origin(of: $0), $1) }, severity: severity)
    }

    /// Adds further problems of the bad stubs, and then drops these stubs. Reports one problem for each value.
    /// - Parameter look: finds the problems of a stub.
    public mutating func checkBadStubs(_ look: (StubMapping) -> [ModelProblem]) {
        guard !badStubs.isEmpty else { return }
        let problems = badStubs.flatMap { bad in look(bad.stub).map { (bad.origin, $0) } }
        badStubs = []
        let told = diagnostics.filter { $0.severity == .error }.map(\.pointer.tokens)
        let further = diagnostics(for: problems, severity: .error).filter { diagnostic in
            let place = diagnostic.pointer.tokens
            return !told.contains { $0.starts(with: place) || place.starts(with: $0) }
        }
        diagnostics = (diagnostics + further).inFileOrder
    }

    private func diagnostics(
        for problems: [(StubOrigin, ModelProblem)], severity: FileDiagnostic.Severity
    ) -> [FileDiagnostic] {
        if problems.isEmpty { return [] }
        let placed = problems.map { origin, problem in
            let (place, isName) = origin.place(of: problem.place)
            var placed = problem
            placed.place = place
            placed.isAboutName = isName || problem.isAboutName
            return placed
        }
        let map = map(of: placed.map(\.place))
        return placed.map { FileDiagnostic($0, severity: severity, file: path, map) }
    }

    /// The start positions of stubs. Each of several stubs of one route has its own position in the route's list.
    public func positions(ofStubsAt indices: [Int]) -> [TextPosition?] {
        let places = indices.map { origin(of: $0).place }
        let map = map(of: places)
        return places.map { map.position(ofKeyAt: $0) }
    }

    private func origin(of stub: Int) -> StubOrigin {
        if isCollection { return StubOrigin(place: JSONPointer(["mappings", String(stub)])) }
        return origins.indices.contains(stub) ? origins[stub] : StubOrigin(place: .root)
    }
}
