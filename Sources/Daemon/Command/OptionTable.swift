/// All options, including WireMock's.
public enum OptionTable {
    /// Every option, in the order of the help.
    public static let options: [Option] =
        listening + stubs + limits + admin + journal + process + validation + questions + general + wireMock

    private static let listening: [Option] = [
        .integer(
            "port", short: "p", 0...65_535, "PORT", \.serve.port, .listening, wireMock: true,
            "The TCP port to listen on. 0 lets the system choose; the ready line tells which."),
        .list(
            "bind-address", .address, "ADDRESS", \.serve.bindAddresses, .listening, wireMock: true,
            "The IPv4 or IPv6 address to listen on; repeatable. 0.0.0.0 and :: are all addresses of the machine. "
                + "WireMock listens on all of them by default."),
        .path(
            "unix-socket", .socketPath, "PATH", \.serve.unixSocket, .listening,
            "Listen on a Unix socket too."),
        .integer(
            "workers", 1...256, "N", \.serve.workers, .listening,
            "Event loops, each on a thread of its own."),
        .integer(
            "max-connections", 0...10_000_000, "N", \.serve.maxConnections, .listening,
            "Connections open at one time. 0 takes the system's limit of open files, less what the daemon itself needs."
        ),
    ]

    private static let stubs: [Option] = [
        .path(
            "root-dir", .folder, "DIR", \.rootDirectory, .stubs, wireMock: true,
            commands: [.serve, .validate, .explain, .routes],
            "Serve DIR as WireMock does: DIR/mappings and DIR/__files alone, made where they are missing."),
        .flag(
            "no-watch", \.serve.watch, sets: false, .stubs,
            "Do not watch the folder: changed files are read on SIGHUP or a reset only."),
        .flag(
            "keep-going", \.serve.keepsGoing, .stubs,
            "Serve the good stubs where others are bad, and log each error. Without it a bad stub file stops the start."
        ),
        .custom(
            "seed", .integer(0...Int.max), "N", .stubs,
            "Replay random delays: the same seed gives the same sequence."
        ) { settings, value in
            if case .integer(let seed) = value { settings.serve.seed = seed }
        },
        .path(
            "filename-template", .text, "TEMPLATE", \.serve.filenameTemplate, .stubs, wireMock: true,
            "How saved stubs are named: text with {{{name}}}, {{{method}}}, {{{url}}}, {{{id}}} and {{#if}}, ending with .json."
        ),
        .flag(
            "disable-gzip", \.serve.gzip, sets: false, .stubs, wireMock: true,
            "Never compress a response, whatever the client accepts."),
        .flag(
            "enable-stub-cors", \.serve.stubCORS, .stubs, wireMock: true,
            "Send CORS headers with stub responses and answer preflight requests."),
        .choice(
            "use-chunked-encoding", "POLICY", \.serve.chunkedEncoding, .stubs, wireMock: true,
            "When to send a response chunked: always, never, or for body files only."),
    ]

    private static let limits: [Option] = [
        .size(
            "max-head-size", aliases: ["jetty-header-request-size", "jetty-header-buffer-size"],
            256...(1 << 30), \.serve.maxHeadSize, .limits,
            "The largest request head; a larger one is answered 431."),
        .size(
            "max-target-size", 64...(1 << 30), \.serve.maxTargetSize, .limits,
            "The longest request target; a longer one is answered 414."),
        .size(
            "max-body-size", 0...(1 << 40), \.serve.maxBodySize, .limits,
            "The largest request body; a larger one is answered 413."),
        .duration(
            "head-timeout", \.serve.headTimeout, .limits,
            "How long a request head may take to arrive; a slower one is answered 408."),
        .duration(
            "body-timeout", \.serve.bodyTimeout, .limits,
            "How long a request body may take, and one second more for each KiB of it; a slower one is answered 408."),
        .duration(
            "idle-timeout", \.serve.idleTimeout, .limits,
            "How long a connection may stay open without a request."),
        .duration(
            "drain-timeout", \.serve.drainTimeout, .limits,
            "How long to wait, after SIGTERM or SIGINT, for responses in flight."),
        .milliseconds(
            "jetty-idle-timeout", \.serve.idleTimeout, .limits, "WireMock's form of --idle-timeout, in milliseconds."),
        .milliseconds(
            "jetty-stop-timeout", \.serve.drainTimeout, .limits,
            "WireMock's form of --drain-timeout, in milliseconds."),
    ]

