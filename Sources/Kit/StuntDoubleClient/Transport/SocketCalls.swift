#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A failed system call: its name and the text of its error number, taken at the call.
struct SocketError: Error, Sendable, Hashable, CustomStringConvertible {
    let call: String
    let number: Int32

    init(_ call: String, _ number: Int32 = errno) {
        self.call = call
        self.number = number
    }

    var description: String { "\(call): \(String(cString: strerror(number)))" }
}

/// Non-blocking system calls for the client's sockets and pipes. All unsafe memory of the transport is here.
enum SocketCalls {
    /// The outcome of reading or writing.
    enum Outcome: Sendable, Hashable {
        case bytes(Int)
        /// The call would block.
        case later
        case end
        case failed(SocketError)
    }

    // MARK: Descriptors

    /// Starts to connect; the connection may still be in progress on return.
    /// - Throws: the failure of `socket` or `connect`.
    static func connect(_ address: SocketAddress) throws(SocketError) -> Int32 {
        let descriptor = socket(address.family, streamSocket | closeInChildren, 0)
        guard descriptor >= 0 else { throw SocketError("socket") }
        makeNonBlocking(descriptor)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
        #endif
        let result = address.bytes.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            let pointer = start.assumingMemoryBound(to: sockaddr.self)
            #if canImport(Glibc)
                return Glibc.connect(descriptor, pointer, socklen_t(bytes.count))
            #elseif canImport(Musl)
                return Musl.connect(descriptor, pointer, socklen_t(bytes.count))
            #else
                return Darwin.connect(descriptor, pointer, socklen_t(bytes.count))
            #endif
        }
        guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
            let error = SocketError("connect")
            closeDescriptor(descriptor)
            throw error
        }
        return descriptor
    }

    /// The error of a connection attempt; nil if it succeeded.
    static func connectError(_ descriptor: Int32) -> SocketError? {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
        return number == 0 ? nil : SocketError("connect", number)
    }

    /// A pipe whose ends no child inherits; the reading end is non-blocking. On Linux it is a socket pair, which can be
    /// created close-on-exec atomically.
    /// - Throws: the failure of `pipe` or `socketpair`.
    static func pipe() throws(SocketError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            guard Darwin.pipe(&ends) == 0 else { throw SocketError("pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #else
            guard socketpair(AF_UNIX, streamSocket | closeInChildren, 0, &ends) == 0 else {
                throw SocketError("socketpair")
            }
        #endif
        makeNonBlocking(ends[0])
        return (ends[0], ends[1])
    }

    /// A non-blocking pipe for `poke`: a full one also wakes its reader. The reader itself may poke.
    /// - Throws: like `pipe`.
    static func bell() throws(SocketError) -> (read: Int32, write: Int32) {
        let ends = try pipe()
        makeNonBlocking(ends.write)
        return ends
    }

    #if canImport(Glibc)
        private static let streamSocket = Int32(SOCK_STREAM.rawValue)
        private static let closeInChildren = Int32(SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
        private static let streamSocket = SOCK_STREAM
        private static let closeInChildren = SOCK_CLOEXEC
    #else
        private static let streamSocket = SOCK_STREAM
        private static let closeInChildren: Int32 = 0
    #endif

    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    static func closeDescriptor(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    // MARK: Bytes

    static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Outcome {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = bytes.withUnsafeBytes { systemSend(descriptor, $0, flags) }
        return outcome(count, "send")
    }

    /// Reads what is available into `buffer`, up to its size.
    static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        return count == 0 ? .end : outcome(count, "read")
    }

    /// Writes a text to standard error.
    static func printError(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(count, 0))
        }
    }

    /// Writes one byte to a bell.
    static func poke(_ descriptor: Int32) {
        var byte: UInt8 = 1
        _ = write(descriptor, &byte, 1)
    }

    private static func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #elseif canImport(Musl)
            Musl.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #else
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #endif
    }

    private static func outcome(_ count: Int, _ call: String) -> Outcome {
        if count >= 0 { return .bytes(count) }
        switch errno {
        case EAGAIN, EWOULDBLOCK, EINTR: return .later
        default: return .failed(SocketError(call))
        }
    }

    // MARK: Waiting

    /// A watched descriptor: the events of interest, and those that occurred.
    struct Interest {
        let descriptor: Int32
        var wantsToWrite = false
        fileprivate(set) var isReadable = false
        fileprivate(set) var isWritable = false
    }

    /// Waits for events or the timeout; -1 waits forever.
    static func poll(_ interests: inout [Interest], milliseconds: Int32) {
        var entries = interests.map { interest in
            pollfd(
                fd: interest.descriptor, events: Int16(POLLIN) | (interest.wantsToWrite ? Int16(POLLOUT) : 0),
                revents: 0)
        }
        let count = systemPoll(&entries, milliseconds)
        for index in interests.indices {
            let seen = count > 0 ? Int32(entries[index].revents) : 0
            let isOver = seen & (POLLHUP | POLLERR | POLLNVAL) != 0
            interests[index].isReadable = isOver || seen & POLLIN != 0
            interests[index].isWritable = isOver || seen & POLLOUT != 0
        }
    }

    private static func systemPoll(_ entries: inout [pollfd], _ milliseconds: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
        #elseif canImport(Musl)
            Musl.poll(&entries, nfds_t(entries.count), milliseconds)
        #else
            Darwin.poll(&entries, nfds_t(entries.count), milliseconds)
        #endif
    }

    // MARK: Threads

    /// Runs `body` on a new thread. False if no thread can be created.
    static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(ThreadBody(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_create(&thread, &attributes, runThread, box.toOpaque()) == 0 else {
            box.release()
            return false
        }
        return true
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

#if canImport(Darwin)
    private func runThread(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body()
        return nil
    }
#else
    private func runThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let box { Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body() }
        return nil
    }
#endif
