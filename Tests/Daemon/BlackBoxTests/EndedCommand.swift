import SDTestSupport

/// A command of the daemon's program that has ended, with what it printed.
struct EndedCommand {
    let output: String
    let errors: String
    /// The exit status; nil for a command that a signal ended, or that did not end.
    let status: Int32?

    /// Runs a command with its standard input closed, and waits for its end.
    init(_ arguments: [String], environment: [String: String] = [:], outputsIn folder: TemporaryFolder) throws {
        let process = try ChildProcess(Daemon.binary, arguments, environment: environment, outputsIn: folder)
        process.closeInput()
        let ending = process.wait()
        output = process.output
        errors = process.errors
        status = if case .exited(let status) = ending { status } else { nil }
    }
}
