/// A parsed command line.
public enum Invocation: Sendable, Equatable {
    case serve(ServeOptions)
    case validate(ValidateOptions)
    case explain(QueryOptions)
    case routes(QueryOptions)
    case authority(AuthorityOptions)
    case record(RecordOptions)
    case importArchive(ImportOptions)
    case run(RunOptions)
    case report(ReportOptions)
    case top(TopOptions)
    case wait(WaitOptions)
    case stop(StopOptions)
    /// Writes a starter folder of stubs.
    case initialize(folder: String)
    case convert(ConvertOptions)
    case check(CheckOptions)
    case doctor(DoctorOptions)
    case schema
    case mcp(AgentOptions)
    case completion(Shell)
    case help(HelpTopic)
    case version
    /// Writes the generated pages to a folder. Hidden in the help: it is for developers who change the option table.
    case generateDocs(folder: String)
}

/// The options of `stuntdouble validate`.
public struct ValidateOptions: Sendable, Equatable {
    public var root = StubRoot.fallback
    /// Files and folders to check instead of `root`, in the order of the command line; may be empty.
    public var paths: [String] = []
    public var format = LogFormat.text
    /// The OpenAPI document to compare the stubs with; nil for none.
    public var contract: String?
    /// Whether warnings are errors.
    public var strict = false
    /// The options of the server that the stubs are for.
    public var serve = ServeOptions()

    public init() {}
}

/// The options of `stuntdouble ca`.
public struct AuthorityOptions: Sendable, Equatable {
    public enum Action: Sendable, Equatable {
        /// Prints the certificate.
        case show
        /// Prints the path of the certificate's file.
        case path
        case install
        case uninstall
    }

    public var action = Action.show
    /// The authority's folder; nil for the user's.
    public var stateFolder: String?

    public init() {}
}

/// The options of `stuntdouble record`.
public struct RecordOptions: Sendable, Equatable {
    public enum Format: String, Sendable, CaseIterable {
        case yaml
        case wiremock
    }

    /// The options of the recording server; its root is the output folder.
    public var serve = ServeOptions()
    public var target = ""
    public var folder: String?
    public var format = Format.yaml
    /// Whether the folder's stubs answer, and only unmatched requests are recorded.
    public var onlyUnmatched = false
    /// Whether latencies and gaps between events are recorded.
    public var keepsTiming = false
    /// The names of secrets, in addition to those that are always redacted.
    public var redacted: [String] = []
    var givenTarget: String?

    public init() {}
}

/// The options of `stuntdouble import`.
public struct ImportOptions: Sendable, Equatable {
    /// The source of imported stubs.
    public enum Kind: String, Sendable, CaseIterable {
        /// A HAR archive of a browser or a proxy.
        case har
        /// An OpenAPI or Swagger document.
        case openapi
    }

    public var kind = Kind.har
    /// The archive or document.
    public var file = ""
    /// The output folder.
    public var folder = StubRoot.usual.path
    public var format = RecordOptions.Format.yaml
    /// The hosts whose exchanges are imported; empty for all.
    public var hosts: [String] = []
    /// The names of secrets, in addition to those that are always redacted.
    public var redacted: [String] = []
    /// The options for reading the URLs that a document refers to.
    public var serve = ServeOptions()

    public init() {}
}

public enum Shell: String, Sendable, Hashable, CaseIterable {
    case bash
    case zsh
    case fish
}

/// The commands a user can name.
public enum CommandName: String, Sendable, Hashable, CaseIterable {
    case serve
    case mock
    case proxy
    case validate
    case explain
    case routes
    case record
    case importArchive = "import"
    case run
    case report
    case top
    case wait
    case stop
    case initialize = "init"
    case convert
    case check
    case doctor
    case schema
    case mcp
    case ca
    case completion
    case version
    case help
    case generateDocs = "generate-docs"

    /// The commands that help and completion show.
    public static let shown: [CommandName] = [
        .serve, .mock, .proxy, .run, .report, .top, .wait, .stop, .initialize, .validate, .check, .convert, .schema,
        .explain, .routes, .record, .importArchive, .mcp, .doctor, .ca, .completion, .version, .help,
    ]
    /// The commands with options beyond the general ones.
    static let withOptions: [CommandName] = [
        .serve, .mock, .proxy, .run, .report, .top, .wait, .stop, .initialize, .validate, .check, .convert, .schema,
        .explain, .routes, .record, .importArchive, .mcp, .doctor, .ca,
    ]
    /// The commands that accept Prism's arguments; without a document after them, they are names of folders.
    static let ofPrism: Set<CommandName> = [.mock, .proxy]

