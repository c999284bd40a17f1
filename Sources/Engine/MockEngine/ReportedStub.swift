import SDAnswering
import SDJournal
import SDStubModel

/// A stub as reports tell of it: one, or the stubs of a route for a collection of records, which is used where any of them is.
struct ReportedStub {
    let stub: CompiledStub
    let reference: StubReference
    private(set) var uses: Int

    private struct Route: Hashable {
        let resource: ResourceDefinition
        let file: String?
        let line: Int?
    }

    /// The stubs with those of a route as one, each in the place of the first.
    static func all(_ stubs: [(stub: CompiledStub, hits: HitCount, uses: Int)]) -> [ReportedStub] {
        func route(_ stub: CompiledStub) -> Route? {
            stub.mapping.resource.map { Route(resource: $0, file: stub.file, line: stub.line) }
        }
        var parts: [Route: Int] = [:]
        for (stub, _, _) in stubs { if let route = route(stub) { parts[route, default: 0] += 1 } }
        var (reported, places): ([ReportedStub], [Route: Int]) = ([], [:])
        for (stub, _, uses) in stubs {
            let own = StubReference(stub)
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