    private static let admin: [Option] = [
        .custom(
            "admin-api-basic-auth", .credentials, "USER:PASSWORD", .admin, wireMock: true,
            commands: [.serve, .explain, .routes],
            "Require HTTP Basic authentication for the admin API; to a question, what the daemon requires."
        ) { settings, value in
            if case .credentials(let credentials) = value { settings.serve.adminBasicAuth = credentials }
        },
        .path(
            "admin-token", .secret, "TOKEN", \.serve.adminToken, .admin, commands: [.serve, .explain, .routes],
            "Require `Authorization: Bearer TOKEN` for the admin API; to a question, what the daemon requires."),
        .list(
            "admin-cors", .origin, "ORIGIN", \.serve.adminOrigins, .admin,
            "Let web pages of this origin call the admin API; repeatable. * is any origin."),
        .list(
            "admin-host", .hostName, "NAME", \.serve.adminHosts, .admin,
            "Answer admin requests for this Host name too; repeatable. Loopback names always work."),
    ]

    private static let journal: [Option] = [
        .flag(
            "no-request-journal", \.serve.journal, sets: false, .journal, wireMock: true,
            "Keep no journal: requests cannot be listed, counted or verified."),
        .integer(
            "max-request-journal-entries", 0...1_000_000_000, "N", \.serve.maxJournalEntries, .journal, wireMock: true,
            "Requests the journal keeps; the oldest leave first. WireMock sets no limit by default."),
        .size(
            "max-request-journal-size", 0...(1 << 40), \.serve.maxJournalSize, .journal,
            "Memory the journal may take; the oldest requests leave first."),
        .size(
            "journal-body-limit", 0...(1 << 40), \.serve.journalBodyLimit, .journal,
            "Keep no more than this of a request's body, or of a body file that was sent; what is cut is marked."),
        .custom(
            "logged-response-body-size-limit", .size(0...(1 << 40)), "SIZE", .journal, wireMock: true,
            "Show no more than this of a response's body in the journal."
        ) { settings, value in
            if case .integer(let bytes) = value { settings.serve.loggedResponseBodyLimit = bytes }
        },
        .flag(
            "redact", \.serve.redacts, .journal,
            "Hide Authorization, Cookie and Set-Cookie in logs, HAR and curl."),
        .list(
            "redact-name", .text, "NAME", \.serve.redactedNames, .journal,
            "Hide this header or query parameter too; repeatable. Implies --redact."),
    ]

    private static let process: [Option] = [
        .flag(
            "verbose", short: "v", \.serve.verbose, .process, wireMock: true, commands: [.serve, .validate],
            "Log one line a request, what unmatched ones came near to, files that are skipped, and more."),
        .flag(
            "disable-request-logging", \.serve.requestLogging, sets: false, .process, wireMock: true,
            "With --verbose: no line a request."),
        .choice(
            "log-format", "FORMAT", \.serve.logFormat, .process,
            "Write logs and the ready line as text, or as one JSON object a line."),
        .path(
            "port-file", .file, "FILE", \.serve.portFile, .process,
            "Write the port into FILE when ready, or fail; an old FILE is removed first, and this one at exit."),
        .flag(
            "exit-with-parent", \.serve.exitWithParent, .process,
            "End when the parent does: when standard input closes if it is a pipe, socket or terminal, else with the parent process."
        ),
    ]

    private static let validation: [Option] = [
        .choice(
            "format", "FORMAT", \.validate.format, .validation, commands: [.validate, .explain, .routes],
            "Print as text, or as JSON."),
        .flag(
            "strict", \.validate.strict, .validation, commands: [.validate],
            "Count warnings as errors."),
    ]

    private static let questions: [Option] = [
        .custom(
            "url", .serverURL, "URL", .questions, commands: [.explain, .routes],
            "Ask the daemon that runs there, and not a folder. A path is that of a session: http://127.0.0.1:8080/__session/ID."
        ) { settings, value in
            if case .text(let text) = value { settings.query.server = ServerURL(text) }
        },
        .custom(
            "header", short: "H", .header, "NAME: VALUE", .questions, commands: [.explain],
            "A header of the request; repeatable."
        ) { settings, value in
            if case .list(let lines) = value { settings.query.headers = lines.compactMap { RequestHeader($0) } }
        },
        .path(
            "data", short: "d", .text, "TEXT", \.query.data, .questions, commands: [.explain],
            "The body of the request, a form unless a header says otherwise; @FILE takes it from a file, @- from "
                + "standard input."),
    ]

    private static let general: [Option] = [
        .flag(
            "help", short: "h", \.wantsHelp, .general, wireMock: true, commands: Set(CommandName.allCases),
            "Print the help and exit."),
        .flag(
            "version", short: "V", \.wantsVersion, .general, wireMock: true, commands: Set(CommandName.allCases),
            "Print the version and exit."),
    ]
}
