public import SDOpenAPI
public import SDStubModel
private import Synchronization

/// A contract under the name by which stubs know it, as it is served.
public final class ServedContract: Sendable {
    /// The name, by which the responses of stubs refer to it.
    public let name: String
    /// How it is served.
    public let settings: OpenAPISettings
    /// The contract.
    public let contract: Contract
    /// The paths that requests for its operations begin with, the longest first; "" is any.
    public let prefixes: [String]
    /// The indices of the operations by their ids and by their methods and paths.
    private let indices: [String: Int]
    /// For each operation, the jobs that are known to take little time, as a sum.
    private let quick: Mutex<[UInt8]>

    /// Makes a contract of a description.
    public init(_ served: ServedDescription) {
        name = served.name
        settings = served.settings
        contract = Contract(served.description)
        contract.prepare()
        quick = Mutex(Array(repeating: 0, count: served.description.operations.count))
        prefixes = served.prefixes
        var indices: [String: Int] = [:]
        let operations = served.description.operations
        indices.reserveCapacity(2 * operations.count)
        for (index, operation) in operations.enumerated() {
            if let id = operation.id, indices[id] == nil { indices[id] = index }
        }
        // Methods and paths are unique, and an id that looks like one is none.
        for (index, operation) in operations.enumerated() { indices[operation.key] = index }
        self.indices = indices
    }

    /// What is done for a request of an operation.
    public enum Job: UInt8, Sendable {
        case answering = 1
        case checking = 2
    }

    /// Whether a job is known to take so little time that a loop may do it. At first no job is: schemas are compiled when
    /// they are first used, and how large they are shows only then.
    public func isQuick(_ job: Job, _ operation: Int) -> Bool {
        quick.withLock { $0[operation] & job.rawValue != 0 }
    }

    /// Whether a job is known to take long.
    public func isDear(_ job: Job, _ operation: Int) -> Bool {
        quick.withLock { $0[operation] & job.rawValue << 2 != 0 }
    }

    /// Notes whether a job took little time.
    public func note(_ job: Job, _ operation: Int, isQuick: Bool) {
        quick.withLock { quick in
            let (now, never) = isQuick ? (job.rawValue, job.rawValue << 2) : (job.rawValue << 2, job.rawValue)
            quick[operation] = quick[operation] & ~never | now
        }
    }

    /// The index of an operation by its `operationId`, or by its method and path; nil if there is none.
    public func index(of operation: String) -> Int? { indices[operation] }

    /// The operation at an index.
    public func operation(_ index: Int) -> APIOperation { contract.description.operations[index] }

    /// The names of all operations, for messages.
    public var operationNames: [String] { contract.description.operations.map { $0.id ?? $0.key } }

    /// The path of a request without the path that requests for the operations begin with; nil for a request that is not
    /// meant for them.
    public func ownPath(of path: String) -> String? {
        for prefix in prefixes where path.utf8.starts(with: prefix.utf8) {
            let rest = path[path.utf8.index(path.startIndex, offsetBy: prefix.utf8.count)...]
            if rest.isEmpty { return prefix.isEmpty ? "/" : "" }
            if rest.utf8.first == UInt8(ascii: "/") { return String(rest) }
        }
        return nil
    }
}
