public import SDOpenAPI
public import SDStubModel
private import Synchronization

/// A served contract, with the name by which stubs refer to it.
public final class ServedContract: Sendable {
    /// The name by which stubs' responses refer to it.
    public let name: String
    /// How it is served.
    public let settings: OpenAPISettings
    /// The contract.
    public let contract: Contract
    /// The path prefixes of its requests, longest first; "" is any.
    public let prefixes: [String]
    /// The indices of the operations, by id and by method and path.
    private let indices: [String: Int]
    /// For each operation, the bit set of jobs known to be quick.
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
        // Methods and paths are unique, and take precedence over an id that looks like one.
        for (index, operation) in operations.enumerated() { indices[operation.key] = index }
        self.indices = indices
    }

    /// Work for a request of an operation.
    public enum Job: UInt8, Sendable {
        case answering = 1
        case checking = 2
    }

    /// Whether a job is known to be quick enough for a loop. Initially none is: schemas are compiled on first use, and
    /// only then is their size known.
    public func isQuick(_ job: Job, _ operation: Int) -> Bool {
        quick.withLock { $0[operation] & job.rawValue != 0 }
    }

    /// Whether a job is known to be slow.
    public func isExpensive(_ job: Job, _ operation: Int) -> Bool {
        quick.withLock { $0[operation] & job.rawValue << 2 != 0 }
    }

    /// Records whether a job was quick.
    public func note(_ job: Job, _ operation: Int, isQuick: Bool) {
        quick.withLock { quick in
            let (now, never) = isQuick ? (job.rawValue, job.rawValue << 2) : (job.rawValue << 2, job.rawValue)
            quick[operation] = quick[operation] & ~never | now
        }
    }

    /// The index of an operation by `operationId`, or by method and path; nil if there is none.
    public func index(of operation: String) -> Int? { indices[operation] }

    /// The operation at an index.
    public func operation(_ index: Int) -> APIOperation { contract.description.operations[index] }

    /// The names of all operations, for messages.
    public var operationNames: [String] { contract.description.operations.map { $0.id ?? $0.key } }

    /// The path of a request without the served prefix; nil if the request is not for this contract.
    public func ownPath(of path: String) -> String? {
        for prefix in prefixes where path.utf8.starts(with: prefix.utf8) {
            let rest = path[path.utf8.index(path.startIndex, offsetBy: prefix.utf8.count)...]
            if rest.isEmpty { return prefix.isEmpty ? "/" : "" }
            if rest.utf8.first == UInt8(ascii: "/") { return String(rest) }
        }
        return nil
    }
}
