#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// Opening, reading, writing and renaming files.
extension SystemCalls {
    public enum OpenMode: Sendable {
        case read
        /// As `read`, but waits until a pipe has a writer; for `readAll` with `waiting`.
        case readWaiting
        /// A folder, to open files in it.
        case folder
        /// A file that does not exist yet, for its owner alone to write and all to read.
        case createNew
    }

    /// Opens `path`; with `folder`, a name in that folder. Only `readWaiting` waits for the other end of a pipe.
    public static func open(
        _ path: String, _ mode: OpenMode, followingLinks: Bool = true
    ) throws(SystemError) -> FileDescriptor {
        try open(path, mode, followingLinks: followingLinks, base: AT_FDCWD)
    }

    public static func open(
        _ name: String, _ mode: OpenMode, in folder: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor {
        try open(name, mode, followingLinks: false, base: folder.number)
    }

    /// Opens a file for reading if it stands in `folder` or below, its links followed; nil if they lead elsewhere.
    ///
    /// The file is opened by the path without links, name by name, so that none can be put in between the look and the
    /// opening.
    public static func openBeneath(_ folder: String, _ path: String) throws(SystemError) -> FileDescriptor? {
        let base = try resolve(folder)
        let names = Array(base.utf8).split(separator: 0x2f)
        var rest = Array(try resolve(path).utf8).split(separator: 0x2f)
        guard rest.count > names.count, rest.starts(with: names) else { return nil }
        rest.removeFirst(names.count)
        let last = rest.removeLast()
        var current = try open(base, .folder)
        for name in rest {
            current = try open(String(decoding: name, as: UTF8.self), .folder, in: current)
        }
        return try open(String(decoding: last, as: UTF8.self), .read, in: current)
    }

    private static func open(
        _ path: String, _ mode: OpenMode, followingLinks: Bool, base: Int32
    ) throws(SystemError) -> FileDescriptor {
        var flags = O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
        switch mode {
        case .read: flags |= O_RDONLY | O_NONBLOCK
        case .readWaiting: flags |= O_RDONLY
        case .folder: flags |= O_RDONLY | O_DIRECTORY
        case .createNew: flags |= O_WRONLY | O_CREAT | O_EXCL
        }
        let number = retrying { openat(base, path, flags, 0o644) }
        guard number >= 0 else { throw failure("open", path) }
        return FileDescriptor(owning: number)
    }

    /// A descriptor of standard input, for the caller to close.
    public static func standardInput() throws(SystemError) -> FileDescriptor {
        let number = fcntl(0, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw failure("dup", "standard input") }
        return FileDescriptor(owning: number)
    }

    /// Reads to the end, and stops with EFBIG after `limit` bytes.
    ///
    /// - Parameters:
    ///   - expected: the size that the file is thought to have, if that is known.
    ///   - waiting: waits for what a pipe's writer has not written yet, instead of failing with EAGAIN.
    public static func readAll(
        _ file: borrowing FileDescriptor, expecting expected: Int64? = nil, limit: Int, path: String = "",
        waiting: Bool = false
    ) throws(SystemError) -> [UInt8] {
        let expected = if let expected { expected } else { try status(of: file).identity.size }
        guard expected <= limit else { throw SystemError(code: EFBIG, call: "read", path: path) }
        // One byte more than expected, so that an unchanged file ends in one read and a short one.
        let number = file.number
        var bytes: [UInt8] = []
        var room = max(Int(expected), 0) + 1
        while true {
            if waiting { try wait(for: POLLIN, number) }
            var count = 0
            let filled = bytes.count
            if filled == 0 {
                bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                    count = retrying { read(number, buffer.baseAddress, room) }
                    filled = max(count, 0)
                }
                guard count >= 0 else { throw failure("read", path) }
            } else {
                bytes.append(contentsOf: repeatElement(0, count: room))
                count = bytes.withUnsafeMutableBytes { buffer in
                    retrying { read(number, buffer.baseAddress?.advanced(by: filled), room) }
                }
                guard count >= 0 else { throw failure("read", path) }
                bytes.removeLast(room - count)
            }
            // A file gives less than asked for only at its end; other things may have more later.
            if count == 0 || bytes.count == Int(expected) { return bytes }
            guard bytes.count <= limit else { throw SystemError(code: EFBIG, call: "read", path: path) }
            room = max(room - count, 4096)
        }
    }

