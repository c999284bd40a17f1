import SDBasics
import SDStubModel

/// All options, including WireMock's.
public enum OptionTable {
    /// Every option, in the order of the help.
    public static let options: [Option] =
        [
            listening, https, stubs, upstream, recordMappings, recording, limits, admin, replicas, journal, process,
            result,
            validation, questions, verdict, run, report, top, convert, check, doctor, agents, authority, general,
            wireMock,
        ]
        .flatMap(\.self)

    /// Whether `run` has its own option of this name, with another meaning than WireMock's.
    static func isOverridden(_ name: String) -> Bool { name == "timeout" }
    static let commandsWithOverrides: [CommandName] = [.run, .wait, .stop, .check]

    private static let listening: [Option] = [
        .integer(
            "port", short: "p", 0...65_535, "PORT", \.serve.port, .listening, wireMock: true,
            commands: [.serve, .record, .doctor],
            "The TCP port to listen on. 0 lets the system choose; the ready line shows the choice."
        )
        .defaulting(to: "a free port", in: .run, .mcp),
        .list(
            "bind-address", .address, "ADDRESS", \.serve.bindAddresses, .listening, wireMock: true,
            commands: [.serve, .record],
            "The IPv4 or IPv6 address to listen on; repeatable. 0.0.0.0 and :: mean all addresses of the machine. "
                + "WireMock listens on all of them by default."),
        .path(
            "unix-socket", .socketPath, "PATH", \.serve.unixSocket, .listening,
            "Also listen on a Unix socket."),
        .integer(
            "workers", 1...256, "N", \.serve.workers, .listening,
            "The number of event loops, each on its own thread."),
        .integer(
            "max-connections", 0...10_000_000, "N", \.serve.maxConnections, .listening,
            "The maximum number of open connections; further clients replace idle ones, or wait. 0 means the system's limit on "
                + "open files, less those the daemon needs."
        ),
    ]

    private static let https: [Option] = [
        .custom(
            "https-port", .integer(0...65_535), "PORT", .https, wireMock: true,
            "The TCP port for HTTPS, at every bind address. 0 lets the system choose; the ready line shows the choice."
        ) { settings, value in
            if case .integer(let port) = value { settings.serve.httpsPort = port }
        },
        .flag(
            "disable-http", \.serve.http, sets: false, .https, wireMock: true,
            "Listen for HTTPS only, without --port."),
        .choice(
            "tls", "WHEN", \.serve.portSecurity, .https,
            "With auto, --port also accepts HTTPS: the first byte of a connection tells which protocol it uses."),
        .path(
            "https-keystore", .file, "FILE", \.serve.keyStore, .https, wireMock: true,
            "The certificate with its chain and key: PEM, PKCS#12 or JKS. Without it, a local authority issues "
                + "certificates for any name; see `stuntdouble ca`."),
        .storeType(
            "keystore-type", \.serve.keyStoreType,
            "The format of --https-keystore; by default detected from its content."),
        .path(
            "keystore-password", .password, "PASSWORD", \.serve.keyStorePassword, .https, wireMock: true,
            "The password of --https-keystore, or of the key in a PEM file. WireMock's default is `password`."),
        .path(
            "key-manager-password", .password, "PASSWORD", \.serve.keyPassword, .https, wireMock: true,
            "The password of the key in --https-keystore, if it differs. Without this option, `password` is tried too."
        ),
        .path(
            "https-truststore", .file, "FILE", \.serve.trustStore, .https, wireMock: true, commands: [.serve, .record],
            "The authorities of client certificates: PEM, PKCS#12 or JKS. Clients are asked for a certificate, which "
                + "is optional. A key in the file is the client certificate for calls to other servers."),
        .storeType(
            "truststore-type", \.serve.trustStoreType, commands: [.serve, .record],
            "The format of --https-truststore; by default detected from its content."
        ),
        .path(
            "truststore-password", .password, "PASSWORD", \.serve.trustStorePassword, .https, wireMock: true,
            commands: [.serve, .record],
            "The password of --https-truststore. WireMock's default is `password`."),
        .flag(
            "https-require-client-cert", \.serve.requiresClientCertificate, .https, wireMock: true,
            "Refuse clients without a certificate of an authority in --https-truststore."),
        .flag(
            "disable-http2-plain", \.serve.plainHTTP2, sets: false, .https, wireMock: true,
            "Do not speak HTTP/2 without TLS."),
        .flag(
            "disable-http2-tls", \.serve.securedHTTP2, sets: false, .https, wireMock: true,
            "Do not offer HTTP/2 over TLS."),
    ]

