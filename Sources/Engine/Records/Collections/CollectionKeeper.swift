package import SDHTTPMessages
public import SDJSON
package import SDJSONSchema
package import SDPlatform
import SDStubModel
import Synchronization

/// The collections that a request is about, as they are at one moment.
package struct DataView: Sendable {
    package let records: RecordSet
    /// The schema that records from clients must satisfy.
    package let schema: JSONSchema?
    /// The resources and records of the collections around it, the nearest first.
    let parents: [(resource: Resource, records: RecordSet)]
    /// The records of related collections that were asked for.
    package let others: [String: RecordSet]
    /// The number of changes before this moment.
    package let moment: UInt64
}

/// Who has collections under its lock, as a session does: what serving and writing them needs.
package protocol CollectionKeeper: AnyObject, Sendable {
    /// The resources that are served, up to date.
    var resources: ResourceTable { get }
    var files: any BodyFileSource { get }
    var bodies: any BodyFileStore { get }
    var memory: MemoryLedger { get }
    /// Whether changed records stay although their declaration is another one: not in the first session, whose stubs
    /// they are.
    var keepsChangedData: Bool { get }
    /// Whether it writes what has changed to the files.
    var writesData: Bool { get }

    /// Reads or changes the collections under the lock.
    func withData<Result: Sendable>(_ body: (inout SessionData, inout SeededGenerator) -> Result) -> Result
    /// Runs work that takes the disk, while nobody else writes files: at once, or beside the loops.
    func writeFiles(_ work: @Sendable () -> Void)
    func writeFilesLater(_ work: @escaping @Sendable () -> Void)
    func warned(_ message: String)
}

/// The collections, for requests.
extension CollectionKeeper {
    /// The collections that a request for a resource is about.
    /// - Parameters:
    ///   - others: the names of related collections.
    ///   - mayRead: whether there is time to read files.
    /// - Throws: why a collection cannot be had.
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

    /// Changes a collection at the one point of order.
    /// - Parameter body: may be given a collection that has changed since the request looked.
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
    ///   - removals: their keys, by collection.
    ///   - moment: when it was found out which.
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

    /// The declaration of a collection; that of the request's own resource if its stub is no longer served.
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

    /// Brings a collection that no caller has touched yet up to date with its files.
    /// - Throws: if there are no records, or there is no time.
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
    /// - Throws: if there is none, or there is no time.
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

    /// Reads the files of all collections that have changed.
    /// - Returns: what is wrong with them.
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

/// A file under `__files` that is no collection, or no schema.
public struct DataFileProblem: Sendable {
    public let path: String
    public let position: TextPosition?
    public let message: String
    public let expected: String?
    public let found: String?
}
