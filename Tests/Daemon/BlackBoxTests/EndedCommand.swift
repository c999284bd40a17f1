import SDJSON
import SDTestSupport

/// A command of the daemon's program that has ended, with what it printed.
struct EndedCommand {
    let output: String
    let errors: String
    /// The exit status; nil for a command that a signal ended, or that did not end.
    let status: Int32?

    /// Runs a command with its standard input closed, and waits for its end.
    /// - Parameter place: its working directory; nil for the test's own.
    init(
        _ arguments: [String], environment: [String: String] = [:], in place: String? = nil,
        outputsIn folder: TemporaryFolder
    ) throws {
        let process = try ChildProcess(
            Daemon.binary, arguments, environment: environment, folder: place, outputsIn: folder)
        process.closeInput()
        self.init(process)
    }

    /// Waits for the end of a process.
    init(_ process: ChildProcess) {
        let ending = process.wait()
        output = process.output
        errors = process.errors
        status = if case .exited(let status) = ending { status } else { nil }
    }

    /// The first error that is told as JSON.
    var error: JSONValue? {
        errors.split(separator: "\n").lazy.compactMap { (try? JSONValue(parsing: Array($0.utf8)))?["error"] }.first
    }
}
