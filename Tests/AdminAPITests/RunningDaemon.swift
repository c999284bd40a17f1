import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The real daemon over a folder of its own, ended and removed with the last reference.
final class RunningDaemon {
    let port: UInt16
    private let folder: URL
    private let process: pid_t
    private var hasEnded = false

    /// - Parameter files: texts by their path in the folder.
    init(files: [String: String] = [:], arguments: [String] = ["--no-watch"]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("daemon-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("mappings"), withIntermediateDirectories: true)
        for (name, text) in files { try Self.write(text, folder.appendingPathComponent(name)) }
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("stuntdouble").path
        let portFile = folder.appendingPathComponent("port").path
        process = try Self.spawn(program, [folder.path, "--port", "0", "--port-file", portFile] + arguments)
        // A port file is written at once and whole; there is nothing to be told by.
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            if let text = try? String(contentsOfFile: portFile, encoding: .utf8),
                let port = UInt16(text.split(separator: "\n").first ?? "")
            {
                self.port = port
                return
            }
            var status: Int32 = 0
            guard ContinuousClock.now < deadline, waitpid(process, &status, WNOHANG) == 0 else {
                throw ExchangeProblem(description: "the daemon was never ready")
            }
            usleep(2_000)
        }
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            _ = waitForExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func spawn(_ program: String, _ arguments: [String]) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // What the runner's threads have blocked must not be blocked in the daemon.
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
        #else
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, &attributes, &words, environ)
        guard code == 0 else { throw ExchangeProblem(description: "start \(program): error \(code)") }
        return process
    }

    private static func write(_ text: String, _ file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func write(_ name: String, _ text: String) throws {
        try Self.write(text, folder.appendingPathComponent(name))
    }

    func delete(_ name: String) throws {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
    }

    /// The stub files below `mappings`, by name.
    func stubFiles() throws -> [String: String] {
        let base = folder.appendingPathComponent("mappings")
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: base.path) where name.hasSuffix(".json") {
            found[name] = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
        }
        return found
    }

    /// Waits for the process to end, and tells its exit status; -1 after a signal.
    func waitForExit() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        hasEnded = true
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}
