/// Default options for servers started by this process. They precede the test's options: the last one wins.
package enum ServerDefaults {
    /// Keeps what tests ask about whole: bodies of up to 64 MiB, and a journal of half the server's memory limit.
    package static let arguments = ["--journal-body-limit", "64MiB", "--max-request-journal-size", "256MiB"]

    /// The options of a test, preceded by those for HTTPS on every port.
    package static func arguments(_ arguments: [String], https: Bool) -> [String] {
        (https ? ["--tls", "auto"] : []) + arguments
    }
}
