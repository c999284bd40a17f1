import SDBasics

/// A row of the option table, from which parsing, help, completion, the manual page and the reference page are made.
public struct Option: Sendable {
    /// The long name, without the dashes.
    public let name: String
    /// The one-letter form, if there is one.
    public let short: Character?
    /// Other long names of the same option.
    public let aliases: [String]
    public let value: ValueKind
    /// Whether the value may be omitted. The next argument is then taken only if it is a valid value.
    public let valueIsOptional: Bool
    /// The name of the value in the help.
    public let placeholder: String
    /// The default as a user would write it; nil if there is none.
    public var defaultText: String? { makeDefaultText() }
    let makeDefaultText: @Sendable () -> String?
    public let group: OptionGroup
    /// The help, of one or more sentences; the first one is used alone in a completion menu.
    public let help: String
    public let support: OptionSupport
    /// Whether WireMock 3 or 4 has an option of this name.
    public let isWireMock: Bool
    public let commands: [CommandName]
    /// Whether a command has the option. `run`, `mcp`, `mock` and `proxy` start a daemon, so they have its options.
    func belongs(to command: CommandName) -> Bool {
        if commands.contains(command) { return true }
        return ([.run, .mcp].contains(command) || CommandName.ofPrism.contains(command)) && commands.contains(.serve)
            && !OptionTable.isOverridden(name)
    }

    let assign: @Sendable (inout Settings, OptionValue) -> Void
    /// The allowed words for each command that accepts fewer than all.
    private(set) var wordsOfCommands: [CommandName: [String]] = [:]

    /// The allowed words; nil if other text is allowed too.
    func words(for command: CommandName) -> [String]? {
        guard case .choice(let words) = value else { return nil }
        return wordsOfCommands[command] ?? words
    }

    /// The words that completion offers for the value, or for a list element.
    func offers(for command: CommandName) -> [String]? {
        switch value {
        case .list(.failReason): FailReason.allCases.filter { $0 != .slow }.map(\.rawValue) + ["none"]
        case .list(.word(let words)): words
        default: words(for: command)
        }
    }

    /// The help in each command for which the general one says too much.
    private(set) var helpOfCommands: [CommandName: String] = [:]

    func help(for command: CommandName?) -> String {
        command.flatMap { helpOfCommands[$0] } ?? help
    }

    /// The row with another text in the help of some commands.
    func saying(_ text: String, in commands: CommandName...) -> Option {
        var row = self
        for command in commands { row.helpOfCommands[command] = text }
        return row
    }

    /// The default in the help of each command that has another one.
    private(set) var defaultsOfCommands: [CommandName: String] = [:]

    /// The default as the help of a command states it; nil if there is none.
    func defaultText(for command: CommandName?) -> String? {
        command.flatMap { defaultsOfCommands[$0] } ?? defaultText
    }

    /// The row with another default in the help of some commands.
    func defaulting(to text: String, in commands: CommandName...) -> Option {
        var row = self
        for command in commands { row.defaultsOfCommands[command] = text }
        return row
    }

    /// The row with fewer allowed words for some commands.
    func taking<Choice: CaseIterable & RawRepresentable>(
        _ choice: Choice.Type, of commands: CommandName...
    ) -> Option where Choice.RawValue == String {
        var row = self
        for command in commands { row.wordsOfCommands[command] = Choice.allCases.map(\.rawValue) }
        return row
    }

    /// The environment variable used if the option is not on the command line.
    public var environmentName: String? {
        guard group != .general, group != .authority else { return nil }
        return Option.environmentPrefix
            + String(decoding: name.uppercased().utf8.map { $0 == 0x2d ? 0x5f : $0 }, as: UTF8.self)
    }

    static let environmentPrefix = "STUNTDOUBLE_"

    /// The name of the opposite of a flag: `--no-verbose`, and `--watch` for `--no-watch`.
    var inverseName: String? {
        guard case .flag = value, case .served = support, group != .general, group != .authority else { return nil }
        return name.hasPrefix("no-") ? String(name.dropFirst(3)) : "no-" + name
    }

    /// `--port PORT`, or `--verbose`.
    public var usage: String {
        if value == .flag { return "--\(name)" }
        return valueIsOptional ? "--\(name)[=\(placeholder)]" : "--\(name) \(placeholder)"
    }

    var isServed: Bool {
        if case .served = support { true } else { false }
    }
}

/// The level of support for an option.
public enum OptionSupport: Sendable, Hashable {
    case served
    /// Accepted with a notice of why it has no effect: it tunes the JVM, or turns off a feature that does not exist.
    case withoutEffect(String)
    /// Rejected with this reason as a usage error: it asks for a feature that does not exist.
    case refused(String)
}

/// The sections of the help, in their order.
public enum OptionGroup: String, Sendable, Hashable, CaseIterable {
    case listening = "Listening"
    case https = "HTTPS and HTTP/2"
    case stubs = "Stubs and responses"
    case upstream = "Other servers"
    case recording = "Recording"
    case limits = "Limits and timeouts"
    case admin = "Admin API"
    case replicas = "Several replicas"
    case journal = "Request journal"
    case process = "Logs and process"
    case validation = "Validation"
    case questions = "Questions"
    case running = "Running a command"
    case verdict = "Verdict"
    case authority = "Certificate authority"
    case general = "General"
    case wireMock = "WireMock"
}

/// The settings that the table's rows write to.
struct Settings: Sendable, Equatable {
    /// The names of the options of the command line.
    var given: Set<String> = []
    var serve = ServeOptions()
    var validate = ValidateOptions()
    var query = QueryOptions()
    var authority = AuthorityOptions()
    var record = RecordOptions()
    var run = RunOptions()
    var report = ReportOptions()
    var top = TopOptions()
    var convert = ConvertOptions()
    var check = CheckOptions()
    var doctor = DoctorOptions()
    var agents = AgentOptions()
    var verdict = VerdictOptions()
    var hosts: [String] = []
    /// The value of `--format`; its meaning depends on the command.
    var format: String?
    var rootDirectory: String?
    /// The values of `--report` and `--timeout`.
    var writtenReports: [String] = []
    var timeout: Duration?
    /// Whether `--json` asks for JSON results and errors.
    var wantsJSON = false
    var wantsHelp = false
    var wantsVersion = false

    /// The folder of `--root-dir` on the command line.
    var givenRoot: String? { given.contains("root-dir") ? rootDirectory : nil }

    /// What is asked of a daemon, with the credentials for its admin API.
    var credentialedQuery: QueryOptions {
        var query = query
        (query.adminToken, query.adminBasicAuth) = (serve.adminToken, serve.adminBasicAuth)
        return query
    }

    /// The server options for commands that examine stubs without serving them.
    var servedBy: ServeOptions {
        var options = ServeOptions()
        options.verbose = serve.verbose
        options.templating = serve.templating
        options.globalTemplating = serve.globalTemplating
        options.readsRemoteDocuments = serve.readsRemoteDocuments
        options.callsOthers = serve.callsOthers
        options.allowedProxyTargets = serve.allowedProxyTargets
        options.deniedProxyTargets = serve.deniedProxyTargets
        return options
    }
}
