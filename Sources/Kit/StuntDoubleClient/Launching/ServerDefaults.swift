/// The options of the servers that this process starts, before those that a test gives, of which the later one counts.
package enum ServerDefaults {
    /// What a test asks about is kept whole: bodies of up to 64 MiB, and as many as half of the server's memory limit
    /// has room for.
    package static let arguments = ["--journal-body-limit", "64MiB", "--max-request-journal-size", "256MiB"]

    /// The arguments of a test, before which those for HTTPS stand: each port takes it, too.
    package static func arguments(_ arguments: [String], https: Bool) -> [String] {
        (https ? ["--tls", "auto"] : []) + arguments
    }
}
