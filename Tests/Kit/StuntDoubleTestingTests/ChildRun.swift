import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Some of this process's tests once more, in a process of their own, where tests that fail on purpose do so; or another
/// program.
struct ChildRun {
    let status: Int32
    let output: String

    private static let variable = "STUNTDOUBLE_KIT_CHILD"
    /// Whether this process is such a run.
    static let isChild = ProcessInfo.processInfo.environment[variable] != nil

    /// Runs and returns when the process has ended.
    ///
    /// Foundation's `Process` notices that by the end of a socket, which other children of this process may inherit.
    init(
        _ arguments: [String], of path: String = CommandLine.arguments[0], environment: [String: String] = [:]
    ) async throws {
        let log = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let variables = ProcessInfo.processInfo.environment
            .merging([Self.variable: "1"]) { $1 }.merging(environment) { $1 }.map { "\($0)=\($1)" }
        status = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try Self.run(path, arguments, variables, outputIn: log.path) })
            }
        }
        output = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    }

    private static func run(
        _ path: String, _ arguments: [String], _ variables: [String], outputIn log: String
    ) throws -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words = ([path] + arguments).map { strdup($0) }
        var values = variables.map { strdup($0) }
        defer { for word in words + values { free(word) } }
        words.append(nil)
        values.append(nil)
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, nil, words, values)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOEXEC) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // The exit status, or 128 and the signal that ended it, as a shell has it.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