    public static func writeAll(
        _ bytes: some Collection<UInt8>, to file: borrowing FileDescriptor, path: String = ""
    ) throws(SystemError) {
        try writeAll(bytes, to: file.number, path: path)
    }

    /// Writes all bytes to an open file that somebody else closes, such as standard error.
    public static func writeAll(
        _ bytes: some Collection<UInt8>, to number: Int32, path: String = ""
    ) throws(SystemError) {
        let bytes = Array(bytes)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying { write(number, buffer.baseAddress?.advanced(by: done), buffer.count - done) }
            }
            if count < 0, errno == EAGAIN {
                // Another process made the shared descriptor non-blocking: wait until there is room.
                try wait(for: POLLOUT, number)
                continue
            }
            guard count >= 0 else { throw failure("write", path) }
            done += count
        }
    }

    private static func wait(for event: Int32, _ number: Int32) throws(SystemError) {
        var entry = pollfd(fd: number, events: Int16(event), revents: 0)
        guard retrying({ poll(&entry, 1, -1) }) >= 0 else { throw failure("poll") }
    }

    /// Returns when the file, or the names in the folder, are on the disk.
    public static func sync(_ file: borrowing FileDescriptor, path: String = "") throws(SystemError) {
        let number = file.number
        guard retrying({ fsync(number) }) == 0 else { throw failure("fsync", path) }
    }

    /// Puts a new content in a file's place in one step: a reader finds the old one or the new one, whole.
    ///
    /// The content goes to `temporary` first, which must stand in the same file system; by default a hidden name beside the
    /// file. With `durable` the call returns when all is on the disk.
    public static func replaceFile(
        _ path: String, with bytes: some Collection<UInt8>, temporary: String? = nil, durable: Bool = false
    ) throws(SystemError) {
        let folder = parent(of: path)
        let temporary = temporary ?? "\(folder)/.\(lastName(of: path)).\(processIdentifier).tmp"
        do throws(SystemError) {
            try removeFile(temporary)
            let file = try open(temporary, .createNew)
            // The new file has the permissions of the old one.
            var old = stat()
            if stat(path, &old) == 0, fchmod(file.number, old.st_mode & 0o777) != 0 { throw failure("fchmod", path) }
            try writeAll(bytes, to: file, path: temporary)
            if durable { try sync(file, path: temporary) }
            try rename(temporary, to: path)
        } catch {
            try? removeFile(temporary)
            throw error
        }
        if durable { try sync(open(folder, .folder), path: folder) }
    }

    // MARK: - Changing names

    /// The folder that a path stands in.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name without its folder.
    public static func lastName(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    public static func rename(_ old: String, to new: String) throws(SystemError) {
        #if canImport(Darwin)
            let result = Darwin.rename(old, new)
        #elseif canImport(Musl)
            let result = Musl.rename(old, new)
        #else
            let result = Glibc.rename(old, new)
        #endif
        guard result == 0 else { throw failure("rename", new) }
    }

    /// Removes a file; it is no error if there is none.
    public static func removeFile(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink", path) }
    }

    /// Makes a folder and those that it stands in; it is no error if they are there.
    public static func makeFolders(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try makeFolder(path)
        } catch {
            guard error.isNotFound, parent(of: path) != path else { throw error }
            try makeFolders(parent(of: path))
            try makeFolder(path)
        }
    }

    /// Makes a folder; it is no error if there is one.
    public static func makeFolder(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o755) != 0 else { return }
        let reason = failure("mkdir", path)
        guard reason.code == EEXIST, isFolder(path) else { throw reason }
    }
}
