import SDBasics

/// The options of `stuntdouble mcp`.
public struct AgentOptions: Sendable, Equatable {
    /// Those of the mock server. Its port is 0 unless one was named.
    public var serve = ServeOptions()
    /// A running daemon to use in place of one of its own; nil for none.
    public var server: ServerURL?
    /// The folder that recordings may be written to; nil for none.
    public var writeFolder: String?
    /// The file for the log of the daemon; nil for none.
    public var logFile: String?
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble mcp` alone.
    static let agents: [Option] = [
        .path(
            "write", .folder, "DIR", \.agents.writeFolder, .running, commands: [.mcp],
            "The folder that the tool record may write files to; by default none. What is there is never replaced.")
    ]
}

extension CommandLineParser {
    func agents(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> AgentOptions {
        var options = settings.agents
        var notices = notices
        options.serve = settings.serve
        options.logFile = settings.run.logFile
        let given = scanner.occurrences.contains { $0.option.name == "root-dir" } ? settings.rootDirectory : nil
        options.server = try server(settings, operands.first ?? given, scanner)
        if options.server == nil {
            options.serve.root = try root(operands, option: given, variable: settings.rootDirectory, of: .mcp)
            let namesPort = scanner.occurrences.contains { $0.option.name == "port" }
            try options.serve.checkSecurity(namesPort: namesPort, notices: &notices)
            try check(options)
        }
        options.notices = notices
        return options
    }

    /// Refuses what would keep the tools from asking their daemon.
    private func check(_ options: AgentOptions) throws(CommandLineError) {
        if options.serve.adminRequiresHTTPS {
            throw .contradictory(
                "--admin-api-require-https", "mcp", reason: "it asks the daemon over plain HTTP on this machine")
        }
        if !options.serve.http {
            throw .contradictory("--disable-http", "mcp", reason: "it asks the daemon over plain HTTP on this machine")
        }
    }
}
