#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that the daemon listens to.
enum Signals {
    /// End in an orderly way; a second one ends at once.
    static let stop = [SIGTERM, SIGINT]
    /// Read the stub files again.
    static let reload = SIGHUP
}
