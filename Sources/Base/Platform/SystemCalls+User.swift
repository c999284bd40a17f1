#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// The user of the process, and files that several processes of a user share.
extension SystemCalls {
    /// Whether the process may do what only the system's administrator may.
    public static var isAdministrator: Bool { geteuid() == 0 }

    /// The name of the user; the user's number if it has none.
    public static func userName() -> String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return String(geteuid()) }
        return String(cString: name)
    }

    /// The user's folder; nil if there is none. The variable `HOME` takes precedence.
    public static func homeFolder() -> String? {
        if let home = environmentVariable("HOME"), home.hasPrefix("/") { return home }
        guard let entry = getpwuid(geteuid()), let path = entry.pointee.pw_dir else { return nil }
        let home = String(cString: path)
        return home.hasPrefix("/") ? home : nil
    }

    /// Waits until no other process has locked a file, which is made if there is none, and locks it until the
    /// descriptor ends.
    /// - Throws: the failure of `open` or `flock`.
    public static func lock(_ path: String) throws(SystemError) -> FileDescriptor {
        let number = retrying { Self.openLock(path) }
        guard number >= 0 else { throw failure("open", path) }
        let file = FileDescriptor(owning: number)
        guard retrying({ flock(number, LOCK_EX) }) == 0 else { throw failure("flock", path) }
        return file
    }

    /// Waits until no other process has locked a folder, and locks it until the descriptor ends. Nothing is written into
    /// it.
    /// - Throws: the failure of `open` or `flock`.
    public static func lockFolder(_ path: String) throws(SystemError) -> FileDescriptor {
        let folder = try open(path, .folder)
        let number = folder.number
        guard retrying({ flock(number, LOCK_EX) }) == 0 else { throw failure("flock", path) }
        return folder
    }

    /// Lets others have a lock.
    /// - Parameter number: that of the descriptor which `lock` returned, released to the caller.
    public static func unlock(_ number: Int32) { close(number) }

    /// The user's number.
    public static var userNumber: UInt32 { geteuid() }

    /// Whether a path is a folder of this user's that nobody else may use.
    public static func isPrivateFolder(_ path: String) -> Bool {
        var buffer = stat()
        return lstat(path, &buffer) == 0 && buffer.st_mode & S_IFMT == S_IFDIR && buffer.st_uid == geteuid()
            && buffer.st_mode & 0o077 == 0
    }

    private static func openLock(_ path: String) -> Int32 {
        #if canImport(Darwin)
            Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
            Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #else
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
    }
}

/// Other programs that a command runs.
extension SystemCalls {
    /// Whether the process may run the file.
    public static func isProgram(_ path: String) -> Bool {
        !isFolder(path) && access(path, X_OK) == 0
    }

    /// Whether the process may read the file.
    public static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Whether the process may write the file, or make files in the folder.
    public static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// The C library and its version: `glibc 2.36`; nil where the system has another.
    public static var cLibrary: String? {
        #if canImport(Glibc)
            let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
                let length = buffer.withMemoryRebound(to: CChar.self) { text in
                    confstr(Int32(_CS_GNU_LIBC_VERSION), text.baseAddress, text.count)
                }
                count = min(max(0, length - 1), 63)
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        #else
            return nil
        #endif
    }

    /// Runs a program to its end, with the environment of this process.
    /// - Parameter isSilent: whether nobody sees what it writes; otherwise it has the standard streams of this process.
    /// - Returns: its exit status; 128 and the signal's number if a signal has ended it.
    /// - Throws: the failure of `posix_spawn` or `waitpid`.
    public static func run(
        _ path: String, _ arguments: [String], isSilent: Bool = false
    ) throws(SystemError) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isSilent {
            for stream in [1, 2] as [Int32] {
                posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
            }
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, nil, words, Self.variables)
        guard code == 0 else { throw SystemError(code: code, call: "posix_spawn", path: path) }
        var status: Int32 = 0
        guard retrying({ waitpid(child, &status, 0) }) == child else { throw failure("waitpid", path) }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    static var variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        #if canImport(Darwin)
            _NSGetEnviron().pointee
        #else
            environ
        #endif
    }
}
