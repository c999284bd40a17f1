import SDStubModel

/// The resources of a session, in the order in which their stubs are tried. Immutable.
struct ResourceTable: Sendable {
    let resources: [ResourceResponder]
    /// The declaration of each collection: the first one with data, or else the first one.
    private let declarations: [String: DeclaredCollection]

    static let none = ResourceTable([])

    /// - Parameter stubs: those that serve resources, in any order.
    init(_ stubs: [CompiledStub]) {
        resources = stubs.sorted { $0.order < $1.order }.compactMap(\.resource)
        var declarations: [String: DeclaredCollection] = [:]
        for resource in resources {
            let known = declarations[resource.definition.name]
            guard known == nil || known?.definition.data == nil && resource.definition.data != nil else { continue }
            declarations[resource.definition.name] = resource.declared
        }
        self.declarations = declarations
    }

    var isEmpty: Bool { resources.isEmpty }

    /// The names of the collections, in order.
    var names: [String] { declarations.keys.sorted() }

    func declaration(_ name: String) -> DeclaredCollection? { declarations[name] }

    /// Whether the removal of a record of a collection removes those that belong to it.
    func cascades(_ name: String) -> Bool {
        resources.contains { $0.definition.name == name && $0.definition.cascade == true }
    }

    /// The resource whose records the paths of another one are about; nil if there is none.
    func parent(of path: ResourcePath) -> ResourceResponder? {
        guard let parent = path.parent else { return nil }
        return resources.first { $0.path.hasShape(of: parent) }
    }
}
