internal import SDCPlatform

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// Signals, read from a pipe by a separate thread, so that they are handled whatever the other threads do.
extension SystemCalls {
    /// Calls `handle` on a separate thread with the number of each delivered signal. Call it once per process, on its
    /// first thread.
    /// - Throws: the failure of `pipe`, `sigaction` or `pthread_create`.
    public static func handleSignals(
        _ numbers: [Int32], _ handle: @escaping @Sendable (Int32) -> Void
    ) throws(SystemError) {
        let caught = CaughtSignals(pipe: try makePipe())
        for number in numbers {
            let code = cp_catch_signal(number, caught.pipe.input.number)
            guard code == 0 else { throw SystemError(code: code, call: "sigaction") }
        }
        try SystemThread(name: "signals") {
            // Sharing the descriptor table would slow down the loops' system calls.
            leaveSharedDescriptors()
            while (try? waitReadable(caught.pipe.output.number, -1, milliseconds: -1)) != nil {
                for number in caught.pipe.take() { handle(Int32(number)) }
            }
        }.detach()
    }

    /// Whether the process ignores a signal, as one started by `nohup` does with SIGHUP.
    public static func ignoresSignal(_ number: Int32) -> Bool { cp_ignores_signal(number) }

    /// Whether the process has a controlling terminal, whose closing sends it SIGHUP.
    public static var hasTerminal: Bool { (try? open("/dev/tty", .read)) != nil }
}

/// Keeps the pipe alive as long as the thread runs.
private final class CaughtSignals: Sendable {
    let pipe: SystemCalls.Pipe

    init(pipe: consuming SystemCalls.Pipe) {
        self.pipe = pipe
    }
}
