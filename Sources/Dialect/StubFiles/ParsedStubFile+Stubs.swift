public import JSON
public import StubModel

/// Places of many stubs at once, for which the text is read once.
extension ParsedStubFile {
    /// As `diagnostics(for:inStubAt:severity:)`, each problem with the index of its stub.
    public func diagnostics(
        for problems: [(stub: Int, problem: ModelProblem)], severity: FileDiagnostic.Severity
    ) -> [FileDiagnostic] {
        let placed = problems.map { stub, problem in
            let (place, isName) = origin(of: stub).place(of: problem.place)
            var placed = problem
            placed.place = place
            placed.isAboutName = isName || problem.isAboutName
            return placed
        }
        let map = map(of: placed.map(\.place))
        return placed.map { FileDiagnostic($0, severity: severity, file: path, map) }
    }

    /// Where each of these stubs begins: of a route that has several, each in its place of the list.
    public func positions(ofStubsAt indices: [Int]) -> [TextPosition?] {
        let places = indices.map { origin(of: $0).place }
        let map = map(of: places)
        return places.map { map.position(ofKeyAt: $0) }
    }

    private func origin(of stub: Int) -> StubOrigin {
        origins.indices.contains(stub) ? origins[stub] : StubOrigin(place: .root)
    }
}
