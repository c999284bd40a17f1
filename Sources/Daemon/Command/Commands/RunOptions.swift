public import SDBasics
import SDStubModel

/// The options of `stuntdouble run`.
public struct RunOptions: Sendable, Equatable {
    /// Those of the mock server. Its port is 0 unless one was named.
    public var serve = ServeOptions()
    /// The command and its arguments.
    public var command: [String] = []
    /// A running daemon to use in place of one of its own; nil for none.
    public var server: ServerURL?
    /// What the verdict counts. A command that succeeded fails only where its reasons are named.
    public var verdict = VerdictOptions()
    /// The reports to write.
    public var reports: [WrittenReport] = []
    /// The time after which the command is ended; nil for no limit.
    public var timeout: Duration?
    /// The time that it then has to end by itself.
    public var killAfter = Duration.seconds(5)
    /// Whether runs with the same folder and options share a daemon.
    public var shares = true
    /// The file for the log of the daemon; nil for none.
    public var logFile: String?
    public var notices: [String] = []
    /// Why the folder cannot be served, where reports are to say so; nil for one that can, as far as is known.
    public var folderProblem: CommandLineError?

    /// A report that is written to a file.
    public struct WrittenReport: Sendable, Equatable {
        public var format: ReportFormat
        /// `-` is standard output.
        public var path: String
    }

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble run` alone.
    static let run: [Option] = [
        .custom(
            "timeout", .duration, "TIME", .running, commands: [.run, .wait, .stop, .check],
            "Of run: end the command after this time, with status 124. Of wait and stop: how long to wait, of check for each answer; "
                + "30s by default."
        ) { settings, value in
            if case .duration(let time) = value { settings.timeout = time }
        },
        .custom(
            "kill-after", .duration, "TIME", .running, commands: [.run],
            "The time that a command has to end by itself once --timeout is over, before it is killed; 5s by default."
        ) { settings, value in
            if case .duration(let time) = value { settings.run.killAfter = time }
        },
        .list(
            "report", .text, "FORMAT=FILE", \.writtenReports, .running, commands: [.run],
            "Write the report to a file: json, text, junit, html, github or markdown; - is standard output; repeatable. What "
                + "$GITHUB_STEP_SUMMARY names is appended to."
        ),
        .flag(
            "no-share", \.run.shares, sets: false, .running, commands: [.run],
            "Start a daemon that no other run uses. By default runs in one folder with the same stubs and options share one, "
                + "each in a session of its own; --unix-socket, --record-mappings, --verbose and proxies for clients imply this "
                + "option."),
        .path(
            "log-file", .file, "FILE", \.run.logFile, .running, commands: [.run, .mcp],
            "The file for the daemon's log. Implies --no-share."),
    ]
}

extension CommandLineParser {
    func run(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> RunOptions {
        let (operands, command) = try runOperands(scanner)
        var options = settings.run
        var notices = notices
        options.command = command
        options.serve = settings.serve
        let given = scanner.occurrences.contains { $0.option.name == "root-dir" } ? settings.rootDirectory : nil
        options.server = try server(settings, operands.first ?? given, scanner)
        options.reports = try writtenReports(settings.writtenReports)
        if options.server == nil {
            do throws(CommandLineError) {
                options.serve.root = try root(operands, option: given, variable: settings.rootDirectory, of: .run)
            } catch {
                guard case .noSuchFolder = error, !options.reports.isEmpty else { throw error }
                options.folderProblem = error
            }
            let namesPort = scanner.occurrences.contains { $0.option.name == "port" }
            try options.serve.checkSecurity(namesPort: namesPort, notices: &notices)
        }
        options.timeout = settings.timeout
        options.verdict = settings.verdict
        options.verdict.countsInherited = true
        options.verdict.hasCommandEnded = true
        // What was not looked at cannot fail.
        if options.verdict.failOn?.reasons.contains(.contract) == true, options.serve.openAPIValidation == .off {
            options.serve.openAPIValidation = .warn
        }
        if options.logFile != nil || !options.serve.isShareable { options.shares = false }
        if options.server == nil { try check(options) }
        if options.serve.exitWithParent {
            notices.append("--exit-with-parent has no effect: the daemon ends with the command")
        }
        options.notices = notices
        return options
    }

    /// The folder of the command line, and the command behind the two dashes.
    private func runOperands(_ scanner: ArgumentScanner) throws(CommandLineError) -> ([String], [String]) {
        let all = Array(scanner.positionals.dropFirst())
        guard let dashes = scanner.dashes else { throw .missingDashes(command(in: all)) }
        let (operands, command) = (Array(all[..<(dashes - 1)]), Array(all[(dashes - 1)...]))
        guard let program = command.first, !program.isEmpty else {
            throw .missingDashes(Self.meantCommand(operands, behindFolder: operands.first.map(isServable) ?? false))
        }
        return (operands, command)
    }

    /// The arguments with dashes where they were probably meant.
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

    /// Refuses what would keep a run from asking its daemon.
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

    /// The reports, each to a file of its own: standard output, and devices, take several one after another.
    private func writtenReports(_ texts: [String]) throws(CommandLineError) -> [RunOptions.WrittenReport] {
        var reports: [RunOptions.WrittenReport] = []
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

    /// A path without what leads nowhere else: `./a//b` is `a/b`.
    private static func plain(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + parts : parts
    }

    private func writtenReport(_ text: String) throws(CommandLineError) -> RunOptions.WrittenReport {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = ReportFormat.allCases.map(\.rawValue)
        guard parts.count == 2, let format = ReportFormat(rawValue: String(parts[0])), !parts[1].isEmpty else {
            let file = parts.count == 2 ? parts[1] : "FILE"
            throw .invalidValue(
                .option("--report"), found: text,
                expected: "FORMAT=FILE with a format of \(names.joined(separator: ", "))",
                nearest: meantName(by: String(parts[0]), among: names).map { "\($0)=\(file)" })
        }
        return RunOptions.WrittenReport(format: format, path: String(parts[1]))
    }
}

extension ServeOptions {
    /// Whether what the options ask for can be had in a session of a daemon that others use too.
    var isShareable: Bool { unixSocket == nil && !recordsMappings && !isForwardProxy && !printsTraffic && !verbose }
}
