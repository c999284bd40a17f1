public import SDBasics
import SDStubModel

/// The options of `stuntdouble run`.
public struct RunOptions: Sendable, Equatable {
    /// The mock server's options. Its port is 0 unless one is given.
    public var serve = ServeOptions()
    /// Whether the command line gives a port, which may be 0.
    public var namesPort = false
    /// The command and its arguments.
    public var command: [String] = []
    /// A running daemon to use instead of starting one; nil for none.
    public var server: ServerURL?
    /// What counts for the verdict. A successful command fails only for reasons that are named.
    public var verdict = VerdictOptions()
    /// The reports to write.
    public var reports: [ReportFile] = []
    /// The time limit of the command; nil for none.
    public var timeout: Duration?
    /// The time between SIGTERM and SIGKILL after the time limit.
    public var killAfter = Duration.seconds(5)
    /// Whether runs with the same folder and options share a daemon.
    public var shares = true
    /// The daemon's log file; nil for none.
    public var logFile: String?
    /// The reason why the folder cannot be served, for the reports; nil if none is known.
    public var folderProblem: CommandLineError?

    /// A report to write to a file.
    public struct ReportFile: Sendable, Equatable {
        public var format: ReportFormat
        /// `-` is standard output.
        public var path: String
    }

    public init() {}
}

extension OptionTable {
    /// The options that only `stuntdouble run` has.
    static let run: [Option] = [
        .custom(
            "timeout", .duration, "TIME", .running, commands: [.run, .wait, .stop, .check],
            "For run: end the command after this time, with status 124. For wait and stop: the maximum wait; for "
                + "check: the timeout of each request; 30s by default."
        ) { settings, value in
            if case .duration(let time) = value { settings.timeout = time }
        }
        .saying("End the command after this time, with status 124.", in: .run)
        .saying("The maximum wait; 30s by default.", in: .wait, .stop)
        .saying("The timeout of each request; 30s by default.", in: .check),
        .custom(
            "kill-after", .duration, "TIME", .running, commands: [.run],
            "The time between asking the command to end after --timeout and killing it; 5s by default."
        ) { settings, value in
            if case .duration(let time) = value { settings.run.killAfter = time }
        },
        .list(
            "report", .text, "FORMAT=FILE", \.writtenReports, .running, commands: [.run],
            "Write the report to a file: json, text, junit, html, github or markdown; - is standard output; "
                + "repeatable. The file named by $GITHUB_STEP_SUMMARY is appended to."
        ),
        .flag(
            "no-share", \.run.shares, sets: false, .running, commands: [.run],
            "Do not share the daemon with other runs. By default, runs in one folder with the same stubs and options "
                + "share a daemon, each with a session of its own; --unix-socket, --record-mappings, --verbose and "
                + "forward proxies imply this option."),
        .path(
            "log-file", .file, "FILE", \.run.logFile, .running, commands: [.run, .mcp],
            "The file for the daemon's log. Implies --no-share."
        )
        .saying("The file for the daemon's log.", in: .mcp),
    ]
}

extension CommandLineParser {
    func run(_ settings: Settings, _ scanner: ArgumentScanner) throws(CommandLineError) -> RunOptions {
        let (operands, command) = try runOperands(scanner)
        var options = settings.run
        options.command = command
        options.serve = settings.serve
        options.namesPort = settings.given.contains("port")
        options.server = try server(settings, operands)
        options.reports = try writtenReports(settings.writtenReports)
        if options.server == nil {
            do throws(CommandLineError) {
                options.serve.root = try root(settings, operands, of: .run)
            } catch {
                guard case .noSuchFolder = error, !options.reports.isEmpty else { throw error }
                options.folderProblem = error
            }
            try options.serve.checkSecurity(namesPort: options.namesPort)
        }
        options.timeout = settings.timeout
        options.verdict = settings.verdict
        options.verdict.countsInherited = true
        options.verdict.hasCommandEnded = true
        // Without validation there are no contract failures.
        if options.verdict.failOn?.reasons.contains(.contract) == true, options.serve.openAPIValidation == .off {
            options.serve.openAPIValidation = .warn
        }
        if options.logFile != nil || !options.serve.isShareable { options.shares = false }
        if options.server == nil { try check(options) }
        if options.serve.exitWithParent {
            options.serve.notices.append("--exit-with-parent has no effect: the daemon ends with the command")
        }
        return options
    }

