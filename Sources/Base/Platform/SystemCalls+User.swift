#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// The user of the process, and files shared by several processes of a user.
extension SystemCalls {
    /// Whether the process has administrator rights (root).
    public static var isAdministrator: Bool { geteuid() == 0 }

    /// The user's name, or number if it has no name.
    public static func userName() -> String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return String(geteuid()) }
        return String(cString: name)
    }

    /// The user's home folder; nil if there is none. The variable `HOME` takes precedence.
    public static func homeFolder() -> String? {
        if let home = environmentVariable("HOME"), home.hasPrefix("/") { return home }
        guard let entry = getpwuid(geteuid()), let path = entry.pointee.pw_dir else { return nil }
        let home = String(cString: path)
        return home.hasPrefix("/") ? home : nil
    }

    /// Waits for an exclusive lock on a file, which is created if missing. The lock ends with the descriptor.
    /// - Throws: the failure of `open` or `flock`.
    public static func lock(_ path: String) throws(SystemError) -> FileDescriptor {
        let number = retrying { Self.openLock(path) }
        guard number >= 0 else { throw failure("open", path) }
        let file = FileDescriptor(owning: number)
        guard retrying({ flock(number, LOCK_EX) }) == 0 else { throw failure("flock", path) }
        return file
    }

    /// Waits for an exclusive lock on a folder, without writing into it. The lock ends with the descriptor.
    /// - Throws: the failure of `open` or `flock`.
    public static func lockFolder(_ path: String) throws(SystemError) -> FileDescriptor {
        let folder = try open(path, .folder)
        let number = folder.number
        guard retrying({ flock(number, LOCK_EX) }) == 0 else { throw failure("flock", path) }
        return folder
    }

    /// Releases a lock.
    /// - Parameter number: the descriptor that `lock` returned, released to the caller.
    public static func unlock(_ number: Int32) { close(number) }

    /// The user's id.
    public static var userNumber: UInt32 { geteuid() }

    /// Whether a path is a folder that belongs to this user and is inaccessible to others.
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

/// Other programs run by a command.
extension SystemCalls {
    /// Whether the process may execute the file.
    public static func isProgram(_ path: String) -> Bool {
        !isFolder(path) && access(path, X_OK) == 0
    }

    /// Whether the process may read the file.
    public static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Whether the process may write the file, or create files in the folder.
    public static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// The C library and its version: `glibc 2.36`; nil for any other library.
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

    /// Runs a program to its end, with this process's environment.
    /// - Parameter isSilent: whether to discard its output; otherwise it has this process's standard streams.
    /// - Returns: its exit status; 128 plus the signal's number if a signal ended it.
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
