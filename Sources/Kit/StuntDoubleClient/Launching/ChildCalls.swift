#if os(macOS) || os(Linux)
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// A child process, with pipes for its standard streams.
    struct ChildProgram: Sendable {
        let identifier: Int32
        /// Our end of its standard input. The system closes it when this process ends in any way, killed or not; the
        /// child exits on that.
        let input: Int32
        let output: Int32
        let errors: Int32
    }

    #if !canImport(Darwin)
        private typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

        /// `posix_spawn_file_actions_addclosefrom_np`, which glibc declares only with GNU extensions; nil before glibc
        /// 2.34.
        private let closeFrom: CloseFrom? = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
            unsafeBitCast($0, to: CloseFrom.self)
        }
    #endif

    /// System calls for child processes. All unsafe memory of launching is here.
    enum ChildCalls {
        /// Starts a program.
        /// - Throws: the failure of a pipe or of `posix_spawn`.
        static func spawn(_ path: String, _ arguments: [String]) throws(SocketError) -> ChildProgram {
            let (input, output, errors) = (try SocketCalls.pipe(), try SocketCalls.pipe(), try SocketCalls.pipe())
            // Only our end must be non-blocking, which is a flag of the end.
            _ = fcntl(input.read, F_SETFL, fcntl(input.read, F_GETFL) & ~O_NONBLOCK)
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
                var attributes: posix_spawnattr_t?
                let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
            #else
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
                let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, input.read, 0)
            posix_spawn_file_actions_adddup2(&actions, output.write, 1)
            posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
            #if !canImport(Darwin)
                // A descriptor that the daemon inherits stays open as long as the daemon runs: code in this process
                // that waits for its end, as Foundation's `Process` does, would wait forever. On Darwin a flag closes
                // them.
                if let closeFrom { _ = closeFrom(&actions, 3) }
            #endif
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // The daemon must not inherit signals that the test's threads block or ignore.
            var signals = sigset_t()
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            sigaddset(&signals, SIGPIPE)
            sigaddset(&signals, SIGINT)
            sigaddset(&signals, SIGTERM)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            posix_spawnattr_setflags(&attributes, Int16(flags))

            var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
            words.append(nil)
            defer { for word in words { free(word) } }
            var child: pid_t = 0
            let code = posix_spawn(&child, path, &actions, &attributes, words, environ)
            for descriptor in [input.read, output.write, errors.write] { SocketCalls.closeDescriptor(descriptor) }
            guard code == 0 else {
                for end in [input.write, output.read, errors.read] { SocketCalls.closeDescriptor(end) }
                throw SocketError("posix_spawn", code)
            }
            return ChildProgram(identifier: child, input: input.write, output: output.read, errors: errors.read)
        }

        /// Waits without limit for a child's end. Returns how it ended: `exit status 2`, `killed by SIGKILL`.
        static func waitForEnd(_ identifier: Int32) -> String {
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0 {
                guard errno == EINTR else { return "its exit status is not known" }
            }
            let signal = status & 0x7F
            if signal == 0 { return "exit status \((status >> 8) & 0xFF)" }
            return "killed by \(signalNames[signal] ?? "signal \(signal)")"
        }

        private static let signalNames: [Int32: String] = [
            SIGABRT: "SIGABRT", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP",
            SIGILL: "SIGILL", SIGINT: "SIGINT", SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT",
            SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU",
            SIGXFSZ: "SIGXFSZ",
        ]

        /// The message for a program that could not be started, with an explanation of the system's error.
        static func words(for failure: SocketError) -> String {
            guard failure.call == "posix_spawn" else { return failure.description }
            let reason = String(cString: strerror(failure.number))
            return switch failure.number {
            case ENOEXEC: reason + ": it is no program of this kind of machine"
            case ENOENT: reason + ": it, or the interpreter or loader that it names, does not exist"
            case EACCES: reason + ": it is not executable, or a folder above it is closed"
            default: reason
            }
        }

        static func killChild(_ identifier: Int32) {
            _ = kill(identifier, SIGKILL)
        }

        /// Calls `body` when this process exits normally.
        static func atExit(_ body: @convention(c) () -> Void) {
            _ = atexit(body)
        }

        /// The path of this process's executable, or of the test bundle that it runs.
        static var ownProgram: String? {
            #if canImport(Darwin)
                var info = Dl_info()
                guard dladdr(#dsohandle, &info) != 0, let name = info.dli_fname else { return nil }
                return String(cString: name)
            #else
                var buffer = [CChar](repeating: 0, count: 4_096)
                let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
                guard count > 0 else { return nil }
                return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            #endif
        }
    }
#endif
