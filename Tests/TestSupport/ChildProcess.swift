#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Another program run by a test. Its output and errors go to files, which are read on demand. It is ended with this
/// object at the latest.
public final class ChildProcess {
    /// The way in which a process ended.
    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    public let identifier: Int32
    public let outputPath: String
    public let errorsPath: String
    /// The write end of the child's standard input; closed by `closeInput`.
    private var input: Int32
    private var ending: Ending?

    /// Starts a program.
    /// - Parameters:
    ///   - folder: its working directory; nil for the test's own.
    ///   - environment: variables in addition to the test's own.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], folder: String? = nil,
        outputsIn scratch: TemporaryFolder
    ) throws(CallFailure) {
        outputPath = scratch.path + "/stdout-\(UInt64.random(in: .min ... .max))"
        errorsPath = scratch.path + "/stderr-\(UInt64.random(in: .min ... .max))"
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CallFailure("make a pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends[1]

        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorsPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)

        // Signals that the runner's threads block must not be blocked in the child.
        #if canImport(Glibc)
            var attributes = posix_spawnattr_t()
        #else
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        // Not every system can spawn a process in another folder; a shell can.
        let command = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0, path] } ?? [path]
        var words: [UnsafeMutablePointer<CChar>?] = (command + arguments).map { strdup($0) }
        words.append(nil)
        var variables: [UnsafeMutablePointer<CChar>?] = Self.variables(environment).map { strdup($0) }
        variables.append(nil)
        defer { for word in words + variables { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], &actions, &attributes, words, variables)
        close(ends[0])
        guard code == 0 else {
            close(ends[1])
            errno = code
            throw CallFailure("run \(path)")
        }
        identifier = child
    }

    deinit {
        if ending == nil {
            kill(identifier, SIGKILL)
            _ = wait(milliseconds: 5_000)
        }
        closeInput()
    }

    /// Its output so far.
    public var output: String { text(outputPath) }
    /// Its standard error so far.
    public var errors: String { text(errorsPath) }

    public func signal(_ number: Int32) {
        kill(identifier, number)
    }

    /// Writes a text to its standard input.
    public func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Self.writeBytes(input, $0) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    private static func writeBytes(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(number, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(number, bytes.baseAddress, bytes.count)
        #endif
    }

    public func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Its ending; nil while it runs.
    public func poll() -> Ending? {
        if let ending { return ending }
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
        ending = status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
        return ending
    }

    /// Waits for its end; nil if it does not end in time.
    public func wait(milliseconds: Int = 30_000) -> Ending? {
        eventually(within: milliseconds) { poll() }
    }

    private static func variables(_ added: [String: String]) -> [String] {
        var all: [String: String] = [:]
        var entry = environ
        while let variable = entry.pointee {
            let parts = String(cString: variable).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return all.merging(added) { $1 }.map { "\($0)=\($1)" }
    }

    private func text(_ path: String) -> String {
        (try? TemporaryFolder.read(path)) ?? ""
    }
}

/// Calls `ask` every two milliseconds until it returns an answer; nil if it does not in time.
/// - Parameter milliseconds: more than it takes on a machine that has nothing else to do. A busy one gets ten times as much:
///   the tests beside this one are not what is measured.
public func eventually<Answer>(within milliseconds: Int = 10_000, _ ask: () throws -> Answer?) rethrows -> Answer? {
    let clock = ContinuousClock()
    let deadline = clock.now + .milliseconds(10 * milliseconds)
    while true {
        if let answer = try ask() { return answer }
        if clock.now >= deadline { return nil }
        usleep(2_000)
    }
}
