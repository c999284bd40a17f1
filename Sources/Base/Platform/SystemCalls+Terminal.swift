internal import SDCPlatform

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// The signals that a program with a full-screen display handles.
public enum TerminalSignal {
    public static let interrupt = SIGINT
    public static let terminate = SIGTERM
    public static let hangUp = SIGHUP
    /// Stop, as by Ctrl-Z.
    public static let stop = SIGTSTP
    /// Continue after a stop.
    public static let goOn = SIGCONT
    /// The terminal was resized.
    public static let resize = SIGWINCH
    static let all = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
}

/// Full-screen use of a terminal.
extension SystemCalls {
    /// Puts a terminal into raw mode: delivers each key as it is pressed, without echo.
    /// - Parameter leave: the bytes that `leaveTerminal` writes, and also a crash of the process.
    /// - Throws: the failure of `tcgetattr` or `tcsetattr`.
    public static func enterTerminal(_ number: Int32, leave: String) throws(SystemError) {
        let code = cp_enter_terminal(number, leave)
        guard code == 0 else { throw SystemError(code: code, call: "tcsetattr") }
    }

    /// Writes to a terminal as much as it accepts without blocking.
    /// - Returns: the number of bytes; 0 if the terminal is stopped (XOFF), or nothing reads it.
    public static func writeTerminal(_ bytes: [UInt8], to number: Int32) throws(SystemError) -> Int {
        let count = bytes.withUnsafeBytes { cp_write_terminal(number, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw failure("write") }
        return count
    }

    /// Restores the terminal; a no-op outside of raw mode.
    public static func leaveTerminal() { cp_leave_terminal() }

    /// The size of a terminal; nil if unknown.
    public static func terminalSize(_ number: Int32) -> (rows: Int, columns: Int)? {
        var rows: Int32 = 0
        var columns: Int32 = 0
        return cp_terminal_size(number, &rows, &columns) ? (Int(rows), Int(columns)) : nil
    }

    /// Whether the process is in the terminal's foreground group, and so may read from it and change its mode.
    public static func isForeground(_ number: Int32) -> Bool { cp_is_foreground(number) }

    /// Catches the signals of `TerminalSignal`, except ignored ones.
    public static func catchTerminalSignals() throws(SystemError) -> CaughtSignals {
        let pipe = try makePipe()
        for number in TerminalSignal.all {
            let code = cp_report_signal(number, pipe.input.number)
            guard code == 0 else { throw SystemError(code: code, call: "sigaction") }
        }
        return CaughtSignals(pipe: pipe)
    }

    /// Stops the process, as Ctrl-Z does, until it is continued.
    public static func stopProcess() { cp_stop_process() }

    /// Ends the process by a signal without calling its handler.
    public static func endProcess(by number: Int32) -> Never { cp_end_by_signal(number) }

    /// The local time's offset from UTC at a time, in seconds; positive east of Greenwich.
    /// - Parameter seconds: the time in seconds since 1970.
    public static func zoneOffset(at seconds: Int) -> Int { cp_zone_offset(Int64(seconds)) }
}
