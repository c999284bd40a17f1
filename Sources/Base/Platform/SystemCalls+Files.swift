internal import SDCPlatform

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// Opening, reading, writing, replacing and removing files.
extension SystemCalls {
    public enum OpenMode: Sendable {
        case read
        /// Like `read`, but waits until a pipe has a writer; for `readAll` with `waiting`.
        case readWaiting
        /// A folder, for opening files in it.
        case folder
        /// A new file that must not exist; its owner may write it, and all users may read it.
        case createNew
        /// Like `createNew`, but only its owner may read it.
        case createPrivate
        /// A file to append to, which may exist.
        case append
    }

    /// Opens a file. Only `readWaiting` waits for the other end of a pipe.
    /// - Throws: the failure of `open`.
    public static func open(
        _ path: String, _ mode: OpenMode, followingLinks: Bool = true
    ) throws(SystemError) -> FileDescriptor {
        try open(path, mode, followingLinks: followingLinks, base: AT_FDCWD)
    }

    /// Opens a file by its name in an open folder.
    /// - Throws: the failure of `open`.
    public static func open(
        _ name: String, _ mode: OpenMode, in folder: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor {
        try open(name, mode, followingLinks: false, base: folder.number)
    }

    /// Opens a file for reading if it is in `folder` or below after all links are resolved; nil if it is elsewhere.
    ///
    /// The resolved path is opened component by component without following links, so that a link created after the
    /// check has no effect.
    /// - Throws: the failure of a system call, including that of a missing file.
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
        case .createNew, .createPrivate: flags |= O_WRONLY | O_CREAT | O_EXCL
        case .append: flags |= O_WRONLY | O_CREAT | O_APPEND
        }
        let permissions: mode_t = mode == .createPrivate ? 0o600 : 0o644
        let number = retrying { openat(base, path, flags, permissions) }
        guard number >= 0 else { throw failure("open", path) }
        return FileDescriptor(owning: number)
    }

    /// Duplicates standard input; the caller closes the duplicate.
    /// - Throws: the failure of `fcntl`.
    public static func standardInput() throws(SystemError) -> FileDescriptor {
        let number = fcntl(0, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw failure("dup", "standard input") }
        return FileDescriptor(owning: number)
    }

    /// The size in bytes from which large pages pay off.
    private static var largeSize: Int { 4 << 20 }

    /// Reads a file to its end.
    /// - Parameters:
    ///   - expected: the expected size in bytes, if it is known.
    ///   - limit: the maximum number of bytes to read.
    ///   - waiting: whether to wait for a pipe's writer instead of failing with EAGAIN.
    /// - Throws: the failure of a system call; EFBIG beyond `limit`.
    public static func readAll(
        _ file: borrowing FileDescriptor, expecting expected: Int64? = nil, limit: Int, path: String = "",
        waiting: Bool = false
    ) throws(SystemError) -> [UInt8] {
        let expected = if let expected { expected } else { try status(of: file).identity.size }
        guard expected <= limit else { throw SystemError(code: EFBIG, call: "read", path: path) }
        // One byte more than expected: an unchanged file then takes one full read and one empty one.
        let number = file.number
        var bytes: [UInt8] = []
        var room = max(Int(expected), 0) + 1
        while true {
            if waiting { try wait(for: POLLIN, number) }
            var count = 0
            let filled = bytes.count
            if filled == 0 {
                bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                    if let start = buffer.baseAddress, room >= largeSize { cp_use_large_pages(start, room) }
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
            // A short read of the expected size ends a file. A pipe may have more later: only an empty read ends it.
            if count == 0 || bytes.count == Int(expected) { return bytes }
            guard bytes.count <= limit else { throw SystemError(code: EFBIG, call: "read", path: path) }
            room = max(room - count, 4096)
        }
    }

    /// Appends the bytes of a range to `bytes`; fewer if the file is now shorter or cannot be read. Neither uses nor
    /// changes the file position.
    public static func readPart(
        _ file: borrowing FileDescriptor, _ range: Range<Int>, after others: ArraySlice<UInt8>
    ) -> [UInt8] {
        let number = file.number
        let start = others.count
        return [UInt8](unsafeUninitializedCapacity: start + range.count) { buffer, filled in
            filled = buffer[..<start].initialize(fromContentsOf: others)
            while filled < start + range.count {
                let place = off_t(range.lowerBound + filled - start)
                let room = start + range.count - filled
                let count = retrying { pread(number, buffer.baseAddress?.advanced(by: filled), room, place) }
                guard count > 0 else { break }
                filled += count
            }
        }
    }

    /// Writes all bytes to a file.
    /// - Throws: the failure of `write`.
    public static func writeAll(
        _ bytes: some Collection<UInt8>, to file: borrowing FileDescriptor, path: String = ""
    ) throws(SystemError) {
        try writeAll(bytes, to: file.number, path: path)
    }

    /// Writes all bytes to a descriptor that the caller owns, such as standard error.
    /// - Throws: the failure of `write`. Waits while a non-blocking descriptor is full.
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
                // Another process made the shared descriptor non-blocking.
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

    /// Waits until a file, or the entries of a folder, are on disk.
    /// - Throws: the failure of `fsync`.
    public static func sync(_ file: borrowing FileDescriptor, path: String = "") throws(SystemError) {
        let number = file.number
        guard retrying({ fsync(number) }) == 0 else { throw failure("fsync", path) }
    }

    /// Replaces a file's content atomically: a reader sees the old content or the new one.
    /// - Parameters:
    ///   - temporary: the path that is written first, in the same file system; by default a hidden name beside the
    ///     file.
    ///   - durable: whether to sync the new content before the replacement. The new name is durable only after
    ///     `syncFolder`.
    ///   - isPrivate: whether a newly created file is readable only by its owner.
    /// - Throws: the failure of a system call; the old content is then unchanged.
    public static func replaceFile(
        _ path: String, with bytes: some Collection<UInt8>, temporary: String? = nil, durable: Bool = false,
        isPrivate: Bool = false
    ) throws(SystemError) {
        let folder = parent(of: path)
        let temporary = temporary ?? "\(folder)/.\(lastName(of: path)).\(processIdentifier).tmp"
        do throws(SystemError) {
            try removeFile(temporary)
            let file = try open(temporary, isPrivate ? .createPrivate : .createNew)
            // The new file keeps the permissions of the old one.
            var old = stat()
            if stat(path, &old) == 0, fchmod(file.number, old.st_mode & 0o777) != 0 { throw failure("fchmod", path) }
            try writeAll(bytes, to: file, path: temporary)
            if durable { try sync(file, path: temporary) }
            try rename(temporary, to: path)
        } catch {
            try? removeFile(temporary)
            throw error
        }
    }

    /// Waits until the entries of a folder are on disk.
    /// - Throws: the failure of `open` or `fsync`.
    public static func syncFolder(_ folder: String) throws(SystemError) {
        try sync(open(folder, .folder), path: folder)
    }

    // MARK: - Changing names

    /// The path of the working folder; nil if it was removed.
    public static var workingFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The folder of a path; `.` for a bare name.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component of a path.
    public static func lastName(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// Renames a file, replacing one that has the new name.
    /// - Throws: the failure of `rename`.
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

    /// Removes a file if it exists.
    /// - Throws: the failure of `unlink`, except ENOENT.
    public static func removeFile(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink", path) }
    }

    /// Makes a folder and its missing parents; existing ones are no error.
    /// - Parameter isPrivate: whether new folders are accessible only to their owner.
    /// - Throws: the failure of `mkdir`.
    public static func makeFolders(_ path: String, isPrivate: Bool = false) throws(SystemError) {
        do throws(SystemError) {
            try makeFolder(path, isPrivate: isPrivate)
        } catch {
            guard error.isNotFound, parent(of: path) != path else { throw error }
            try makeFolders(parent(of: path), isPrivate: isPrivate)
            try makeFolder(path, isPrivate: isPrivate)
        }
    }

    /// Makes a folder; an existing one is no error.
    /// - Throws: the failure of `mkdir`.
    public static func makeFolder(_ path: String, isPrivate: Bool = false) throws(SystemError) {
        guard mkdir(path, isPrivate ? 0o700 : 0o755) != 0 else { return }
        let reason = failure("mkdir", path)
        guard reason.code == EEXIST, isFolder(path) else { throw reason }
    }
}
