#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// The system calls on the daemon's files, with plain values in and out. Only this file and its `SystemCalls+…`
/// neighbours use unsafe memory in this target. Interrupted calls are repeated.
public enum SystemCalls {
    // MARK: - Status and names

    /// The state of the file at a path.
    /// - Throws: the failure of `stat`.
    public static func status(of path: String, followingLinks: Bool = true) throws(SystemError) -> FileStatus {
        var buffer = stat()
        guard (followingLinks ? stat(path, &buffer) : lstat(path, &buffer)) == 0 else {
            throw failure("stat", path)
        }
        return status(buffer)
    }

    /// The state of an open file.
    /// - Throws: the failure of `fstat`.
    public static func status(of file: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        var buffer = stat()
        guard fstat(file.number, &buffer) == 0 else { throw failure("fstat") }
        return status(buffer)
    }

    public static func isFolder(_ path: String) -> Bool {
        (try? status(of: path))?.kind == .folder
    }

    /// Whether anything has this name.
    public static func exists(_ path: String) -> Bool {
        (try? status(of: path)) != nil
    }

    /// The names in a folder in no particular order, without `.`, `..` and names that are not UTF-8.
    /// - Throws: the failure of a system call.
    public static func names(in folder: String) throws(SystemError) -> [String] {
        try entries(of: folder).map(\.name)
    }

    /// An entry of a folder. The kind is nil if it is neither a file nor a folder, or if the folder does not store it.
    public struct Entry: Sendable, Hashable {
        public var name: String
        public var kind: FileStatus.Kind?
    }

    /// The names of the subfolders of a folder, sorted; empty if it cannot be read.
    public static func folderNames(in folder: String) -> [String] {
        ((try? entries(of: folder)) ?? []).filter { $0.kind == .folder }.map(\.name).sorted()
    }

    /// The names in a folder, like `names`, with the kinds stored in the folder.
    /// - Parameter foreign: called with each name that is not UTF-8, with its non-ASCII bytes as `\xE9`.
    /// - Throws: the failure of a system call.
    public static func entries(
        of folder: String, foreign: (Entry) -> Void = { _ in }
    ) throws(SystemError) -> [Entry] {
        guard let stream = opendir(folder) else { throw failure("opendir", folder) }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw failure("readdir", folder) }
                return entries
            }
            let kind: FileStatus.Kind? =
                switch Int32(entry.pointee.d_type) {
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .folder
                default: nil
                }
            withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let bytes = bytes.prefix { $0 != 0 }
                guard let name = String(validating: bytes, as: UTF8.self) else {
                    return foreign(Entry(name: escaped(Array(bytes)), kind: kind))
                }
                if name != ".", name != ".." { entries.append(Entry(name: name, kind: kind)) }
            }
        }
    }

    /// A name that is not UTF-8 as text: non-ASCII bytes as `\xE9`.
    private static func escaped(_ name: [UInt8]) -> String {
        name.map { byte in
            byte < 0x80 ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// The absolute path without links, `.` and `..`.
    /// - Throws: the failure of `realpath`.
    public static func resolve(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw failure("realpath", path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The target of a link, relative to the link's folder.
    /// - Throws: the failure of `readlink`: EINVAL for anything but a link.
    public static func linkTarget(of path: String) throws(SystemError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { bytes in
            bytes.assumingMemoryBound(to: CChar.self).baseAddress.map { readlink(path, $0, bytes.count) } ?? 0
        }
        guard count >= 0 else { throw failure("readlink", path) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    // MARK: - The process

    public static var processIdentifier: Int32 { getpid() }

    /// Ends the process.
    public static func exit(_ status: Int32) -> Never {
        #if canImport(Darwin)
            Darwin.exit(status)
        #elseif canImport(Musl)
            Musl.exit(status)
        #else
            Glibc.exit(status)
        #endif
    }

    /// Ends the process without `exit`'s clean-up, because other threads may be in the middle of anything.
    public static func exitAtOnce(_ status: Int32) -> Never {
        _exit(status)
    }

    /// Whether a process with this number exists.
    public static func processExists(_ identifier: Int32) -> Bool {
        kill(identifier, 0) == 0 || errno == EPERM
    }

    /// The host name; `localhost` if unknown.
    public static func hostName() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, gethostname(base, 255) == 0 else { return "localhost" }
            buffer[255] = 0
            return String(cString: base)
        }
    }

    /// The value of an environment variable; nil if it is not set. Must not be called while another thread sets one.
    public static func environmentVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The environment variables whose names begin with one of `prefixes`: decoding all of them would take a good part
    /// of the start. Must not be called while another thread sets one.
    public static func environment(prefixes: [String]) -> [String: String] {
        #if canImport(Darwin)
            guard var entry = _NSGetEnviron().pointee else { return [:] }
        #else
            guard var entry = Optional(environ) else { return [:] }
        #endif
        var variables: [String: String] = [:]
        while let text = entry.pointee {
            entry = entry.successor()
            guard prefixes.contains(where: { strncmp(text, $0, $0.utf8.count) == 0 }) else { continue }
            let entryText = String(cString: text)
            if let sign = entryText.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(entryText[..<sign])] = String(entryText[entryText.utf8.index(after: sign)...])
            }
        }
        return variables
    }

    /// The error number for an invalid argument.
    public static let invalidArgument = EINVAL
    /// The error number for an existing name.
    public static let fileExists = EEXIST

    public static func errorText(_ code: Int32) -> String {
        // The supported C libraries keep this text constant or one per thread.
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }

    static func isNotFound(_ code: Int32) -> Bool { code == ENOENT || code == ENOTDIR }

    static func isNoRoom(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    static func isShortage(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

    static func isBrokenPipe(_ code: Int32) -> Bool { code == EPIPE }

    static func isFull(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS }

    static func isTimeOut(_ code: Int32) -> Bool { code == ETIMEDOUT }

    static func isCircle(_ code: Int32) -> Bool { code == ELOOP }

    static func isPermission(_ code: Int32) -> Bool { code == EACCES || code == EPERM }

    // MARK: - Helpers

    static func close(_ number: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(number)
        #elseif canImport(Musl)
            _ = Musl.close(number)
        #else
            _ = Glibc.close(number)
        #endif
    }

    static func failure(_ call: String, _ path: String = "") -> SystemError {
        SystemError(code: errno, call: call, path: path)
    }

    /// Repeats the call while a signal interrupts it.
    static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    private static func status(_ buffer: stat) -> FileStatus {
        let kind: FileStatus.Kind =
            switch buffer.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        #if canImport(Darwin)
            let time = buffer.st_mtimespec
        #else
            let time = buffer.st_mtim
        #endif
        let identity = FileStamp(
            modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec), size: Int64(buffer.st_size),
            inode: UInt64(truncatingIfNeeded: buffer.st_ino), device: UInt64(truncatingIfNeeded: buffer.st_dev))
        return FileStatus(
            kind: kind, identity: identity, links: Int(buffer.st_nlink),
            permissions: UInt16(truncatingIfNeeded: buffer.st_mode & 0o777))
    }
}
