package import SDStubModel

/// The resources of a session, in the order of precedence of their stubs. Immutable.
package struct ResourceTable: Sendable {
    package let resources: [Resource]
    /// The declaration of each collection: the first one with data, or else the first one.
    private let declarations: [String: DeclaredCollection]

    package static let none = ResourceTable([])

    /// - Parameter resources: in the order of precedence of their stubs.
    package init(_ resources: [Resource]) {
        self.resources = resources
        var declarations: [String: DeclaredCollection] = [:]
        for resource in resources {
            let known = declarations[resource.definition.name]
            guard known == nil || known?.definition.data == nil && resource.definition.data != nil else { continue }
            declarations[resource.definition.name] = resource.declared
        }
        self.declarations = declarations
    }

    package var isEmpty: Bool { resources.isEmpty }

    /// The names of the collections, in order.
    package var names: [String] { declarations.keys.sorted() }

    package func declaration(_ name: String) -> DeclaredCollection? { declarations[name] }

    /// Whether removing a record of a collection removes its dependents.
    func cascades(_ name: String) -> Bool {
        resources.contains { $0.definition.name == name && $0.definition.cascade == true }
    }

    /// The parent resource of a path; nil if there is none.
    package func parent(of path: ResourcePath) -> Resource? {
        guard let parent = path.parent else { return nil }
        return resources.first { $0.path.hasShape(of: parent) }
    }
}

/// A collection of records at a path, which a stub serves.
package final class Resource: Sendable {
    package let definition: ResourceDefinition
    package let path: ResourcePath
    package let declared: DeclaredCollection

    /// - Throws: what is wrong with the data or the schema in the stub.
    package init(_ definition: ResourceDefinition) throws(DeclaredCollection.StubProblems) {
        self.definition = definition
        path = ResourcePath(definition.path)
        declared = try DeclaredCollection(definition)
    }
}