    private static let stubs: [Option] = [
        .path(
            "root-dir", .folder, "DIR", \.rootDirectory, .stubs, wireMock: true,
            commands: [.serve, .validate, .explain, .routes],
            "Serve DIR as WireMock does: only DIR/mappings and DIR/__files, which are created if they do not exist."),
        .flag(
            "no-watch", \.serve.watch, sets: false, .stubs,
            "Do not watch the folder: read changed files only on SIGHUP or a reset."),
        .flag(
            "keep-going", \.serve.keepsGoing, .stubs,
            "Serve the valid stubs even if others are invalid, and log each error. By default an invalid stub file is fatal."
        ),
        .custom(
            "seed", .integer(0...Int.max), "N", .stubs,
            "The seed for random delays, responses and template values: the same seed gives the same sequence."
        ) { settings, value in
            if case .integer(let seed) = value { settings.serve.seed = seed }
        },
        .custom(
            "time-scale", .factor(0...1000), "FACTOR", .stubs,
            "Multiply every delay by this factor: 0.1 turns 1 s into 100 ms. Applies to delays, dribbles, stalls, "
                + "gaps, slow closes and bandwidths; a session's setting timeScale takes precedence."
        ) { settings, value in
            if case .factor(let factor) = value { settings.serve.timeScale = factor }
        },
        .flag(
            "global-response-templating", \.serve.globalTemplating, .stubs, wireMock: true,
            commands: [.serve, .validate, .explain, .check, .convert],
            "Render the templates of every response, not only of those that name the transformer response-template."),
        .flag(
            "disable-response-templating", \.serve.templating, sets: false, .stubs, wireMock: true,
            commands: [.serve, .validate, .explain, .check],
            "Render no templates."),
        .list(
            "permitted-system-keys", .text, "REGEX", \.serve.permittedSystemKeys, .stubs, wireMock: true,
            "The environment variables that templates may read; repeatable. The default is wiremock.*."),
        .integer(
            "max-state-entries", 0...1_000_000_000, "N", \.serve.maxStateEntries, .stubs,
            "The maximum number of contexts, properties and records in the state of a session."),
        .size(
            "max-state-size", 0...(1 << 40), \.serve.maxStateSize, .stubs,
            "The maximum size of the state of a session."),
        .path(
            "filename-template", .text, "TEMPLATE", \.serve.filenameTemplate, .stubs, wireMock: true,
            "The file names of saved stubs: text with {{{name}}}, {{{method}}}, {{{url}}}, {{{id}}} and {{#if}}, ending in .json."
        ),
        .flag(
            "disable-gzip", \.serve.gzip, sets: false, .stubs, wireMock: true,
            "Never compress responses, even if the client accepts gzip."),
        .flag(
            "enable-stub-cors", \.serve.stubCORS, .stubs, wireMock: true,
            "Send CORS headers with stub responses and answer preflight requests."),
        .choice(
            "openapi-answers", "SOURCE", \.serve.openAPIAnswers, .stubs,
            "The source of response bodies for OpenAPI documents: their examples, or always generated from schemas."),
        .choice(
            "openapi-validate", "MODE", \.serve.openAPIValidation, .stubs,
            "What to do with requests that violate an OpenAPI document: warn reports them in the journal, the log "
                + "and the report; enforce rejects them."),
        .flag(
            "openapi-remote", \.serve.readsRemoteDocuments, .stubs, commands: [.serve, .validate, .importArchive],
            "Fetch the URLs that OpenAPI documents refer to, when the documents are read; only from servers that may "
                + "be called."),
        .choice(
            "use-chunked-encoding", "POLICY", \.serve.chunkedEncoding, .stubs, wireMock: true,
            "When to send a response chunked: always, never, or for body files only."),
    ]

