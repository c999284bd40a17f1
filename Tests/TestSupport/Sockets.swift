#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A system call that failed in a test, with the attempted action.
public struct CallFailure: Error, CustomStringConvertible {
    public let call: String
    public let code: Int32

    init(_ call: String) {
        self.call = call
        code = errno
    }

    public var isReset: Bool { code == ECONNRESET || code == EPIPE }
    public var description: String { "\(call): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")" }
}

/// The system's socket calls, with plain values in and out. All unsafe memory of the socket clients is here.
enum Sockets {
    static func connect(address: String, port: UInt16) throws(CallFailure) -> Int32 {
        if address.contains(":") {
            var target = sockaddr_in6()
            target.sin6_family = sa_family_t(AF_INET6)
            target.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, address, &target.sin6_addr) == 1 else { throw CallFailure("read \(address)") }
            return try connect(AF_INET6, target, "[\(address)]:\(port)")
        }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &target.sin_addr) == 1 else { throw CallFailure("read \(address)") }
        return try connect(AF_INET, target, "\(address):\(port)")
    }

    static func connect(path: String) throws(CallFailure) -> Int32 {
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { buffer in
            for (index, byte) in path.utf8.enumerated() where index < buffer.count - 1 { buffer[index] = byte }
        }
        return try connect(AF_UNIX, target, path)
    }

    private static func connect<Address>(
        _ family: Int32, _ address: Address, _ name: String
    ) throws(CallFailure) -> Int32 {
        // Otherwise a daemon started by another test would inherit the connection.
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #endif
        guard descriptor >= 0 else { throw CallFailure("open a socket") }
        let code = withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { raw in
                systemConnect(descriptor, raw.baseAddress, socklen_t(bytes.count))
            }
        }
        if code < 0 {
            let failure = CallFailure("connect to \(name)")
            close(descriptor)
            throw failure
        }
        if family != AF_UNIX { sendAtOnce(descriptor) }
        return descriptor
    }

    /// Sends small pieces without waiting for more.
    static func sendAtOnce(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends as much as the socket accepts without waiting, which may be 0 bytes.
    static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(CallFailure) -> Int {
        #if canImport(Glibc)
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        #else
            let flags = MSG_DONTWAIT
        #endif
        let count = bytes.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count, flags) }
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw CallFailure("send \(bytes.count) bytes") }
        return 0
    }

    /// The result of a read without waiting.
    enum Read {
        case bytes([UInt8])
        case end
        case nothing
    }

    static func receive(_ descriptor: Int32, upTo limit: Int) throws(CallFailure) -> Read {
        var code = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            code = recv(descriptor, buffer.baseAddress, limit, Int32(MSG_DONTWAIT))
            count = max(code, 0)
        }
        if code > 0 { return .bytes(bytes) }
        if code == 0 { return .end }
        guard errno == EAGAIN || errno == EINTR else { throw CallFailure("receive") }
        return .nothing
    }

    /// Waits until the descriptor can be read (or written). Returns false if the time is over.
    static func wait(_ descriptor: Int32, toWrite: Bool = false, milliseconds: Int) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
        return poll(&entry, 1, Int32(clamping: max(milliseconds, 0))) > 0
    }

    /// Waits shorter than a millisecond, too.
    static func wait(_ descriptor: Int32, microseconds: Int) -> Bool {
        usleep(UInt32(microseconds % 1_000))
        return wait(descriptor, milliseconds: microseconds / 1_000)
    }

    static func pause(milliseconds: Int) {
        _ = poll(nil, 0, Int32(clamping: milliseconds))
    }

    static func shutSending(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = shutdown(descriptor, Int32(SHUT_WR))
        #else
            _ = shutdown(descriptor, SHUT_WR)
        #endif
    }

    static func close(_ descriptor: Int32, reset: Bool = false) {
        if reset {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        _ = systemClose(descriptor)
    }

    /// Makes the kernel's receive buffer small, so that the server soon notices a client that does not read.
    static func shrinkReceiveBuffer(_ descriptor: Int32, to bytes: Int32) {
        var size = bytes
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
