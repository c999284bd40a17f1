#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// Non-blocking connections to other servers.
extension SystemCalls {
    /// Starts to connect to a numeric address. The non-blocking socket becomes writable once it is connected or the
    /// attempt has failed; `connectionProblem` tells which.
    public static func beginConnecting(address: String, port: Int) throws(SystemError) -> FileDescriptor {
        let place = address.utf8.contains(0x3A) ? "[\(address)]:\(port)" : "\(address):\(port)"
        guard let bytes = addressBytes(address), let port = UInt16(exactly: port) else {
            throw SystemError(code: EINVAL, call: "connect", path: place)
        }
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let number = socket(bytes.count == 4 ? AF_INET : AF_INET6, kind, 0)
        guard number >= 0 else { throw failure("socket", place) }
        let descriptor = FileDescriptor(owning: number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        var on: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let code =
            bytes.count == 4 ? connect(number, toShort: bytes, port) : connect(number, toLong: bytes, port)
        guard code == 0 || errno == EINPROGRESS || errno == EINTR else { throw failure("connect", place) }
        return descriptor
    }

    private static func connect(_ number: Int32, toShort bytes: [UInt8], _ port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
        return connect(number, &address, socklen_t(MemoryLayout<sockaddr_in>.size))
    }

    private static func connect(_ number: Int32, toLong bytes: [UInt8], _ port: UInt16) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
        return connect(number, &address, socklen_t(MemoryLayout<sockaddr_in6>.size))
    }

    private static func connect(_ number: Int32, _ address: UnsafeMutableRawPointer, _ length: socklen_t) -> Int32 {
        connectCall(number, address.assumingMemoryBound(to: sockaddr.self), length)
    }

    /// Why the socket is not connected; nil if it is.
    public static func connectionProblem(of descriptor: Int32, to place: String) -> SystemError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            return failure("connect", place)
        }
        return code == 0 ? nil : SystemError(code: code, call: "connect", path: place)
    }
}
