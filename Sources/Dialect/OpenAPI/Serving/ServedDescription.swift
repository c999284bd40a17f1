public import SDStubModel

/// A description with the name by which stubs refer to it, and its settings.
public struct ServedDescription: Sendable {
    /// The path of its file, with the prefix if there is one; unique among the served descriptions.
    public var name: String
    /// The settings.
    public var settings: OpenAPISettings
    /// The description.
    public var description: APIDescription

    /// Whether requests may omit the paths of its servers.
    public var isAlsoAtRoot = false

    /// Names a description according to its settings.
    /// - Parameter file: the path of its file in the folder.
    public init(_ description: APIDescription, file: String, settings: OpenAPISettings) {
        name = settings.prefix.map { "\(file) under \($0.isEmpty ? "/" : $0)" } ?? file
        self.settings = settings
        self.description = description
    }

    /// The distinct path prefixes of an operation; "" is the root.
    public func prefixes(of operation: APIOperation) -> [String] {
        if let prefix = settings.prefix { return [prefix] }
        var seen: Set<String> = []
        return ((operation.basePaths ?? description.basePaths) + (isAlsoAtRoot ? [""] : [])).map(Self.trimmed).filter {
            seen.insert($0).inserted
        }
    }

    /// All distinct path prefixes of its operations, longest first.
    public var prefixes: [String] {
        if let prefix = settings.prefix { return [prefix] }
        var all = Set(description.basePaths.map(Self.trimmed))
        if isAlsoAtRoot { all.insert("") }
        for operation in description.operations where operation.basePaths != nil {
            all.formUnion(prefixes(of: operation))
        }
        return all.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