    /// The folder on the command line, and the command after `--`.
    private func runOperands(_ scanner: ArgumentScanner) throws(CommandLineError) -> ([String], [String]) {
        let all = Array(scanner.positionals.dropFirst())
        guard let dashes = scanner.dashes else { throw .missingDashes(command(in: all)) }
        let (operands, command) = (Array(all[..<(dashes - 1)]), Array(all[(dashes - 1)...]))
        guard let program = command.first, !program.isEmpty else {
            throw .missingDashes(Self.meantCommand(operands, behindFolder: operands.first.map(isServable) ?? false))
        }
        return (operands, command)
    }

    /// The arguments with `--` inserted where it was probably meant.
    func command(in arguments: [String]) -> [String] {
        let words = arguments.first == CommandName.run.rawValue ? Array(arguments.dropFirst()) : arguments
        return Self.meantCommand(words, behindFolder: words.first.map(isServable) ?? false)
    }

    private static func meantCommand(_ words: [String], behindFolder: Bool) -> [String] {
        let command = words.dropFirst(behindFolder ? 1 : 0)
        return words.prefix(behindFolder ? 1 : 0) + ["--"] + (command.isEmpty ? ["COMMAND"] : command)
    }

    private func isServable(_ path: String) -> Bool {
        folderExists(path) || fileExists(path) && StubRoot.isStubFile(path)
    }

    /// Rejects options that would keep a run from reaching its daemon.
    private func check(_ options: RunOptions) throws(CommandLineError) {
        if options.serve.adminRequiresHTTPS {
            throw .contradictory(
                "--admin-api-require-https", "run", reason: "it asks the daemon over plain HTTP on this machine")
        }
        if !options.serve.http, !options.shares {
            throw .contradictory(
                "--disable-http", "a daemon of its own", reason: "run asks it over plain HTTP on this machine")
        }
    }

    /// The reports, each with a file of its own. Standard output and devices may take several.
    private func writtenReports(_ texts: [String]) throws(CommandLineError) -> [RunOptions.ReportFile] {
        var reports: [RunOptions.ReportFile] = []
        for text in texts {
            let report = try writtenReport(text)
            let path = Self.plain(report.path)
            if path != "-", !path.hasPrefix("/dev/"), let other = reports.first(where: { Self.plain($0.path) == path })
            {
                throw .invalidValue(
                    .option("--report"), found: text,
                    expected: "another file than that of --report \(other.format.rawValue)=\(other.path)")
            }
            reports.append(report)
        }
        return reports
    }

    /// A path without redundant parts: `./a//b` becomes `a/b`.
    private static func plain(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + parts : parts
    }

    private func writtenReport(_ text: String) throws(CommandLineError) -> RunOptions.ReportFile {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = ReportFormat.allCases.map(\.rawValue)
        guard parts.count == 2, let format = ReportFormat(rawValue: String(parts[0])), !parts[1].isEmpty else {
            let file = parts.count == 2 ? parts[1] : "FILE"
            throw .invalidValue(
                .option("--report"), found: text,
                expected: "FORMAT=FILE with a format of \(names.joined(separator: ", "))",
                nearest: meantName(by: String(parts[0]), among: names).map { "\($0)=\(file)" })
        }
        return RunOptions.ReportFile(format: format, path: String(parts[1]))
    }
}

extension ServeOptions {
    /// Whether a session of a shared daemon can provide what the options ask for.
    var isShareable: Bool { unixSocket == nil && !recordsMappings && !isForwardProxy && !printsTraffic && !verbose }
}
