internal import SDCPlatform

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// The signals that one who runs a command passes on to it.
public enum PassedSignal {
    public static let interrupt = SIGINT
    public static let terminate = SIGTERM
    public static let hangUp = SIGHUP
    public static let quit = SIGQUIT
    public static let kill = SIGKILL
    public static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// Whether it is meant for every process of a command, as those of a terminal's keys are.
    public static func isForAll(_ number: Int32) -> Bool { number != SIGUSR1 && number != SIGUSR2 }
}

/// A signal that has come.
public struct CaughtSignal: Sendable, Hashable {
    /// Its number; that of the end of a child is among them.
    public let number: Int32
    /// Whether the system sent it, as for a terminal's keys, and not a process.
    public let isOfSystem: Bool
}

/// Commands that a process runs and waits for.
extension SystemCalls {
    /// The way in which a process ended.
    public enum ProcessEnding: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// Catches the signals of `PassedSignal.all`, those that are ignored left out, and the end of children.
    /// - Throws: the failure of `pipe` or `sigaction`.
    public static func catchPassedSignals() throws(SystemError) -> CaughtSignals {
        let pipe = try makePipe()
        for number in PassedSignal.all + [SIGCHLD] {
            let code = cp_tell_signal(number, pipe.input.number)
            guard code == 0 else { throw SystemError(code: code, call: "sigaction") }
        }
        return CaughtSignals(pipe: pipe)
    }

    /// Signals that wait to be taken.
    public struct CaughtSignals: ~Copyable, Sendable {
        let pipe: Pipe

        /// The descriptor that can be read while signals wait.
        public var number: Int32 { pipe.output.number }

        /// Waits for signals.
        /// - Parameter milliseconds: for how long; -1 for ever.
        /// - Returns: those that have come.
        public func wait(milliseconds: Int32) -> [CaughtSignal] {
            _ = try? waitReadable(pipe.output.number, -1, milliseconds: milliseconds)
            return pipe.take().map { byte in
                CaughtSignal(
                    number: Int32(byte & ~UInt8(CP_OF_SYSTEM)), isOfSystem: byte & UInt8(CP_OF_SYSTEM) != 0)
            }
        }
    }

    /// Starts a command with the standard streams of this process, the usual action for signals that are not ignored,
    /// and none blocked.
    /// - Parameters:
    ///   - words: the program, which is looked for in `PATH` if it has no slash, and its arguments.
    ///   - variables: changes of this process's environment; nil removes a variable.
    ///   - leadsGroup: whether it leads a process group of its own.
    /// - Returns: the number of the process.
    /// - Throws: the failure of `posix_spawnp`: ENOENT if there is no such program, EACCES if it may not be run.
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

    /// Copies of all variables of this process, changed; the caller frees them.
    private static func changedVariables(_ changes: [String: String?]) -> [UnsafeMutablePointer<CChar>?] {
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next = variables
        while let text = next?.pointee {
            next = next?.successor()
            // Other bytes than UTF-8 stay as they are.
            let isChanged = changes.keys.contains { strncmp(text, "\($0)=", $0.utf8.count + 1) == 0 }
            if !isChanged { entries.append(strdup(text)) }
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value { entries.append(strdup("\(name)=\(value)")) }
        }
        return entries
    }

    /// The ending of a child; nil while it runs. It is told once.
    public static func ending(of process: Int32) -> ProcessEnding? {
        var status: Int32 = 0
        guard retrying({ waitpid(process, &status, WNOHANG) }) == process else { return nil }
        return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
    }

    /// Sends a signal to a process, or to its whole group if it leads one. One that has ended gets none.
    public static func send(_ number: Int32, to process: Int32, andGroup: Bool) {
        _ = kill(andGroup ? -process : process, number)
    }

    /// The processes that a process has started, and those that they have, as far as the system tells.
    public static func descendants(of process: Int32) -> [Int32] {
        var parents: [Int32: Int32] = [:]
        for name in (try? names(in: "/proc")) ?? [] {
            guard let number = Int32(name), let file = try? open("/proc/\(name)/stat", .read),
                let bytes = try? readAll(file, limit: 4096),
                // The name before it, in parentheses, may hold anything.
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

    /// Forks; see `cp_fork_detached`. To be called while the process has one thread only.
    /// - Parameters:
    ///   - errors: the standard error of the new process; nil for the null device.
    ///   - kept: the descriptors that it keeps.
    /// - Returns: the number of the new process; nil in that process.
    /// - Throws: the failure of `fork`.
    public static func forkDetached(errors: Int32?, keeping kept: [Int32]) throws(SystemError) -> Int32? {
        let child = cp_fork_detached(errors ?? -1, kept, Int32(kept.count))
        guard child >= 0 else { throw SystemError(code: -child, call: "fork") }
        return child == 0 ? nil : child
    }
}