    private static let limits: [Option] = [
        .size(
            "max-head-size", aliases: ["jetty-header-request-size", "jetty-header-buffer-size"],
            256...(1 << 30), \.serve.maxHeadSize, .limits,
            "The maximum size of a request head; a larger one gets a 431."),
        .size(
            "max-target-size", 64...(1 << 30), \.serve.maxTargetSize, .limits,
            "The maximum length of a request target; a longer one gets a 414."),
        .size(
            "max-body-size", 0...(1 << 40), \.serve.maxBodySize, .limits,
            "The maximum size of a request body; a larger one gets a 413."),
        .duration(
            "head-timeout", \.serve.headTimeout, .limits,
            "The maximum time for a request head to arrive; a slower one gets a 408."),
        .duration(
            "body-timeout", \.serve.bodyTimeout, .limits,
            "The maximum time for a request body to arrive, plus one second for each KiB of it; a slower one gets a 408."
        ),
        .duration(
            "body-idle-timeout", \.serve.bodyIdleTimeout, .limits,
            "The maximum time without a byte of a request body, once --body-timeout has passed; a longer silence gets a 408."
        ),
        .duration(
            "idle-timeout", \.serve.idleTimeout, .limits,
            "The maximum time that a connection may stay open without a request."),
        .milliseconds(
            "websocket-idle-timeout", \.serve.webSocketIdleTimeout, .limits,
            "The maximum time, in milliseconds, without a byte on a WebSocket; 300000 by default, 0 for no limit."),
        .custom(
            "websocket-max-text-message-size", .size(0...(1 << 40)), "SIZE", default: "10MiB", .limits, wireMock: true,
            "The maximum size of a text message on a WebSocket; 0 for no limit."
        ) { settings, value in
            if case .integer(let bytes) = value { settings.serve.webSocketTextLimit = bytes }
        },
        .custom(
            "websocket-max-binary-message-size", .size(0...(1 << 40)), "SIZE", default: "10MiB", .limits,
            wireMock: true,
            "The maximum size of a binary message on a WebSocket; 0 for no limit."
        ) { settings, value in
            if case .integer(let bytes) = value { settings.serve.webSocketBinaryLimit = bytes }
        },
        .integer(
            "max-sessions", 0...10_000_000, "N", \.serve.maxSessions, .limits,
            "The maximum number of sessions besides the default one; further ones are rejected with 503."),
        .custom(
            "max-memory", .size((16 << 20)...(1 << 40)), "SIZE", .limits,
            "The maximum memory of the journals, cached body files, and requests and responses in flight; beyond it "
                + "caches are dropped, then the oldest requests of the journals, then the slowest readers. The default "
                + "is 512MiB, or half of the control group's limit if that is less."
        ) { settings, value in
            if case .integer(let bytes) = value { settings.serve.maxMemory = bytes }
        },
        .integer(
            "match-budget", 1...3_600_000, "MS", \.serve.matchBudget, .limits,
            "The maximum processor time, in milliseconds, to match one request; one that takes more gets a 500."),
        .duration(
            "drain-timeout", \.serve.drainTimeout, .limits,
            "The maximum time to wait for responses in flight after SIGTERM or SIGINT."),
        .milliseconds(
            "jetty-idle-timeout", \.serve.idleTimeout, .limits, "WireMock's form of --idle-timeout, in milliseconds."),
        .milliseconds(
            "jetty-stop-timeout", \.serve.drainTimeout, .limits,
            "WireMock's form of --drain-timeout, in milliseconds."),
    ]

    private static let admin: [Option] = [
        .custom(
            "admin-api-basic-auth", .credentials, "USER:PASSWORD", .admin, wireMock: true,
            commands: [.serve, .explain, .routes, .report, .top, .stop],
            "Require HTTP Basic authentication for the admin API; with --url, the credentials to send."
        ) { settings, value in
            if case .credentials(let credentials) = value { settings.serve.adminBasicAuth = credentials }
        },
        .path(
            "admin-token", .secret, "TOKEN", \.serve.adminToken, .admin,
            commands: [.serve, .explain, .routes, .report, .top, .stop],
            "Require `Authorization: Bearer TOKEN` for the admin API; with --url, the token to send."),
        .custom(
            "admin-port", .integer(0...65_535), "PORT", .admin,
            "Serve the admin API and its page on this port only, at every bind address, so that mock responses never "
                + "share their origin. 0 lets the system choose; the log shows the choice."
        ) { settings, value in
            if case .integer(let port) = value { settings.serve.adminPort = port }
        },
        .flag(
            "admin-api-require-https", \.serve.adminRequiresHTTPS, .admin, wireMock: true,
            "Serve the admin API over HTTPS only; plain HTTP gets a 403."),
        .list(
            "admin-cors", .origin, "ORIGIN", \.serve.adminOrigins, .admin,
            "Let web pages of this origin, or of a pattern, call the admin API; repeatable. * allows any origin."),
        .list(
            "admin-host", .hostName, "NAME", \.serve.adminHosts, .admin,
            "Also answer admin requests for this public Host name, or with *.NAME for all below it; repeatable. * allows any. "
                + "Addresses, names without a dot and local ones always work."),
        .flag(
            "mcp", \.serve.servesAgents, .admin,
            "Serve tools for agents (MCP) at /__admin/mcp, to callers that the admin API admits."),
    ]

