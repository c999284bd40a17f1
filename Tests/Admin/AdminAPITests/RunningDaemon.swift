import Foundation
import SDTestSupport

/// The real daemon with a folder of its own and a place for stub files. The folder is watched only if a test asks for
/// it.
final class RunningDaemon {
    private let folder: TemporaryFolder
    private let daemon: Daemon

    var port: UInt16 { daemon.port }

    /// Starts the daemon.
    /// - Parameter files: texts by their path in the folder.
    init(files: [String: String] = [:], arguments: [String] = ["--no-watch"]) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/mappings", withIntermediateDirectories: true)
        for (name, text) in files { try folder.write(name, text) }
        daemon = try Daemon(serving: folder.path, arguments)
    }

    func write(_ name: String, _ text: String) throws {
        try folder.write(name, text)
    }

    func delete(_ name: String) throws {
        try folder.remove(name)
    }

    func text(_ name: String) throws -> String {
        try folder.read(name)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
    }

    /// The stub files below `mappings`, by name.
    func stubFiles() throws -> [String: String] {
        let names = folder.files.filter { $0.hasPrefix("mappings/") && $0.hasSuffix(".json") }
        return Dictionary(
            uniqueKeysWithValues: try names.map { (String($0.dropFirst("mappings/".count)), try folder.read($0)) })
    }

    /// Waits until the process ends.
    func waitForExit() -> ChildProcess.Ending? {
        daemon.process.wait()
    }
}
