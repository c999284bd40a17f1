import SDAnswering
import SDJournal
import SDStubModel

/// A stub as reports show it: a single one, or all stubs of a collection's route. It is used if any of its stubs is.
struct ReportedStub {
    let stub: CompiledStub
    let reference: StubReference
    private(set) var uses: Int

    private struct Route: Hashable {
        let resource: ResourceDefinition
        let file: String?
        let line: Int?
    }

    /// The stubs, with those of a collection's route merged into the position of the first.
    /// - Parameter unwritten: files that only other replicas have; reports do not name them.
    static func all(
        _ stubs: [(stub: CompiledStub, hits: HitCount, uses: Int)], unwritten: Set<String> = []
    ) -> [ReportedStub] {
        func route(_ stub: CompiledStub) -> Route? {
            stub.mapping.resource.map { Route(resource: $0, file: stub.file, line: stub.line) }
        }
        var parts: [Route: Int] = [:]
        for (stub, _, _) in stubs { if let route = route(stub) { parts[route, default: 0] += 1 } }
        var (reported, places): ([ReportedStub], [Route: Int]) = ([], [:])
        for (stub, _, uses) in stubs {
            var own = StubReference(stub)
            if let file = own.file, unwritten.contains(file) {
                own = StubReference(id: own.id, name: own.name, file: nil, line: nil, key: own.key)
            }
            guard let route = route(stub), parts[route, default: 0] > 1 else {
                reported.append(ReportedStub(stub: stub, reference: own, uses: uses))
                continue
            }
            if let place = places[route] {
                reported[place].uses += uses
                continue
            }
            places[route] = reported.count
            let reference = StubReference(
                id: own.id, name: own.name, file: own.file, line: own.line, key: "CRUD \(route.resource.path)")
            reported.append(ReportedStub(stub: stub, reference: reference, uses: uses))
        }
        return reported
    }
}
