#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// Connections between processes of one user over Unix sockets.
extension SystemCalls {
    /// Listens at a path that must not exist.
    /// - Throws: the failure of a system call; ENAMETOOLONG for a path that is too long.
    public static func listenLocally(at path: String) throws(SystemError) -> FileDescriptor {
        let socket = try localSocket(path)
        guard try withLocalAddress(path, { bind(socket.number, $0, $1) }) == 0 else { throw failure("bind", path) }
        guard listen(socket.number, 128) == 0 else { throw failure("listen", path) }
        _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
        return socket
    }

    /// Connects to a path.
    /// - Throws: the failure of a system call: ENOENT if nothing is there, ECONNREFUSED if no process listens any
    ///   longer.
    public static func connectLocally(to path: String) throws(SystemError) -> FileDescriptor {
        let socket = try localSocket(path)
        let code = try withLocalAddress(path) { address, length in
            retrying { connectCall(socket.number, UnsafeMutablePointer(mutating: address), length) }
        }
        guard code == 0 else { throw failure("connect", path) }
        return socket
    }

    /// Accepts a connection; nil if none is waiting.
    public static func acceptLocally(_ listener: Int32) -> FileDescriptor? {
        let number = retrying { accept(listener, nil, nil) }
        guard number >= 0 else { return nil }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return FileDescriptor(owning: number)
    }

    /// Both ends of a connection.
    public struct LocalPair: ~Copyable, Sendable {
        public let first: FileDescriptor
        public let second: FileDescriptor

        /// Releases both ends to the caller, who closes them.
        public consuming func release() -> (first: Int32, second: Int32) {
            (first.release(), second.release())
        }
    }

    /// Makes a connection within this process.
    /// - Throws: the failure of `socketpair`.
    public static func connectPair() throws(SystemError) -> LocalPair {
        var numbers: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamKind, 0, &numbers) == 0 else { throw failure("socketpair") }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return LocalPair(first: FileDescriptor(owning: numbers[0]), second: FileDescriptor(owning: numbers[1]))
    }

    /// Reads a line without its end; nil if the other end closes before the line is complete.
    public static func readLine(_ number: Int32, limit: Int = 1 << 20) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < limit {
            guard retrying({ read(number, &byte, 1) }) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Waits for bytes and reads them; none at the end of the stream.
    /// - Throws: the failure of `read`.
    public static func readNext(_ number: Int32, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = retrying { read(number, &bytes, bytes.count) }
        guard count >= 0 else { throw failure("read") }
        return Array(bytes.prefix(count))
    }

    /// Whether the other end of a connection is closed; discards what it has sent.
    public static func isClosed(_ number: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            let count = retrying { recv(number, &bytes, bytes.count, Int32(MSG_DONTWAIT)) }
            if count > 0 { continue }
            return count == 0 || errno != EAGAIN
        }
    }

    /// Waits until one of several descriptors is readable or has failed.
    /// - Returns: for each descriptor, whether it is.
    public static func waitReadable(anyOf numbers: [Int32], milliseconds: Int32) -> [Bool] {
        var entries = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = retrying { poll(&entries, nfds_t(entries.count), milliseconds) }
        return entries.map { $0.revents != 0 }
    }

    /// Shuts down the sending side of a connection; the other end sees the end of the stream.
    public static func endSending(_ number: Int32) {
        _ = shutdown(number, Int32(SHUT_WR))
    }

    // MARK: - Helpers

    private static var streamKind: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    private static func localSocket(_ path: String) throws(SystemError) -> FileDescriptor {
        let number = socket(AF_UNIX, streamKind, 0)
        guard number >= 0 else { throw failure("socket", path) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return FileDescriptor(owning: number)
    }

    /// Calls `use` with the address of a Unix socket. On Linux, a path that begins with `@` names an abstract socket.
    /// - Throws: ENAMETOOLONG for a path that is too long.
    static func withLocalAddress<Result>(
        _ path: String, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(SystemError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name.first == 0x40 { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(code: ENAMETOOLONG, call: "connect", path: path)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // The length marks the end of the name, because an abstract name may contain zeros.
        let length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + name.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, length) }
        }
    }
}