    /// The summary in the list of commands.
    public var summary: String {
        switch self {
        case .serve: "Serve a folder of stubs (the default command)"
        case .mock: "Serve an OpenAPI document with the options of Prism"
        case .proxy: "Validate the traffic to a server against an OpenAPI document, with the options of Prism"
        case .validate: "Check stub files or folders without serving them"
        case .explain: "Show which stub answers a request and why, or how the nearest one differs"
        case .routes: "List the stubs of a folder or of a running daemon"
        case .record: "Record a server's responses as stubs in a folder"
        case .importArchive: "Make stubs from an archive (HAR) of a browser or proxy, or from an OpenAPI document"
        case .ca:
            "Print the local authority's certificate for HTTPS clients, or make the system trust it"
        case .run: "Run a command with a mock server, and give a verdict on its requests"
        case .report: "Report what a running daemon saw: unmatched requests, unused stubs, the verdict"
        case .top: "Watch a running daemon: requests as they come, unmatched ones, stubs, sessions"
        case .wait: "Wait until a server answers"
        case .stop: "Stop a running daemon"
        case .initialize: "Write a starter folder of stubs"
        case .convert: "Convert stub files to routes, or to WireMock's mappings"
        case .check: "Compare the stubs of a folder with a real server's responses"
        case .doctor: "Check this machine for the daemon's optional dependencies"
        case .schema: "Print the JSON Schema of stub files"
        case .mcp: "Give agents tools to steer a mock server, by MCP on standard input and output"
        case .completion: "Print a completion script for a shell"
        case .version: "Print the version"
        case .help: "Show help on a command or on WireMock's options"
        case .generateDocs: "Write the pages generated from the option table to a folder"
        }
    }

    /// The command's arguments in the usage line.
    public var synopsis: String {
        switch self {
        case .serve: "[serve] [DIR|FILE] [OPTIONS]"
        case .mock: "mock DOCUMENT [-p PORT] [-h HOST] [-d] [--errors] [OPTIONS]"
        case .proxy: "proxy DOCUMENT URL [-p PORT] [-h HOST] [--errors] [OPTIONS]"
        case .validate: "validate [DIR|FILE]... [--strict] [--format text|json]"
        case .explain: "explain METHOD URL [DIR|FILE] [--url URL] [-H HEADER]... [-d DATA] [--json]"
        case .routes: "routes [DIR|FILE] [--url URL] [--format text|json]"
        case .record:
            "record --target URL [--to DIR] [--port PORT] [OPTIONS]"
        case .importArchive:
            "import har|openapi FILE [--to DIR] [--host HOST]... [OPTIONS]"
        case .ca: "ca [--path|--install|--uninstall] [--state-dir DIR]"
        case .run: "run [DIR|FILE] [OPTIONS] -- COMMAND [ARGUMENT]..."
        case .report: "report [URL|PORT-FILE] [--format FORMAT] [--fail-on REASONS]"
        case .top: "top [URL|PORT-FILE] [--once] [--json] [--color WHEN]"
        case .wait: "wait [URL|PORT-FILE] [--timeout TIME]"
        case .stop: "stop [URL|PORT-FILE]"
        case .initialize: "init [DIR]"
        case .convert: "convert FILE|DIR... [--to DIR] [--format yaml|wiremock]"
        case .check: "check URL [DIR] [OPTIONS]"
        case .doctor: "doctor [--require PART]... [--port PORT]"
        case .schema: "schema"
        case .mcp: "mcp [DIR|FILE] [--url URL] [--write DIR] [OPTIONS]"
        case .completion: "completion bash|zsh|fish"
        case .version: "version"
        case .help: "help [COMMAND|wiremock]"
        case .generateDocs: "generate-docs DIR"
        }
    }
}

public enum HelpTopic: Sendable, Hashable {
    case overview
    case command(CommandName)
    /// The table of WireMock's options and how each is treated.
    case wireMock
}
