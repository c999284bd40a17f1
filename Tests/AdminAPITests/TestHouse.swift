import AdminAPI
import HTTPTransport
import JSON
import MockEngine
import StubModel
import Synchronization
import TestSupport

/// The engine and its admin API behind a server, in this process.
final class TestHouse: Sendable {
    let session: Session
    let server: Server
    let port: UInt16
    let control = Control()
    private let handler: MockServer

    init(
        session options: SessionOptions = SessionOptions(), admin: AdminOptions = AdminOptions(),
        files: [String: String] = [:], store: (any StubStore)? = nil
    ) throws {
        session = Session(options: options, files: MemoryFiles(files: files), store: store)
        handler = MockServer(session: session, admin: admin, daemon: control, log: SilentLog())
        server = try Server(workers: options.workers, handler: handler)
        port = try server.listen(address: "127.0.0.1", port: 0)
        control.server.withLock { $0 = server }
        try server.start()
    }

    deinit {
        handler.endWaiting()
        server.stopAndWait()
        control.server.withLock { $0 = nil }
    }

    /// What the daemon does before it ends.
    func endWaiting() {
        handler.endWaiting()
    }

    /// Adds a stub from its JSON.
    func add(_ json: String) throws {
        try session.add(StubMapping(json: .init(parsing: json)))
    }

    /// What a client that knows no HTTP sees.
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
            guard let server = server.withLock({ $0 }) else { preconditionFailure("a call before the server was made") }
            return server.after(nanoseconds: nanoseconds, work)
        }

        func shutDown() { shutDowns.add(1, ordering: .relaxed) }
        var uptimeSeconds: Int { 7 }
    }

    private final class SilentLog: ServerLog {
        func refused(status: Int, reason: String, peer: String) {}
        func trouble(_ text: String) {}
    }
}

/// Body files that exist nowhere else.
struct MemoryFiles: BodyFileSource {
    let files: [String: String]

    func read(_ path: String) throws(BodyFileError) -> BodyFile {
        guard let text = files[path] else { throw BodyFileError(path: path, reason: "no file \(path) in __files") }
        return BodyFile(bytes: Array(text.utf8), version: 1)
    }
}
