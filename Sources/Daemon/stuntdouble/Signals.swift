import SDPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that the daemon handles.
enum Signals {
    /// The signals that end the daemon in an orderly way; a second one ends it at once.
    static let stop = [SIGTERM, SIGINT]
    static let hangUp = SIGHUP

    /// What SIGHUP means to a daemon.
    enum HangUp {
        /// Read the stub files again.
        case reload
        /// The terminal was closed: end like after the signals of `stop`.
        case stop
        /// `nohup` started the daemon, which outlives the terminal.
        case nothing

        /// - Parameter reloads: whether the options say that it means reload.
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
