internal import SDCPlatform

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// The signals that a process passes on to the command that it runs.
public enum PassedSignal {
    public static let interrupt = SIGINT
    public static let terminate = SIGTERM
    public static let hangUp = SIGHUP
    public static let quit = SIGQUIT
    public static let kill = SIGKILL
    public static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// Whether it is meant for all processes of a command, as signals of terminal keys are.
    public static func isForAll(_ number: Int32) -> Bool { number != SIGUSR1 && number != SIGUSR2 }
}

/// A caught signal.
public struct CaughtSignal: Sendable, Hashable {
    /// Its number; SIGCHLD for the end of a child.
    public let number: Int32
    /// Whether the kernel sent it, for example for a terminal key, rather than a process.
    public let isOfSystem: Bool
}

/// Commands that this process runs and waits for.
extension SystemCalls {
    /// How a process ended.
    public enum ProcessEnding: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// Catches SIGCHLD and the signals of `PassedSignal.all`, except ignored ones.
    /// - Throws: the failure of `pipe` or `sigaction`.
    public static func catchPassedSignals() throws(SystemError) -> CaughtSignals {
        let pipe = try makePipe()
        for number in PassedSignal.all + [SIGCHLD] {
            let code = cp_report_signal(number, pipe.input.number)
            guard code == 0 else { throw SystemError(code: code, call: "sigaction") }
        }
        return CaughtSignals(pipe: pipe)
    }

    /// A queue of caught signals.
    public struct CaughtSignals: ~Copyable, Sendable {
        let pipe: Pipe

        /// The descriptor that is readable while signals are pending.
        public var number: Int32 { pipe.output.number }

        /// Waits for signals.
        /// - Parameter milliseconds: the timeout; -1 for none.
        /// - Returns: the pending signals.
        public func wait(milliseconds: Int32) -> [CaughtSignal] {
            _ = try? waitReadable(pipe.output.number, -1, milliseconds: milliseconds)
            return pipe.take().map { byte in
                CaughtSignal(
                    number: Int32(byte & ~UInt8(CP_OF_SYSTEM)), isOfSystem: byte & UInt8(CP_OF_SYSTEM) != 0)
            }
        }
    }

    /// Starts a command with this process's standard streams, default signal handling except for ignored signals, and
    /// no blocked signals.
    /// - Parameters:
    ///   - words: the program, looked up in `PATH` if it has no slash, and its arguments.
    ///   - variables: changes to this process's environment; nil removes a variable.
    ///   - leadsGroup: whether it leads its own process group.
    /// - Returns: the process id.
    /// - Throws: the failure of `posix_spawnp`: ENOENT if the program does not exist, EACCES if it may not be run.
    public static func start(
        _ words: [String], variables: [String: String?], leadsGroup: Bool
    ) throws(SystemError) -> Int32 {
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
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | (leadsGroup ? Int32(POSIX_SPAWN_SETPGROUP) : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        var entries = changedVariables(variables)
        entries.append(nil)
        defer { for text in arguments + entries { free(text) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, words[0], nil, &attributes, arguments, entries)
        guard code == 0 else { throw SystemError(code: code, call: "posix_spawn", path: words[0]) }
        return child
    }

    /// Copies of this process's environment variables with changes; the caller frees them.
    private static func changedVariables(_ changes: [String: String?]) -> [UnsafeMutablePointer<CChar>?] {
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next = variables
        while let text = next?.pointee {
            next = next?.successor()
            // Variables that are not UTF-8 stay unchanged.
            let isChanged = changes.keys.contains { strncmp(text, "\($0)=", $0.utf8.count + 1) == 0 }
            if !isChanged { entries.append(strdup(text)) }
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value { entries.append(strdup("\(name)=\(value)")) }
        }
        return entries
    }

    /// How a child ended; nil while it runs. Reported once.
    public static func ending(of process: Int32) -> ProcessEnding? {
        var status: Int32 = 0
        guard retrying({ waitpid(process, &status, WNOHANG) }) == process else { return nil }
        return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
    }

    /// Sends a signal to a process, or to its whole group if it leads one; a no-op after its end.
    public static func send(_ number: Int32, to process: Int32, andGroup: Bool) {
        _ = kill(andGroup ? -process : process, number)
    }

    /// All descendants of a process, as far as known.
    public static func descendants(of process: Int32) -> [Int32] {
        var parents: [Int32: Int32] = [:]
        for name in (try? names(in: "/proc")) ?? [] {
            guard let number = Int32(name), let file = try? open("/proc/\(name)/stat", .read),
                let bytes = try? readAll(file, limit: 4096),
                // The name before it, in parentheses, may contain anything.
                let end = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { continue }
            let fields = bytes[end...].split(separator: UInt8(ascii: " "))
            if fields.count > 2 { parents[number] = Int32(String(decoding: fields[2], as: UTF8.self)) }
        }
        var found: [Int32] = []
        var known: Set<Int32> = [process]
        while true {
            let new = parents.filter { known.contains($0.value) && !known.contains($0.key) }.map(\.key)
            if new.isEmpty { return found }
            found += new
            known.formUnion(new)
        }
    }

    /// Forks; see `cp_fork_detached`. Only valid while the process has one thread.
    /// - Parameters:
    ///   - errors: the standard error of the new process; nil for the null device.
    ///   - kept: the descriptors to keep open.
    /// - Returns: the id of the new process; nil in that process.
    /// - Throws: the failure of `fork`.
    public static func forkDetached(errors: Int32?, keeping kept: [Int32]) throws(SystemError) -> Int32? {
        let child = cp_fork_detached(errors ?? -1, kept, Int32(kept.count))
        guard child >= 0 else { throw SystemError(code: -child, call: "fork") }
        return child == 0 ? nil : child
    }
}
