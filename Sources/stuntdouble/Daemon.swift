import AdminAPI
import Command
import Folders
import HTTPTransport
import JSON
import MockEngine
import Platform
import StubModel

final class Daemon: DaemonControl, ServerLog {
    var uptimeSeconds: Int { 0 }
    func reloadFiles() {}
    func shutDown() {}
    func refused(status: Int, reason: String, peer: String) {}
    func trouble(_ text: String) {}

    static func serve(_ options: ServeOptions) {
        do {
            let folder = StubFolder(path: options.root.path, isMappingsOnly: options.root.layout == .mappingsOnly)
            var so = SessionOptions()
            so.workers = options.workers
            so.keepsJournal = options.journal
            let session = Session(options: so, files: FolderBodies(files: BodyFiles(path: folder.bodyFilesPath)))
            var loaded: [(name: String, stubs: [StubMapping]?)] = []
            for file in folder.read().files {
                let json = try JSONValue(parsing: file.bytes, dialect: .lenient)
                let list = json["mappings"]?.arrayValue ?? [json]
                loaded.append((file.relativePath, try list.map { try StubMapping(json: $0) }))
            }
            _ = session.update(loaded)
            let d = Daemon()
            let server = try Server(workers: options.workers, handler: MockServer(session: session, admin: AdminOptions(), daemon: d, log: d))
            let port = try server.listen(address: "127.0.0.1", port: UInt16(options.port))
            print("ready \(port) \(session.stubCount)")
            try server.run()
        } catch { print("failed", error) }
    }
}
