#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// A thread for blocking work, such as watching a folder.
public struct SystemThread: @unchecked Sendable {
    // Sendable because a pthread_t is a plain handle that any thread may use, and this one never changes.
    private let handle: pthread_t

    /// The stack size in bytes, enough to parse and compare documents at the deepest allowed nesting even in a debug
    /// build, whose frames are large. The defaults are 512 KiB on Darwin and 128 KiB with musl. It reserves addresses;
    /// memory is used only on demand.
    private static let minStack = 8 << 20

    /// Starts a thread that blocks all signals, because the main thread handles them. Darwin's tools show its name.
    /// - Throws: the failure of `pthread_create`.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        #if canImport(Darwin)
            var handle: pthread_t?
        #else
            var handle = pthread_t()
        #endif
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        var stack = 0
        pthread_attr_getstacksize(&attributes, &stack)
        if stack < Self.minStack { pthread_attr_setstacksize(&attributes, Self.minStack) }
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        let code = pthread_create(&handle, &attributes, runThread, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw SystemError(code: code, call: "pthread_create", path: name)
        }
        #if canImport(Darwin)
            guard let handle else { throw SystemError(code: EAGAIN, call: "pthread_create", path: name) }
        #endif
        self.handle = handle
    }

    /// Waits until the thread has ended. Call either this or `detach` exactly once, and never this on the thread
    /// itself.
    public func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread run without a `join`.
    public func detach() {
        pthread_detach(handle)
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

#if canImport(Darwin)
    private func runThread(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        pthread_setname_np(start.name)
        start.body()
        return nil
    }
#else
    private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        start.body()
        return nil
    }
#endif

extension SystemCalls {
    /// The number of hardware threads; at least 1.
    public static let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Makes a pipe with non-blocking ends: bytes written to `input` are read from `output`.
    /// - Throws: the failure of `pipe` or `fcntl`.
    public static func makePipe() throws(SystemError) -> Pipe {
        var numbers: [Int32] = [-1, -1]
        guard pipe(&numbers) == 0 else { throw failure("pipe") }
        let ends = Pipe(
            output: FileDescriptor(owning: numbers[0]), input: FileDescriptor(owning: numbers[1]))
        for number in numbers {
            guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0, fcntl(number, F_SETFL, O_NONBLOCK) == 0 else {
                throw failure("fcntl")
            }
        }
        return ends
    }

    public struct Pipe: ~Copyable, Sendable {
        public let output: FileDescriptor
        public let input: FileDescriptor

        /// Makes the output readable. A full pipe is no error: it is readable already.
        public func wake() {
            var byte: UInt8 = 1
            _ = SystemCalls.retrying { write(input.number, &byte, 1) }
        }

        /// Reads and discards everything in the pipe.
        public func drain() {
            _ = take()
        }

        /// Reads everything in the pipe.
        public func take() -> [UInt8] {
            var bytes: [UInt8] = []
            withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
                while true {
                    let count = SystemCalls.retrying { read(output.number, buffer.baseAddress, buffer.count) }
                    guard count > 0 else { return }
                    bytes += buffer[..<count]
                }
            }
            return bytes
        }
    }

    /// Suspends the thread; a signal may end that early.
    public static func pause(milliseconds: Int32) {
        poll(nil, 0, milliseconds)
    }

    /// Waits until one of two descriptors is readable or the time is over. A negative number stands for no descriptor.
    /// - Returns: for each descriptor, whether it is readable or has failed.
    /// - Throws: the failure of `poll`.
    public static func waitReadable(
        _ first: Int32, _ second: Int32, milliseconds: Int32
    ) throws(SystemError) -> (first: Bool, second: Bool) {
        var entries = [
            pollfd(fd: first, events: Int16(POLLIN), revents: 0),
            pollfd(fd: second, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&entries, 2, milliseconds)
        guard count >= 0 || errno == EINTR else { throw failure("poll") }
        return count > 0 ? (entries[0].revents != 0, entries[1].revents != 0) : (false, false)
    }

    /// The monotonic clock used by the loops, in nanoseconds.
    public static func monotonicNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The processor time of the calling thread in nanoseconds.
    public static func threadProcessorNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The processor time of all threads of the process in nanoseconds.
    public static func processorNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The monotonic clock in milliseconds.
    public static func monotonicMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