    private static let replicas: [Option] = [
        .path(
            "shared", .secret, "URL", \.serve.shared, .replicas, commands: [.serve, .doctor],
            "Act as one mock server together with other daemons, through a Valkey or Redis server (6 or newer): "
                + "redis://[USER:PASSWORD@]HOST:PORT/DATABASE or valkey://, over TLS rediss:// or valkeys://, or "
                + "unix:///PATH[?db=N]. doctor checks that server."),
        .custom(
            "shared-name", .text, "NAME", default: ServeOptions.usualSharedName, .replicas,
            commands: [.serve, .doctor],
            "The name shared by these daemons: letters, digits, dots, dashes and underscores. Daemons with different "
                + "names are independent."
        ) { settings, value in
            if case .text(let text) = value { settings.serve.sharedName = text }
        },
    ]

    private static let journal: [Option] = [
        .flag(
            "no-request-journal", \.serve.journal, sets: false, .journal, wireMock: true,
            "Keep no journal: requests cannot be listed, counted or verified."),
        .integer(
            "max-request-journal-entries", 0...1_000_000_000, "N", \.serve.maxJournalEntries, .journal, wireMock: true,
            "The maximum number of requests in the journal; the oldest are dropped first. WireMock has no limit by default."
        ),
        .size(
            "max-request-journal-size", 0...(1 << 40), \.serve.maxJournalSize, .journal,
            "The maximum memory for the journal; the oldest requests are dropped first."),
        .size(
            "journal-body-limit", 0...(1 << 40), \.serve.journalBodyLimit, .journal,
            "The maximum size recorded of a request's body, or of a sent body file; truncated bodies are marked."),
        .custom(
            "logged-response-body-size-limit", .size(0...(1 << 40)), "SIZE", .journal, wireMock: true,
            "The maximum size shown of a response's body in the journal."
        ) { settings, value in
            if case .integer(let bytes) = value { settings.serve.loggedResponseBodyLimit = bytes }
        },
        .flag(
            "redact", \.serve.redacts, .journal, commands: [.serve, .record, .importArchive],
            "Hide passwords, tokens, cookies and other secrets in logs, exports, events and reports."),
        .list(
            "redact-name", .text, "NAME", \.serve.redactedNames, .journal, commands: [.serve, .record, .importArchive],
            "Also hide this header, parameter or member of bodies; repeatable. Implies --redact."),
    ]

    private static let process: [Option] = [
        .flag(
            "verbose", short: "v", \.serve.verbose, .process, wireMock: true, commands: [.serve, .validate],
            "Log one line per request, the nearest stubs of unmatched requests, skipped files, and more."),
        .flag(
            "disable-request-logging", \.serve.requestLogging, sets: false, .process, wireMock: true,
            "With --verbose, do not log a line per request."),
        .flag(
            "print-all-network-traffic", \.serve.printsTraffic, .process, wireMock: true,
            "Log the head and body of each request for a stub and of its response, as lines of the level debug."),
        .choice(
            "log-format", "FORMAT", \.serve.logFormat, .process,
            "The format of logs and the ready line: text, or one JSON object per line."),
        .path(
            "port-file", .file, "FILE", \.serve.portFile, .process,
            "Write the port to FILE when ready, or fail; an old FILE is removed at the start, and this one at exit. "
                + "The HTTPS port follows on its own line; with --disable-http it is the only one."),
        .path(
            "state-dir", .folder, "DIR", \.serve.stateFolder, .process, commands: [.serve, .ca, .doctor],
            "The folder of the local certificate authority, created when needed. By default "
                + "~/.local/state/stuntdouble, and on macOS ~/Library/Application Support/stuntdouble."),
        .flag(
            "exit-with-parent", \.serve.exitWithParent, .process,
            "Exit when standard input closes if it is a pipe, socket or terminal, otherwise when the parent process exits."
        ),
        .flag(
            "reload-on-hup", \.serve.reloadsOnHangUp, .process,
            "Always reload the stub files on SIGHUP. Without this option, SIGHUP stops a daemon that has a "
                + "controlling terminal, and is ignored under nohup."),
    ]

