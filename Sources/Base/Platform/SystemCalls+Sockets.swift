#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

extension SystemCalls {
    /// Sends one datagram to a Unix socket. On Linux, a path that begins with `@` names an abstract socket.
    /// - Throws: the failure of a system call; ENAMETOOLONG for a path that is too long; an error with `isFull` if the
    ///   socket's queue is full, because this does not wait.
    public static func sendDatagram(_ bytes: [UInt8], toUnixSocket path: String) throws(SystemError) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_DGRAM.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw failure("socket", path) }
        let descriptor = FileDescriptor(owning: number)
        _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        let count = try withLocalAddress(path) { address, length in
            bytes.withUnsafeBytes { bytes in
                retrying { sendto(descriptor.number, bytes.baseAddress, bytes.count, 0, address, length) }
            }
        }
        guard count == bytes.count else { throw failure("sendto", path) }
    }

    /// Reads and discards until the other end is closed or reading fails.
    public static func readUntilClosed(_ number: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while true {
                let count = retrying { read(number, buffer.baseAddress, buffer.count) }
                if count > 0 { continue }
                guard count < 0, errno == EAGAIN else { return }
                var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                _ = retrying { poll(&entry, 1, -1) }
            }
        }
    }

    /// The wall clock in milliseconds since 1970.
    public static func wallClockMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
