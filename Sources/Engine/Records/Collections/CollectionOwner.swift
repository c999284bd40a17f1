package import SDHTTPMessages
public import SDJSON
package import SDJSONSchema
package import SDPlatform
import SDStubModel
import Synchronization

/// The collections that a request uses, at one moment.
package struct DataView: Sendable {
    package let records: RecordSet
    /// The schema that records from clients must satisfy.
    package let schema: JSONSchema?
    /// The resources and records of the parent collections, nearest first.
    let parents: [(resource: Resource, records: RecordSet)]
    /// The records of the requested related collections.
    package let others: [String: RecordSet]
    /// The number of earlier changes.
    package let moment: UInt64
}

/// An owner of collections, guarded by the owner's lock. `Session` is the one in production.
package protocol CollectionOwner: AnyObject, Sendable {
    /// The resources that are served, up to date.
    var resources: ResourceTable { get }
    var files: any BodyFileSource { get }
    var bodies: any BodyFileStore { get }
    var memory: MemoryLedger { get }
    /// Whether changed records survive a changed declaration; false for the default session, which owns the stubs.
    var keepsChangedData: Bool { get }
    /// Whether it writes changes to the files.
    var writesData: Bool { get }

    /// Reads or changes the collections under the lock.
    func withData<Result: Sendable>(_ body: (inout SessionData, inout SeededGenerator) -> Result) -> Result
    /// Runs work that uses the disk, excluding other writers: at once, or in the background.
    func writeFiles(_ work: @Sendable () -> Void)
    func writeFilesLater(_ work: @escaping @Sendable () -> Void)
    func warned(_ message: String)
}

/// Access to the collections, for requests.
extension CollectionOwner {
    /// The collections that a request for a resource uses.
    /// - Parameters:
    ///   - others: the names of related collections.
    ///   - mayRead: whether there is time to read files.
    /// - Throws: why a collection is unavailable.
    package func view(_ resource: Resource, with others: [String] = [], mayRead: Bool) throws(ResourceFailure)
        -> DataView
    {
        let table = resources
        var parents: [Resource] = []
        var path = resource.path
        while let parent = table.parent(of: path), parents.count < 8 {
            parents.append(parent)
            path = parent.path
        }
        let names = [resource.definition.name] + parents.map(\.definition.name)
        for name in names + others { try prepare(name, in: table, resource, mayRead: mayRead) }
        try prepareSchema(resource, mayRead: mayRead)
        return withData { data, _ in
            func records(_ name: String) -> RecordSet { entry(name, in: table, resource, data).records }
            let owner =
                resource.definition.schema == nil ? declaration(names[0], in: table, resource) : resource.declared
            return DataView(
                records: records(names[0]), schema: owner.contents.schema,
                parents: zip(parents, names.dropFirst()).map { ($0, records($1)) },
                others: Dictionary(others.map { ($0, records($0)) }) { first, _ in first }, moment: data.changes)
        }
    }

    /// Changes a collection, serialised with requests.
    /// - Parameter body: may get a collection that has changed since the request read it.
    func changeData<Result: Sendable>(
        _ resource: Resource,
        _ body: (inout SessionData.Entry, inout SeededGenerator, SessionData) -> Result
    ) -> Result {
        let table = resources
        let name = resource.definition.name
        let (result, isToWrite) = withData { data, generator in
            var entry = entry(name, in: table, resource, data)
            let wasUnwritten = entry.isUnwritten
            let result = body(&entry, &generator, data)
            data.put(name, entry)
            return (result, entry.isUnwritten && !wasUnwritten)
        }
        if isToWrite { writeLater(name, table) }
        return result
    }

    /// Removes records of several collections in one step.
    /// - Parameters:
    ///   - removals: the keys to remove, by collection.
    ///   - moment: the number of changes when they were computed.
    /// - Returns: false if anything has changed since then; nothing is removed.
    package func remove(
        _ removals: [String: Set<String>], _ resource: Resource, unchangedSince moment: UInt64
    ) -> Bool {
        let table = resources
        let isDone = withData { data, _ in
            guard data.changes == moment else { return false }
            for (name, keys) in removals {
                var entry = entry(name, in: table, resource, data)
                for key in keys { _ = entry.remove(key) }
                data.put(name, entry)
            }
            return true
        }
        if isDone { for name in removals.keys { writeLater(name, table) } }
        return isDone
    }

    /// The declaration of a collection; the one of the request's own resource if its stub is no longer served.
    private func declaration(
        _ name: String, in table: ResourceTable, _ resource: Resource
    ) -> DeclaredCollection {
        table.declaration(name) ?? resource.declared
    }

    private func entry(
        _ name: String, in table: ResourceTable, _ resource: Resource, _ data: borrowing SessionData
    ) -> SessionData.Entry {
        let contents = declaration(name, in: table, resource).contents
        return data.entry(name, declared: contents.fingerprint, keepsChanges: keepsChangedData)
            ?? SessionData.Entry(declared: contents)
    }

    /// Updates a collection that no caller has changed from its files.
    /// - Throws: if there are no records, or no time.
    private func prepare(
        _ name: String, in table: ResourceTable, _ resource: Resource, mayRead: Bool
    ) throws(ResourceFailure) {
        let declaration = declaration(name, in: table, resource)
        guard !declaration.fileNames.isEmpty else { return }
        let isTouched = withData { data, _ in data.entries[name] != nil }
        if !isTouched {
            guard mayRead || declaration.isQuick(files) else { throw .late }
            report(declaration.refresh(files, hasData: true))
            withData { data, _ in
                guard data.entries[name] == nil, declaration.contents.records != nil else { return }
                data.put(name, SessionData.Entry(declared: declaration.contents))
            }
        }
        if let problem = declaration.problem(hasData: true) { throw Self.unavailable(problem) }
    }

    /// Reads the resource's own schema, once.
    /// - Throws: if there is none, or no time.
    private func prepareSchema(_ resource: Resource, mayRead: Bool) throws(ResourceFailure) {
        guard resource.definition.schema?.fileName != nil, resource.declared.problem(hasData: false) != nil else {
            return
        }
        guard mayRead || resource.declared.isQuick(files) else { throw .late }
        report(resource.declared.refresh(files, hasData: false))
        if let problem = resource.declared.problem(hasData: false) { throw Self.unavailable(problem) }
    }

    private static func unavailable(_ problem: DeclaredCollection.FileProblem) -> ResourceFailure {
        .unavailable("the file \(problem.path) of its data cannot be served: \(problem.problem)")
    }

    package func report(_ problems: [DeclaredCollection.FileProblem]) {
        for problem in problems {
            warned(
                "the data file \(problem.path) is not read: \(problem.problem); its last good data are kept")
        }
    }

    // MARK: Files

    /// Reads the changed files of all collections.
    /// - Returns: the problems of these files.
    package func readDataFiles() -> [DataFileProblem] {
        var seen: Set<String> = []
        var problems: [DataFileProblem] = []
        let table = resources
        for resource in table.resources {
            let hasData = table.declaration(resource.definition.name) === resource.declared
            for found in resource.declared.refresh(files, hasData: hasData) where seen.insert(found.path).inserted {
                let problem = found.problem
                problems.append(
                    DataFileProblem(
                        path: found.path, position: problem.position, message: problem.message,
                        expected: problem.expected, found: problem.found))
            }
        }
        return problems
    }
}

/// A file under `__files` that is not a valid collection or schema.
public struct DataFileProblem: Sendable {
    public let path: String
    public let position: TextPosition?
    public let message: String
    public let expected: String?
    public let found: String?
}
