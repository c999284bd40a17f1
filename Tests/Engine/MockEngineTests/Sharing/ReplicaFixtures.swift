import SDExplanations
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine

/// A replica: a registry whose first session, or another one, answers requests of clients.
final class ReplicaFixture: Sendable {
    let registry: SessionRegistry
    let server: TestServer
    let log = HeardLog()
    /// The session that serves; nil for the first.
    let serving = Locked<Session?>(nil)

    var session: Session { serving.withLock { $0 } ?? registry.base }
    var shared: SharedJournal { registry.sharedJournal ?? SharedJournal(Replica(name: "none", number: 0)) }

    init(_ number: UInt64, _ options: SessionOptions = SessionOptions(), files: [String: String] = [:]) throws {
        var options = options
        options.replica = Replica(name: "shop", number: number)
        options.unmatchedReporter = { NearMissReport($0, in: $1, &$2) }
        options.messageReporter = { MessageNearMiss.reported($0, on: $1, in: $2) }
        let base = Session(options: options, files: ChangingFiles(files), log: log, trouble: log)
        registry = SessionRegistry(base: base)
        let serving = serving
        server = try TestServer(workers: options.workers, limits: ServerLimits(), memory: base.memory) {
            request, reply in
            (serving.withLock { $0 } ?? base).serve(request, reply: reply)
        }
    }

    func add(_ json: String) throws {
        try session.add(StubMapping(json: JSONValue(parsing: json)))
    }

    /// Begins a session, which serves from now on.
    func begin() -> LiveSession {
        let live = registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0)
        serving.withLock { $0 = live.session }
        return live
    }

    /// Sends a request, reads its whole answer, and waits until its end is noted.
    func ask(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) throws {
        _ = try? PersistentConnection(port: server.port).request(method, target, headers: headers, body: body)
        if log.ended.next(within: 10_000) == nil { Issue.record("no end of \(method) \(target)") }
    }

    /// The list of requests, with all that this server adds to it.
    var requests: String {
        String(
            decoding: RequestList.page(JournalQuery(), isDetailed: true, of: session).json.prettyBytes, as: UTF8.self)
    }

    /// Hands in what it has to another one.
    func handIn(to other: ReplicaFixture, all: Bool = false) throws {
        while let batch = shared.takeBatch(all: all, maxBytes: 256 << 10) { try other.registry.ingest(batch) }
    }
}
