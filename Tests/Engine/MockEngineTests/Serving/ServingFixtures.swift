import SDExplanations
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import Synchronization

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// A session behind a server, and what it tells.
final class ServedSession: Sendable {
    let session: Session
    let server: TestServer
    let files: ChangingFiles
    let log = HeardLog()

    init(
        _ options: SessionOptions = SessionOptions(), files: [String: String] = [:],
        memory: MemoryLedger = MemoryLedger(), limits: ServerLimits = ServerLimits(), watchdog: LoopWatchdog? = nil
    ) throws {
        self.files = ChangingFiles(files)
        var options = options
        options.unmatchedReporter = { NearMissReport($0, in: $1, &$2) }
        options.messageReporter = { MessageNearMiss.reported($0, on: $1, in: $2) }
        let session = Session(options: options, files: self.files, log: log, trouble: log, memory: memory)
        self.session = session
        server = try TestServer(workers: options.workers, limits: limits, memory: memory, watchdog: watchdog) {
            request, reply in
            session.serve(request, reply: reply)
        }
    }

    func add(_ json: String) throws {
        try session.add(StubMapping(json: JSONValue(parsing: json)))
    }

    /// Sends a request and reads its whole answer.
    @discardableResult
    func ask(_ method: String, _ target: String, headers: [String] = []) throws -> HTTPAnswer {
        try PersistentConnection(port: server.port).request(method, target, headers: headers)
    }

    /// The client of a request whose answer is still to come.
    func send(_ target: String) throws -> RawClient {
        let client = try server.client()
        try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
    }

    /// The newest event as the admin API shows it.
    var newest: JSONValue? { RequestList.page(JournalQuery(), of: session).json["requests"]?[0] }

    /// The newest event's answer in an HTTP Archive.
    var newestInHAR: JSONValue? {
        let archive = RequestList.archive(JournalQuery(), of: session, creatorVersion: "1").json
        return archive["log"]?["entries"]?.arrayValue?.last?["response"]
    }

    var journalBytes: Int { session.state.withLock { $0.journal.byteCount } }
}

/// Body files that a test changes.
final class ChangingFiles: BodyFileSource, BodyFileStore {
    private let contents: Locked<[String: (text: String, version: UInt64)]>
    private let changes = Atomic<UInt64>(1)
    /// Called for each reading.
    let onRead = Locked<@Sendable (String) -> Void>({ _ in })
    /// The files that are too large for memory.
    let large = Locked<[String: BodyFile]>([:])

    init(_ files: [String: String]) {
        contents = Locked(files.mapValues { ($0, 1) })
    }

    subscript(path: String) -> String? {
        get { contents.withLock { $0[path]?.text } }
        set {
            let version = changes.add(1, ordering: .relaxed).newValue
            contents.withLock { contents in contents[path] = newValue.map { ($0, version) } }
        }
    }

    func read(_ path: String) throws(BodyFileError) -> BodyFile {
        onRead.withLock { $0 }(path)
        if let file = large.withLock({ $0[path] }) { return file }
        guard let (text, version) = contents.withLock({ $0[path] }) else {
            throw BodyFileError(path: path, reason: "no file \(path)")
        }
        return BodyFile(bytes: Array(text.utf8), version: version, modified: Int64(version) * 1_000_000_000)
    }

    func paths() -> [String] { contents.withLock { $0.keys.sorted() } }
    func content(_ path: String) throws(BodyFileRefusal) -> BodyContent { throw .notFound }
    func write(_ path: String, _ bytes: [UInt8]) { self[path] = String(decoding: bytes, as: UTF8.self) }
    func remove(_ path: String) throws(BodyFileRefusal) { throw .notFound }
}

/// Tells a test of ends and of stubs that failed.
final class HeardLog: RequestLog, EngineLog {
    let ended = Events<ServeEvent>()
    let failures = Locked<[String]>([])
    let warnings = Locked<[String]>([])

    func served(_ event: ServeEvent) { ended.tell(event) }
    func missed(_ event: ServeEvent, _ report: any UnmatchedReport) {}
    func broke(_ fault: String, serverName: String?, session: String?) {
        warnings.withLock { $0.append("\(fault) \(serverName ?? "-") \(session ?? "-")") }
    }
    func failed(_ event: ServeEvent) { failures.withLock { $0.append(event.failure ?? "none") } }
    func warned(_ message: String, of stub: StubReference) {
        warnings.withLock { $0.append("\(stub.key): \(message)") }
    }
    func warned(_ message: String) { warnings.withLock { $0.append(message) } }
    func noticed(_ message: String, of stub: StubReference) {}
}
