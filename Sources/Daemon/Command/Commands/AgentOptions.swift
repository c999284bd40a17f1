import SDBasics

/// The options of `stuntdouble mcp`.
public struct AgentOptions: Sendable, Equatable {
    /// The mock server's options. Its port is 0 unless one is given.
    public var serve = ServeOptions()
    /// A running daemon to use instead of starting one; nil for none.
    public var server: ServerURL?
    /// The folder in which recordings may be written; nil for none.
    public var writeFolder: String?
    /// The daemon's log file; nil for none.
    public var logFile: String?

    public init() {}
}

extension OptionTable {
    /// The options that only `stuntdouble mcp` has.
    static let agents: [Option] = [
        .path(
            "write", .folder, "DIR", \.agents.writeFolder, .running, commands: [.mcp],
            "The folder where the tool record may write files; none by default. Existing files are never replaced.")
    ]
}

extension CommandLineParser {
    func agents(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> AgentOptions {
        var options = settings.agents
        options.serve = settings.serve
        options.logFile = settings.run.logFile
        options.server = try server(settings, operands)
        if options.server == nil {
            options.serve.root = try root(settings, operands, of: .mcp)
            try options.serve.checkSecurity(namesPort: settings.given.contains("port"))
            try check(options)
        }
        return options
    }

    /// Rejects options that would keep the tools from reaching their daemon.
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
