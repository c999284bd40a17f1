import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDServing

/// `stuntdouble run`: a command with a mock server, and the verdict on what it asked for.
enum RunCommand {
    /// Runs the command.
    /// - Returns: the exit status: that of the command, 128 and its number for a signal; 1 if the verdict is bad and
    ///   counts, 124 after the time limit, 125 without a mock server, 126 and 127 without the command.
    static func run(_ options: RunOptions, startedAt: MonotonicInstant) -> Int32 {
        for notice in options.notices { Console.note(notice) }
        if let problem = options.folderProblem {
            RunStartReport(RunProblem(message: problem.message, fix: ""), options).write()
            return PrintedCommands.report(problem)
        }
        do throws(RunProblem) {
            if let server = options.server { return try run(options, with: try RunMock(options, at: server)) }
            let daemon = try RunDaemon.get(
                options.daemon, isShared: options.shares, logFile: options.logFile, startedAt: startedAt)
            for line in RunLog.messages(in: daemon.startLog, of: ["warning", "error"]) { Console.note(line) }
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
            Console.complain(error.message, fix: error.fix)
            if !error.hasReports { RunStartReport(error, options).write() }
            return error.status
        }
    }

    /// Runs the command with a mock server that answers, and ends what belongs to the run.
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
        // From here on, since the command inherits what is ignored.
        SystemCalls.ignoreBrokenPipes()
        let outcome = process.wait()
        if outcome.isOverdue, let timeout = options.timeout {
            let command = options.command.map(shellWord).joined(separator: " ")
            Console.complain(
                "\(command) did not end within \(timeout.milliseconds) ms, and was ended",
                fix: "give --timeout more time")
        }
        let verdict: RunVerdict
        do throws(RunProblem) {
            verdict = try RunVerdict(options, mock, outcome) { process.pause(milliseconds: $0) }
        } catch {
            // A command that has failed has its own status, whatever else is wrong.
            var problem = error
            if outcome.status != 0 { problem.status = outcome.status }
            throw problem
        }
        let isBad = !verdict.hasPassed
        let status = outcome.status != 0 ? outcome.status : isBad ? 1 : 0
        if verdict.isOfNothing { RunHint(options, status: outcome.status).tell() }
        verdict.tell(of: outcome, status: status)
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

    /// Why a command could not be started, with the statuses of shells.
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
            : MeantCommand(command).map { "stuntdouble run … -- \($0.line)" }
                ?? "install \(shellWord(program)), or name its path"
        return RunProblem(message: "cannot run \(shellWord(program)): \(reason)", fix: fix, status: 127)
    }
}

extension RunOptions {
    /// The options of the daemon: those of `serve`, with ports of its own if its sessions have those that were asked
    /// for.
    fileprivate var daemon: ServeOptions {
        var daemon = serve
        daemon.portFile = nil
        daemon.exitWithParent = false
        daemon.notices = []
        guard shares else { return daemon }
        daemon.http = true
        daemon.port = 0
        daemon.httpsPort = serve.httpsPort.map { _ in 0 }
        return daemon
    }
}
