import SDHTTPTransport
import SDJSON
import SDStubModel
import SDStubs
import SDTestSupport
import Synchronization

@testable import SDMockEngine

/// A server with a session and one beside it that inherits its stubs: alone, or one of several replicas.
final class ReplicaServer: Sendable {
    let base: Session
    let child: Session
    let server: TestServer
    let replication: Replication?
    let log = HeardLog()

    init(_ decider: (any SharedDecider)?, workers: Int = 1) throws {
        var options = SessionOptions()
        options.workers = workers
        replication = decider.map { _ in Replication() }
        if let decider { replication?.use(decider) }
        options.replication = replication
        let base = Session(options: options, files: ChangingFiles([:]), log: log, trouble: log)
        let child = Session(child: SessionID(number: 1), of: base, SessionRequest(), endpoint: nil)
        (self.base, self.child) = (base, child)
        server = try TestServer(workers: workers, limits: ServerLimits()) { request, reply in
            let isForChild = request.header(Array("x-child".utf8)) != nil
            (isForChild ? child : base).serve(request, reply: reply)
        }
    }
}

/// Replicas that make the same changes, each of them before the next request.
final class ReplicaGroup: Sendable {
    let servers: [ReplicaServer]
    private let number = Atomic<UInt64>(0)

    init(_ count: Int, _ decider: (any SharedDecider)?, workers: Int = 1) throws {
        servers = try (0..<count).map { _ in try ReplicaServer(decider, workers: workers) }
    }

    func change(_ work: (ReplicaServer) throws -> Void) rethrows {
        let next = number.add(1, ordering: .relaxed).newValue
        for server in servers { try Self.change(server, next, work) }
    }

    /// Makes a change in one of them alone.
    static func change(_ server: ReplicaServer, _ number: UInt64, _ work: (ReplicaServer) throws -> Void) rethrows {
        server.replication?.change.store(number, ordering: .releasing)
        defer { server.replication?.change.store(0, ordering: .releasing) }
        try work(server)
    }

    func add(_ json: String, toChild: Bool = false) throws {
        let mapping = try StubMapping(json: JSONValue(parsing: json))
        try change { try (toChild ? $0.child : $0.base).add(mapping) }
    }

    func ask(_ index: Int, _ target: String) throws -> HTTPAnswer {
        try PersistentConnection(port: servers[index].server.port).request("GET", target)
    }
}
