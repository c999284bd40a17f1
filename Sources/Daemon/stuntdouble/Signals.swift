#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that the daemon handles.
enum Signals {
    /// The signals that end the daemon in an orderly way; a second one ends it at once.
    static let stop = [SIGTERM, SIGINT]
    /// The signal to read the stub files again.
    static let reload = SIGHUP
}
