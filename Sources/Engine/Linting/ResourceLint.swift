import SDJSON
import SDStubModel

/// Finds collections of records that are declared twice, and nested ones whose parent no stub serves.
enum ResourceLint {
    static func findings(in stubs: [any LintedStub]) -> [StubFinding] {
        let resources = stubs.compactMap { stub in stub.mapping.resource.map { (stub, $0) } }
        guard !resources.isEmpty else { return [] }
        var findings: [StubFinding] = []
        var declared: [String: ResourceDefinition] = [:]
        // Each route has several stubs with one resource.
        var seen: Set<ResourceDefinition> = []
        let paths = resources.map { shape($0.1.path) }
        for (stub, resource) in resources where seen.insert(resource).inserted {
            if let parent = parent(of: resource.path), !paths.contains(shape(parent.path)) {
                findings.append(
                    StubFinding(
                        .missingParent, of: stub.reference, at: JSONPointer(["request"]),
                        "no route serves the collection \(parent.path), so any \(parent.variable) will do",
                        expected: "CRUD \(parent.path) beside it"))
            }
            guard let first = declared[resource.name] else {
                declared[resource.name] = resource
                continue
            }
            if first.key != resource.key {
                findings.append(
                    conflict(stub, "key", "the collection \(resource.name) has the key \(first.key) already"))
            } else if let data = resource.data, let known = first.data, data != known {
                findings.append(
                    conflict(
                        stub, "data",
                        "the collection \(resource.name) has other data already, and these are never used"))
            } else if first.data == nil {
                declared[resource.name] = resource
            }
        }
        return findings
    }

    private static func conflict(_ stub: any LintedStub, _ field: String, _ message: String) -> StubFinding {
        StubFinding(
            .conflictingData, of: stub.reference, at: JSONPointer(["resource", field]), message,
            expected: "another name under \"collection\"")
    }

    /// The path without the names of its variables.
    private static func shape(_ path: String) -> [String] {
        path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }
    }

    private static func parent(of path: String) -> (path: String, variable: String)? {
        let segments = path.split(separator: "/")
        guard let last = segments.lastIndex(where: { $0.hasPrefix("{") }), last > 0 else { return nil }
        return ("/" + segments[..<last].joined(separator: "/"), String(segments[last]))
    }
}