    private static let result: [Option] = [
        .flag(
            "json", \.wantsJSON, .process, commands: CommandName.allCases,
            "Print the result as one JSON document. Errors are JSON too, on standard error: {\"error\": "
                + "{\"message\": ...}}, with expected, found, nearest and fix if known. For serve it means "
                + "--log-format json.")
    ]

    private static let validation: [Option] = [
        .custom(
            "format", .choice(["text", "json", "yaml", "wiremock", "junit", "html", "github", "markdown"]), "FORMAT",
            .validation, commands: [.validate, .explain, .routes, .record, .importArchive, .convert, .report],
            "The output format: text (the default) or json; for report also junit, html, github or markdown. For "
                + "record, import and convert: yaml for routes (the default), or wiremock for mappings; convert "
                + "defaults to the format that the file does not have."
        ) { settings, value in
            if case .text(let text) = value { settings.format = text }
        }
        .saying("The output format, by default text.", in: .validate, .explain, .routes, .report)
        .saying(
            "The form of the stubs: routes in YAML (the default), or WireMock's mappings.", in: .record, .importArchive
        )
        .saying(
            "The form of the stubs: routes in YAML, or WireMock's mappings; by default the one that the file does not "
                + "have.", in: .convert
        )
        .taking(LogFormat.self, of: .validate, .explain, .routes).taking(ReportFormat.self, of: .report)
        .taking(RecordOptions.Format.self, of: .record, .importArchive, .convert),
        .path(
            "openapi", .file, "FILE", \.validate.contract, .validation, commands: [.validate],
            "Also validate the stubs against an OpenAPI document: an unknown path or status, or an invalid body, is "
                + "an error."
        ),
        .custom(
            "strict", .flag, "", .validation, commands: [.serve, .validate],
            "Treat warnings as errors. With serve, do not start if there are warnings about stub files, such as "
                + "findings about OpenAPI documents."
        ) { settings, value in
            guard case .flag(let isOn) = value else { return }
            settings.validate.strict = isOn
            settings.serve.isStrict = isOn
        },
    ]

    private static let questions: [Option] = [
        .custom(
            "url", .serverURL, "URL", .questions,
            commands: [.explain, .routes, .report, .top, .run, .wait, .stop, .mcp],
            "Query a running daemon instead of a folder; report, top, wait and stop take http://127.0.0.1:8080 by default. The path may name a session: http://127.0.0.1:8080/__session/ID."
        ) { settings, value in
            if case .text(let text) = value { settings.query.server = ServerURL(text) }
        },
        .custom(
            "header", short: "H", .header, "NAME: VALUE", .questions, commands: [.explain, .check],
            "A header of the request; for check, of all requests; repeatable."
        ) { settings, value in
            if case .list(let lines) = value { settings.query.headers = lines.compactMap { RequestHeader($0) } }
        },
        .path(
            "data", short: "d", .text, "TEXT", \.query.data, .questions, commands: [.explain],
            "The body of the request, a form unless a header states otherwise; @FILE reads it from a file, @- from "
                + "standard input."),
    ]

    private static let authority: [Option] = [
        .action("path", .path, "Print the path of the certificate's file instead of the certificate."),
        .action(
            "install", .install,
            "Make the system, and Chromium on Linux, trust the authority; print each step before it is done."),
        .action("uninstall", .uninstall, "Undo --install."),
    ]

    private static let general: [Option] = [
        .flag(
            "help", short: "h", \.wantsHelp, .general, wireMock: true, commands: CommandName.allCases,
            "Print the help and exit."),
        .flag(
            "version", short: "V", \.wantsVersion, .general, wireMock: true, commands: CommandName.allCases,
            "Print the version and exit."),
    ]
}
