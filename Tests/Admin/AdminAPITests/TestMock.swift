import SDAdminAPI
import SDExplanations
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDReports
import SDRouting
import SDStubModel
import SDStubs
import SDTestSupport
import Synchronization
import Testing

/// The engine and its admin API behind a server in this process.
final class TestMock: Sendable {
    let session: Session
    let sessions: SessionRegistry
    let server: Server
    let port: UInt16
    let control = Control()
    private let handler: RequestDispatcher
    private let log = KeptLog()

    init(
        session options: SessionOptions = .unhurried, admin: AdminOptions = AdminOptions(),
        files: [String: String] = [:], store: (any StubStore)? = nil
    ) throws {
        var options = options
        options.unmatchedReporter = { NearMissReport($0, in: $1, &$2) }
        options.messageReporter = { MessageNearMiss.reported($0, on: $1, in: $2) }
        session = Session(options: options, files: MemoryFiles(files: files), store: store)
        sessions = SessionRegistry(base: session)
        handler = RequestDispatcher(sessions: sessions, admin: admin, daemon: control, log: log)
        server = try Server(workers: options.workers, handler: handler)
        port = try server.listen(address: "127.0.0.1", port: 0)
        try server.start()
        control.server.withLock { [server] in $0 = server }
    }

    deinit {
        handler.endWaiting()
        server.stopAndWait()
        control.server.withLock { $0 = nil }
    }

    /// Ends all waiting calls, as the daemon does before it ends.
    func endWaiting() {
        handler.endWaiting()
    }

    /// Ends all waiting calls, and lets requests in flight finish.
    func drain() {
        endWaiting()
        server.drain(milliseconds: 60_000)
    }

    /// Adds a stub from its JSON.
    func add(_ json: String) throws {
        try session.add(StubMapping(json: .init(parsing: json)))
    }

    /// The bytes and the ending that a raw client receives.
    func raw(_ text: String) throws -> RawClient.Received {
        let client = try RawClient(port: port)
        try client.send(text)
        return client.receiveAll(within: 10_000)
    }

    final class Control: DaemonControl {
        let server = Mutex<Server?>(nil)
        let reloads = Atomic(0)
        let shutDowns = Atomic(0)

        func reloadFiles() { reloads.add(1, ordering: .relaxed) }
        func after(nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
            server.withLock { $0 }?.loop().after(nanoseconds: nanoseconds, work) ?? .dropped
        }

        var listeningAt: [String] { [] }
        var adminAt: [String] { [] }
        var authorityCertificate: [UInt8]? { certificate.withLock { $0 } }
        let certificate = Mutex<[UInt8]?>(nil)
        var stubFolder: String? { "mocks" }
        var folderAccess: FolderAccess? { FolderAccess(path: "mocks", obstacle: obstacle.withLock { $0 }) }
        let obstacle = Mutex<String?>(nil)
        var isWatching: Bool { true }
        var fileProblems: [Report.FileProblem] { problems.withLock { $0 } }
        let problems = Mutex<[Report.FileProblem]>([])

        func openEndpoint(
            _ ports: SessionPorts, tag: UInt64, worker: Int
        ) throws(EndpointProblem) -> any SessionEndpoint {
            guard let server = server.withLock({ $0 }) else {
                throw EndpointProblem(isTaken: false, message: "no server")
            }
            do throws(TransportError) {
                return ListenerEndpoint(
                    listener: try server.open(address: "127.0.0.1", port: ports.http ?? 0, tag: tag, worker: worker))
            } catch {
                throw EndpointProblem(isTaken: error.isAddressInUse, message: error.description)
            }
        }

        var clients: (open: Int, accepted: UInt64) { server.withLock { $0 }?.clients ?? (0, 0) }
        func shutDown() { shutDowns.add(1, ordering: .relaxed) }
        var uptimeMilliseconds: Int { 7_000 }
    }

    private struct ListenerEndpoint: SessionEndpoint {
        let listener: OpenListener
        var port: UInt16? { listener.port }
        var httpsPort: UInt16? { nil }

        func close() { listener.close() }

        func change(to state: PortState, _ done: @escaping @Sendable (PortProblem?) -> Void) {
            let mode: OpenListener.Mode =
                switch state.mode {
                case .open: .open
                case .down: .down
                case .stalled: .stalled
                }
            listener.change(to: mode, refusals: state.refusals) { error in
                done(error.map { PortProblem(message: $0.description) })
            }
        }
    }

    /// The warnings of the server.
    var troubles: [String] { log.troubles.withLock { $0 } }

    private final class KeptLog: ServerLog {
        let troubles = Mutex<[String]>([])

        func refused(status: Int, reason: String, peer: String) {}
        func trouble(_ text: String) { troubles.withLock { $0.append(text) } }
    }
}

extension SessionOptions {
    /// The defaults, but for the time of matching: without optimization it takes many times as long as in the daemon.
    static var unhurried: SessionOptions {
        var options = SessionOptions()
        options.matchBudget *= 40
        return options
    }
}

extension TestMock {
    /// Waits until `count` calls wait or listen.
    func waitUntil(listeners count: Int) throws {
        let isThere = eventually(within: 10_000) { self.session.listenerCount == count ? true : nil }
        try #require(isThere == true, "\(session.listenerCount) listen, not \(count)")
    }

    /// Waits until `count` requests are in flight.
    func waitUntil(inFlight count: Int) throws {
        let isThere = eventually(within: 10_000) { self.session.inFlightCount == count ? true : nil }
        try #require(isThere == true, "\(session.inFlightCount) are in flight, not \(count)")
    }

    /// Makes a call of the admin API.
    /// - Parameters:
    ///   - path: below `/__admin`.
    ///   - status: the expected one; any other fails the test.
    /// - Returns: the JSON of the answer, or null.
    func admin(_ method: String, _ path: String, _ body: String = "", status: Int = 200) throws -> JSONValue {
        let answer = try Exchange(port, method, "/__admin" + path, body: body)
        try #require(answer.status == status, "\(method) \(path): \(answer)")
        return answer.json ?? .null
    }
}

/// Body files in memory.
struct MemoryFiles: BodyFileSource, BodyFileStore {
    let files: [String: String]

    func paths() -> [String] { files.keys.sorted() }

    func content(_ path: String) throws(BodyFileRefusal) -> BodyContent {
        guard let text = files[path] else { throw .notFound }
        return .bytes(Array(text.utf8))
    }

    func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) { throw .failed("read only") }

    func remove(_ path: String) throws(BodyFileRefusal) {
        if files[path] != nil { throw .failed("read only") }
    }

    func read(_ path: String) throws(BodyFileError) -> BodyFile {
        guard let text = files[path] else { throw BodyFileError(path: path, reason: "no file \(path) in __files") }
        return BodyFile(bytes: Array(text.utf8), version: 1, modified: 1_600_000_000_500_000_000)
    }
}
