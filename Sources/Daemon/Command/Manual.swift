/// The text that help, manual page and reference page have besides the option table.
public enum Manual {
    public static let version = "0.1.0"

    static let tagline = "a local mock HTTP server that speaks WireMock's stub format and admin API"

    static let description = [
        "stuntdouble serves a folder of stubs: files that describe requests and the responses to them. It is controlled "
            + "through the admin API under /__admin on the same port.",
        "Without DIR, the folder mocks is served if it exists, otherwise the working folder in WireMock's layout, with "
            + "stubs in mappings and body files in __files. In a named folder, stubs are in mappings if it has such a "
            + "folder, otherwise anywhere in it. A stub file may be named in place of a folder.",
        "When the daemon is ready it writes one line to standard output. Logs go to standard error.",
    ]

    static let parsing =
        "Options may be abbreviated if the abbreviation is unambiguous; an abbreviation of a single WireMock option "
        + "always means that one. A value follows after a space or an equals sign. Flags have opposites that begin "
        + "with --no- (the opposite of --no-watch is --watch). If an option is given twice, the second one wins; "
        + "lists accumulate. -- ends the options."

    static let environment =
        "Each option can also be set by the variable shown with it; the command line takes precedence. A flag's "
        + "variable is true or false. An empty variable counts as unset. WIREMOCK_OPTIONS may hold more options, separated "
        + "by spaces, as for WireMock's container images; they have the lowest precedence."

    static let wireMockNote =
        "All options of WireMock 3.13 and 4.0 are recognized. Those above work under the same name. An option that "
        + "tunes the JVM, or turns off an unsupported feature, is accepted, and the log notes that it has no "
        + "effect. An option that requires an unsupported feature is rejected with exit status 2."

    static let differingDefaults =
        "Two defaults differ from WireMock's: the daemon binds 127.0.0.1 instead of all addresses, and its journal is "
        + "bounded."

    /// Example command lines with their meanings.
    public static let examples: [(command: String, meaning: String)] = [
        ("stuntdouble mocks", "Serve the folder mocks on port 8080"),
        ("stuntdouble --port 0 --port-file port.txt mocks", "Let the system choose the port, and read it from a file"),
        (
            "stuntdouble --bind-address 0.0.0.0 --admin-host ci.example mocks",
            "Serve other machines, and the admin API under a public name"
        ),
        ("stuntdouble --log-format json --verbose mocks", "Log each request as a JSON object"),
        ("stuntdouble users.yaml", "Serve one stub file, and reload it when it changes"),
        (
            "stuntdouble run mocks --fail-on unmatched -- npm test",
            "Run a command with a mock server, and fail it for unmatched requests"
        ),
        ("stuntdouble validate mocks", "Check the stubs without serving them"),
        ("stuntdouble explain POST /orders --data @order.json mocks", "Show which stub would answer, and why"),
        ("stuntdouble explain WS /chat --data hello mocks", "Show which message stub would act on a message"),
        ("stuntdouble routes --url http://127.0.0.1:8080", "List what a running daemon serves"),
        ("stuntdouble ca --install", "Make this machine trust the HTTPS certificates"),
        ("stuntdouble completion bash > /etc/bash_completion.d/stuntdouble", "Install completion for bash"),
    ]

    static let exitStatus: [(code: String, meaning: String)] = [
        (
            "0",
            "Stopped by a signal or the admin API, no problem found by validate, a stub or a body file found by explain, "
                + "or all stubs listed by routes"
        ),
        (
            "1",
            "A stub is invalid, an address cannot be bound, validate had nothing to check, explain or routes found "
                + "no stub, a reason of --fail-on applies to report, a stub differs for check, wait got no answer in "
                + "time, convert found errors or an existing file, doctor misses a required part, or ca could not "
                + "complete all steps"
        ),
        ("2", "The command line is invalid, or names a file or a daemon that does not exist"),
        (
            "3",
            "An event loop was blocked during shutdown, and the daemon exited after --drain-timeout. For check: no "
                + "stub differs, and not all could be compared. For report and top: no daemon answers"
        ),
        (
            "124, 125, 126, 127, 128 and more",
            "For run: the command was ended by --timeout, there is no mock server, the command cannot be executed, "
                + "the command was not found, it was ended by a signal. Otherwise the command's own status, or 1 if a "
                + "reason of --fail-on applies"
        ),
    ]

    static let signals: [(name: String, meaning: String)] = [
        (
            "SIGTERM, SIGINT",
            "Stop accepting, finish the responses in flight within --drain-timeout, and exit; the log says what is "
                + "still pending"
        ),
        ("a second SIGTERM or SIGINT", "Exit at once"),
        (
            "SIGHUP",
            "Without a controlling terminal, or with --reload-on-hup: reload the stub files. With a terminal, which "
                + "was closed: like SIGTERM. Ignored under nohup"
        ),
    ]

    static let otherVariables: [(name: String, meaning: String)] = [
        ("WIREMOCK_OPTIONS", "More options, separated by spaces"),
        (
            "XDG_STATE_HOME",
            "The user's state folder, instead of ~/.local/state: its subfolder stuntdouble has the local certificate "
                + "authority"
        ),
        (
            "SSL_CERT_FILE",
            "The file with the authorities that are trusted for other servers, instead of the system's: for servers "
                + "that stubs call, and the server that replicas share"
        ),
        ("NOTIFY_SOCKET", "The service manager's socket, notified when the daemon is ready and when it stops"),
    ]

    /// The generated pages of `docs/`, by file name.
    public static var pages: [(name: String, text: String)] {
        [("stuntdouble.1", ManualPage.text), ("command-line.md", ReferencePage.text)]
    }

    /// A group's rows in a command's help.
    static func rows(of group: OptionGroup, for command: CommandName? = nil) -> [Option] {
        OptionTable.options.filter { option in
            option.group == group && option.isServed && (command.map { option.belongs(to: $0) } ?? true)
        }
    }

    /// The options that `mock` and `proxy` have besides those of `serve`.
    static let prismOptions: [(usage: String, meaning: String)] = [
        ("-p, --port PORT", "The TCP port to listen on. Default: 4010."),
        ("-h, --host HOST", "The address to listen on. Default: 127.0.0.1."),
        ("-d, --dynamic", "Generate bodies from schemas instead of using examples."),
        ("--errors", "Answer an invalid request with a problem document, and with a 500 if the response is invalid."),
        ("--no-cors", "Send no CORS headers."),
    ]

    /// WireMock's unsupported options, and how each is treated.
    static var wireMockRows: [(option: Option, verdict: String, reason: String)] {
        OptionTable.options.compactMap { option in
            switch option.support {
            case .served: nil
            case .withoutEffect(let reason): (option, "no effect", reason)
            case .refused(let reason): (option, "refused", reason)
            }
        }
    }

    /// An option's help with its default.
    /// - Parameter command: the command whose help is written; nil for all.
    static func text(of option: Option, for command: CommandName? = nil) -> String {
        var text = option.help(for: command)
        if let words = option.words(for: command ?? .serve), option.group != .wireMock {
            text += " One of \(words.joined(separator: ", "))."
        }
        if let defaultText = option.defaultText(for: command) { text += " Default: \(defaultText)." }
        return text
    }
}
