import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDServing

/// `stuntdouble run`: runs a command with a mock server, and gives a verdict on its requests.
enum RunCommand {
    /// Runs the command.
    /// - Returns: the exit status: the command's; 128 plus the number of a signal; 1 if a counted verdict failed; 124
    ///   after the time limit; 125 without a mock server; 126 or 127 if the command cannot be run.
    static func run(_ options: RunOptions, startedAt: MonotonicInstant) -> Int32 {
        for notice in options.serve.notices { Console.info(notice) }
        if let problem = options.folderProblem {
            RunStartReport(RunProblem(message: problem.message, fix: ""), options).write()
            return PrintedCommands.report(problem)
        }
        do throws(RunProblem) {
            if let server = options.server { return try run(options, with: try RunMock(options, at: server)) }
            let daemon = try RunDaemon.get(
                options.daemon, isShared: options.shares, logFile: options.logFile, startedAt: startedAt)
            for line in RunLog.messages(in: daemon.startLog, of: ["warning", "error"]) { Console.info(line) }
            let status: Int32
            do throws(RunProblem) {
                status = try run(options, with: try RunMock(options, of: daemon.ready))
            } catch {
                daemon.leave()
                throw error
            }
            daemon.leave()
            return status
        } catch {
            Console.error(error.message, fix: error.fix)
            if !error.hasReports { RunStartReport(error, options).write() }
            return error.status
        }
    }

    /// Runs the command with a running mock server, then ends what belongs to the run.
    private static func run(_ options: RunOptions, with mock: RunMock) throws(RunProblem) -> Int32 {
        defer { mock.end() }
        let portFile = try options.serve.portFile.map { path throws(RunProblem) in try Self.portFile(path, mock) }
        defer { portFile?.remove() }
        var process: RunningCommand
        do throws(SystemError) {
            process = try RunningCommand(options, variables: mock.variables)
        } catch {
            throw problem(options.command, error)
        }
        // From here on only: the command inherits ignored signals.
        SystemCalls.ignoreBrokenPipes()
        let outcome = process.wait()
        if outcome.isOverdue, let timeout = options.timeout {
            let command = options.command.map(shellWord).joined(separator: " ")
            Console.error(
                "\(command) did not end within \(timeout.milliseconds) ms, and was ended",
                fix: "give --timeout more time")
        }
        let verdict: RunVerdict
        do throws(RunProblem) {
            verdict = try RunVerdict(options, mock, outcome) { process.pause(milliseconds: $0) }
        } catch {
            // A failed command's own status takes precedence.
            var problem = error
            if outcome.status != 0 { problem.status = outcome.status }
            throw problem
        }
        let isBad = !verdict.hasPassed
        let status = outcome.status != 0 ? outcome.status : isBad ? 1 : 0
        if verdict.isOfNothing { RunHint(options, status: outcome.status).print() }
        verdict.printVerdict(of: outcome, status: status)
        return status
    }

    private static func portFile(_ path: String, _ mock: RunMock) throws(RunProblem) -> PortFile {
        do throws(SystemError) {
            try PortFile.removeStale(path)
            return try PortFile(path: path, ports: mock.ports)
        } catch {
            throw RunProblem(
                message: "cannot write the port file \(path): \(error.reason)", fix: "give --port-file another file")
        }
    }

    private static func isScript(_ path: String) -> Bool {
        guard let file = try? SystemCalls.open(path, .read), let status = try? SystemCalls.status(of: file),
            status.kind == .file
        else { return false }
        return SystemCalls.readPart(file.number, 0..<2) == Array("#!".utf8)
    }

    /// Why a command could not be started, with a shell's exit status.
    private static func problem(_ command: [String], _ error: SystemError) -> RunProblem {
        let program = command[0]
        let isThere = program.utf8.contains(UInt8(ascii: "/")) && SystemCalls.exists(program)
        guard error.isNotFound else {
            let reason = error.isPermission ? "it is not executable" : error.reason
            let fix =
                isThere && isScript(program)
                ? "chmod +x \(shellWord(program))" : "name a program in place of \(program)"
            return RunProblem(message: "cannot run \(shellWord(program)): \(reason)", fix: fix, status: 126)
        }
        let reason = isThere ? "the interpreter that its first line names does not exist" : "no such command"
        let fix =
            isThere
            ? "correct the first line of \(program)"
            : SuggestedCommand(command).map { "stuntdouble run … -- \($0.line)" }
                ?? "install \(shellWord(program)), or name its path"
        return RunProblem(message: "cannot run \(shellWord(program)): \(reason)", fix: fix, status: 127)
    }
}

extension RunOptions {
    /// The daemon's options: those of `serve`, with the default ports if only its session gets the requested ones.
    fileprivate var daemon: ServeOptions {
        var daemon = serve
        daemon.portFile = nil
        daemon.exitWithParent = false
        daemon.notices = []
        guard shares || isReplica else { return daemon }
        daemon.http = true
        // With replicas, clients reach the session by a path below the daemon's address.
        guard !isReplica else {
            if !serve.http { daemon.port = 0 }
            return daemon
        }
        daemon.port = 0
        daemon.httpsPort = serve.httpsPort.map { _ in 0 }
        return daemon
    }
}
