import SDPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that the daemon handles.
enum Signals {
    /// The signals that stop the daemon gracefully; a second one ends it at once.
    static let stop = [SIGTERM, SIGINT]
    static let hangUp = SIGHUP

    /// The effect of SIGHUP on a daemon.
    enum HangUp {
        /// Reload the stub files.
        case reload
        /// The terminal was closed: stop gracefully, as after the signals of `stop`.
        case stop
        /// Ignored: the daemon was started by `nohup` and outlives the terminal.
        case nothing

        /// - Parameter reloads: whether the options make SIGHUP always reload.
        init(reloads: Bool) {
            if reloads {
                self = .reload
            } else if SystemCalls.ignoresSignal(Signals.hangUp) {
                self = .nothing
            } else {
                self = SystemCalls.hasTerminal ? .stop : .reload
            }
        }
    }
}
