internal import SDCPlatform

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// The signals that one who draws on a terminal has to know of.
public enum TerminalSignal {
    public static let interrupt = SIGINT
    public static let terminate = SIGTERM
    public static let hangUp = SIGHUP
    /// To stop, as by Ctrl-Z.
    public static let stop = SIGTSTP
    /// To go on after a stop.
    public static let goOn = SIGCONT
    /// The terminal has another size.
    public static let resize = SIGWINCH
    static let all = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
}

/// A terminal on which a program draws.
extension SystemCalls {
    /// Has a terminal hand over each key as it is pressed, without showing it.
    /// - Parameter leave: what `leaveTerminal` writes, and a crash of the process, too.
    /// - Throws: the failure of `tcgetattr` or `tcsetattr`.
    public static func enterTerminal(_ number: Int32, leave: String) throws(SystemError) {
        let code = cp_enter_terminal(number, leave)
        guard code == 0 else { throw SystemError(code: code, call: "tcsetattr") }
    }

    /// Writes to a terminal what it takes without waiting.
    /// - Returns: the number of bytes; 0 if the terminal is stopped (XOFF), or nobody reads it.
    public static func writeTerminal(_ bytes: [UInt8], to number: Int32) throws(SystemError) -> Int {
        let count = bytes.withUnsafeBytes { cp_write_terminal(number, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw failure("write") }
        return count
    }

    /// Sets the terminal as it was; does nothing if it is not entered.
    public static func leaveTerminal() { cp_leave_terminal() }

    /// The size of a terminal; nil where it is not known.
    public static func terminalSize(_ number: Int32) -> (rows: Int, columns: Int)? {
        var rows: Int32 = 0
        var columns: Int32 = 0
        return cp_terminal_size(number, &rows, &columns) ? (Int(rows), Int(columns)) : nil
    }

    /// Whether the process may read from the terminal and set it, as one that runs behind a shell may not.
    public static func isForeground(_ number: Int32) -> Bool { cp_is_foreground(number) }

    /// Catches the signals of `TerminalSignal`, those that are ignored left out.
    public static func catchTerminalSignals() throws(SystemError) -> CaughtSignals {
        let pipe = try makePipe()
        for number in TerminalSignal.all {
            let code = cp_tell_signal(number, pipe.input.number)
            guard code == 0 else { throw SystemError(code: code, call: "sigaction") }
        }
        return CaughtSignals(pipe: pipe)
    }

    /// Stops the process, as Ctrl-Z does, until it is to go on.
    public static func stopProcess() { cp_stop_process() }

    /// Ends the process by a signal, whose handler is not called.
    public static func endProcess(by number: Int32) -> Never { cp_end_by_signal(number) }

    /// The seconds by which local time is ahead of Greenwich's at a time.
    /// - Parameter seconds: since 1970.
    public static func zoneOffset(at seconds: Int) -> Int { cp_zone_offset(Int64(seconds)) }
}
