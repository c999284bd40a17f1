#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// A client for one request to a server.
extension SystemCalls {
    /// Why an exchange with a server failed.
    public enum ClientProblem: Error, Sendable, Hashable {
        /// The name has no address, with the resolver's reason.
        case unknownHost(String)
        case failed(SystemError)
    }

    /// Connects to a server, sends `request`, and reads until the server closes the connection.
    /// - Parameters:
    ///   - limit: the maximum size of the answer in bytes.
    ///   - idleSeconds: the timeout for connecting and for each read.
    /// - Throws: `ClientProblem.unknownHost`, or the failed system call: ETIMEDOUT when nothing arrived for
    ///   `idleSeconds`, EFBIG beyond `limit`.
    public static func exchange(
        host: String, port: Int, request: [UInt8], limit: Int, idleSeconds: Int
    ) throws(ClientProblem) -> [UInt8] {
        let socket = try connect(host, port, idleSeconds)
        do throws(SystemError) {
            try writeAll(request, to: socket.number, path: "\(host):\(port)")
            return try readToEnd(socket.number, limit: limit, path: "\(host):\(port)")
        } catch {
            throw .failed(error)
        }
    }

    /// Connects to a server and sends `request`. The caller reads the answer as it arrives (`readSome`).
    /// - Parameter idleSeconds: the timeout for connecting and for each read.
    public static func beginExchange(
        host: String, port: Int, request: [UInt8], idleSeconds: Int
    ) throws(ClientProblem) -> FileDescriptor {
        let socket = try connect(host, port, idleSeconds)
        do throws(SystemError) {
            try writeAll(request, to: socket.number, path: "\(host):\(port)")
        } catch {
            throw .failed(error)
        }
        return socket
    }

    /// Reads available bytes; waits if there are none.
    /// - Returns: no bytes at the end of the stream.
    /// - Throws: the failure of `read`: EAGAIN at the timeout.
    public static func readSome(_ number: Int32) throws(SystemError) -> [UInt8] {
        let size = 65_536
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            count = retrying { read(number, buffer.baseAddress, size) }
            filled = max(count, 0)
        }
        guard count >= 0 else { throw failure("read") }
        return bytes
    }

    /// Whether a server accepts connections.
    public static func accepts(host: String, port: Int, idleSeconds: Int = 2) -> Bool {
        do throws(ClientProblem) {
            _ = try connect(host, port, idleSeconds)
            return true
        } catch {
            return false
        }
    }

    /// Tries each address of the host until one accepts.
    /// - Throws: the resolver's reason, or the failure of the last address.
    private static func connect(_ host: String, _ port: Int, _ idleSeconds: Int) throws(ClientProblem) -> FileDescriptor
    {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else { throw .unknownHost(gai_strerror(code).map { String(cString: $0) } ?? "error \(code)") }
        defer { freeaddrinfo(first) }
        var problem = SystemError(code: ECONNREFUSED, call: "connect", path: "\(host):\(port)")
        var next = first
        while let address = next?.pointee {
            next = address.ai_next
            let number = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            guard number >= 0 else {
                problem = failure("socket", "\(host):\(port)")
                continue
            }
            let descriptor = FileDescriptor(owning: number)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            // On Linux, the send timeout also limits connect().
            var time = timeval(tv_sec: idleSeconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, size)
            setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &time, size)
            guard retrying({ connectCall(number, address.ai_addr, address.ai_addrlen) }) == 0 else {
                problem = failure("connect", "\(host):\(port)")
                continue
            }
            return descriptor
        }
        throw .failed(problem)
    }

    static func connectCall(
        _ number: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: socklen_t
    ) -> Int32 {
        #if canImport(Darwin)
            Darwin.connect(number, address, length)
        #elseif canImport(Musl)
            Musl.connect(number, address, length)
        #else
            Glibc.connect(number, address, length)
        #endif
    }

    private static func readToEnd(_ number: Int32, limit: Int, path: String) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let size = 65_536
            var count = 0
            let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
                count = retrying { read(number, buffer.baseAddress, size) }
                filled = max(count, 0)
            }
            // The receive timeout has passed.
            if count < 0, errno == EAGAIN { throw SystemError(code: ETIMEDOUT, call: "read", path: path) }
            guard count >= 0 else { throw failure("read", path) }
            if count == 0 { return bytes }
            bytes += part
            guard bytes.count <= limit else { throw SystemError(code: EFBIG, call: "read", path: path) }
        }
    }
}
