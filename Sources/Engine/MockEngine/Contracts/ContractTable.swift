public import SDAnswering
import SDBasics
package import SDContracts
public import SDJSON
public import SDOpenAPI
package import SDStubModel
import SDStubs
import Synchronization

/// The OpenAPI documents of files: those of the daemon's folder, or those that calls have loaded into one session.
final class ContractTable: Sendable {
    private struct Content {
        var files: [String: [ServedContract]] = [:]
        /// All documents, by name; requests are checked against these.
        var all: [ServedContract] = []
        /// All documents followed by those of another table, as of `version` of that table.
        var merged: (version: Int, all: [ServedContract])?
    }

    private let content = Mutex(Content())
    /// The number of documents; most sessions read it for each request.
    private let number = Atomic(0)
    /// The number of changes.
    private let version = Atomic(0)

    /// Whether there are no documents.
    var isEmpty: Bool { number.load(ordering: .relaxed) == 0 }

    /// All documents, by name.
    var all: [ServedContract] {
        isEmpty ? [] : content.withLock { $0.all }
    }

    /// All documents of this table, then those of another table that have other names.
    func all(before other: ContractTable) -> [ServedContract] {
        guard !isEmpty else { return other.all }
        let version = other.version.load(ordering: .acquiring)
        if let merged = content.withLock({ $0.merged }), merged.version == version { return merged.all }
        let others = other.all
        return content.withLock { content in
            let names = Set(content.all.map(\.name))
            let all = content.all + others.filter { !names.contains($0.name) }
            content.merged = (version, all)
            return all
        }
    }

    /// The document of a name; nil if there is none.
    subscript(name: String) -> ServedContract? {
        isEmpty
            ? nil
            : content.withLock { content in
                content.files[name]?.first { $0.name == name } ?? content.all.first { $0.name == name }
            }
    }

    /// Replaces the documents of a file; an empty list if the file was removed.
    func replace(_ contracts: [ServedContract], of file: String) {
        // The old values are freed outside the lock.
        let old = content.withLock { content in
            let old = content
            content.merged = nil
            content.files[file] = contracts.isEmpty ? nil : contracts
            content.all = content.files.values.flatMap(\.self).sorted { $0.name < $1.name }
            number.store(content.all.count, ordering: .relaxed)
            return old
        }
        version.add(1, ordering: .releasing)
        _ = old
    }

    func removeAll() {
        content.withLock { $0 = Content() }
        number.store(0, ordering: .relaxed)
        version.add(1, ordering: .releasing)
    }

    /// The prefix of the names of documents that calls have sent.
    static let imported = "import:"

    /// Removes the documents that calls have sent.
    func removeImported() {
        for name in fileNames where name.hasPrefix(Self.imported) { replace([], of: name) }
    }

    var fileNames: [String] { content.withLock { Array($0.files.keys) } }

    /// The documents that a file contains or names.
    func contracts(of file: String) -> [ServedContract] { content.withLock { $0.files[file] ?? [] } }
}

extension Session {
    /// Replaces the OpenAPI documents of a file; an empty list if the file was removed.
    public func replaceContracts(_ served: [ServedDescription], of file: String) {
        loaded.contracts.replace(served.map { ServedContract($0) }, of: file)
    }

    /// The content of a file to which a document refers, as it is served; nil if there is no such file.
    /// - Parameters:
    ///   - path: its path relative to the folder of the stub file.
    ///   - file: the stub file that is the document, or names it.
    public func contractPart(_ path: String, of file: String) -> JSONValue? {
        let place = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        for contract in loaded.contracts.contracts(of: file) {
            // The names of parts are relative to the folder of the document.
            let own = contract.path(namedBy: file)
            let folder = (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "").dropFirst(place.count)
            guard path.hasPrefix(folder) else { continue }
            let documents = contract.contract.description.documents.documents.dropFirst()
            if let found = documents.first(where: { $0.name == path.dropFirst(folder.count) }) { return found.json }
        }
        return nil
    }

    /// The files that contain or name OpenAPI documents.
    public var contractFiles: [String] { loaded.contracts.fileNames.filter { !$0.hasPrefix(ContractTable.imported) } }

    /// Replaces the OpenAPI documents that a call has sent under a name.
    /// - Parameter isAlsoAtRoot: whether requests may omit the paths of the document's servers.
    public func importContracts(_ served: [ServedDescription], named name: String, isAlsoAtRoot: Bool = false) {
        var served = served
        for index in served.indices where isAlsoAtRoot { served[index].isAlsoAtRoot = true }
        guard !served.isEmpty || loaded.contracts.fileNames.contains(ContractTable.imported + name) else { return }
        replaceContracts(served, of: ContractTable.imported + name)
    }

    /// The stubs of the operations of a document that a call has sent.
    package func operations(ofImported name: String) -> Set<StubMapping.ID> {
        guard loaded.contracts.fileNames.contains(ContractTable.imported + name) else { return [] }
        return state.withLock { state in
            Set(
                state.stubs.all.lazy.map(\.mapping).filter {
                    $0.response.openapi?.document == name && $0.priority == ServedDescription.priority
                }.map(\.id))
        }
    }

    /// The OpenAPI documents whose stubs the session serves.
    package var contracts: [ServedContract] {
        let own = loaded.contracts
        guard loaded !== shared.folder, parent != nil, !shared.folder.contracts.isEmpty else { return own.all }
        return own.all(before: shared.folder.contracts)
    }

    /// The options for OpenAPI documents that do not set their own.
    public var contractOptions: ContractOptions { options.response.contracts }

    /// Whether the session serves any OpenAPI document.
    var hasContracts: Bool {
        !loaded.contracts.isEmpty || loaded !== shared.folder && parent != nil && !shared.folder.contracts.isEmpty
    }

    package func operation(_ answer: OpenAPIAnswer) -> Result<FoundOperation, OperationRefusal> {
        if let name = answer.document {
            let contract = loaded.contracts[name] ?? shared.folder.contracts[name]
            guard let contract else {
                let names = contracts.map(\.name)
                let meant = nearestName(to: name, among: names).map { ", did you mean \($0)?" } ?? ""
                return .failure(OperationRefusal("there is no OpenAPI document \(name)\(meant)"))
            }
            if let index = contract.index(of: answer.operation) { return .success(FoundOperation(contract, index)) }
            return .failure(Self.noOperation(answer.operation, in: [contract]))
        }
        let contracts = contracts
        let found = contracts.compactMap { contract in
            contract.index(of: answer.operation).map { FoundOperation(contract, $0) }
        }
        if let first = found.first { return .success(first) }
        return .failure(Self.noOperation(answer.operation, in: contracts))
    }

    private static func noOperation(_ operation: String, in contracts: [ServedContract]) -> OperationRefusal {
        guard !contracts.isEmpty else {
            return OperationRefusal("there is no OpenAPI document, which is to have the operation \(operation)")
        }
        let meant = nearestName(to: operation, among: contracts.flatMap(\.operationNames))
        return OperationRefusal(
            "\(contracts.map(\.name).joined(separator: ", ")) has no operation \(operation)"
                + (meant.map { ", did you mean \($0)?" } ?? ""))
    }
}
