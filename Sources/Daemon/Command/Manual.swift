/// The text of help, manual page and reference page beside the option table.
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
        "Options may be abbreviated if the abbreviation is unambiguous; what abbreviates a single option of WireMock's means that "
        + "one. A value follows after a space or an equals sign. "
        + "Flags have opposites that begin with --no- (the opposite of --no-watch is --watch). If an option is given "
        + "twice, the second one wins; lists accumulate. -- ends the options."

    static let environment =
        "Each option can also be set by the variable shown with it; the command line takes precedence. A flag's "
        + "variable is true or false. An empty variable counts as unset. WIREMOCK_OPTIONS may hold more options, separated "
        + "by spaces, as for WireMock's container images; they have the lowest precedence."

    static let wireMockNote =
        "All options of WireMock 3.13 and 4.0 are recognized. Those above work under the same name. An option that tunes "
        + "the JVM, or turns off an unsupported feature, is accepted, and the log notes that it has no effect. An "
        + "option that requires an unsupported feature is refused with exit status 2."

    static let differingDefaults =
        "Two defaults differ from WireMock's: the daemon binds 127.0.0.1 instead of all addresses, and its journal is "
        + "bounded."

    /// Command lines with their meanings.
    public static let examples: [(command: String, meaning: String)] = [
        ("stuntdouble mocks", "Serve the folder mocks on port 8080"),
        ("stuntdouble --port 0 --port-file port.txt mocks", "Let the system choose the port, and read it from a file"),
        (
            "stuntdouble --bind-address 0.0.0.0 --admin-host ci.example mocks",
            "Serve other machines, and the admin API under a public name"
        ),
        ("stuntdouble --log-format json --verbose mocks", "Log each request as a JSON object"),
        ("stuntdouble users.yaml", "Serve one stub file, and take its changes over"),
        (
            "stuntdouble run mocks --fail-on unmatched -- npm test",
            "Run a command with a mock server, and judge what it asked for"
        ),
        ("stuntdouble validate mocks", "Check the stubs without serving them"),
        ("stuntdouble explain POST /orders --data @order.json mocks", "Show which stub would answer, and why"),
        ("stuntdouble routes --url http://127.0.0.1:8080", "List what a running daemon serves"),
        ("stuntdouble ca --install", "Have this machine trust the certificates of HTTPS"),
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
            "A stub is invalid, an address cannot be bound, validate had nothing to check, explain or routes found no stub, or "
                + "ca could not do all that was asked for"
        ),
        ("2", "The command line is invalid, or names a file or a daemon that does not exist"),
        (
            "124, 125, 126, 127, 128 and more",
            "Of run: the command was ended by --timeout, there is no mock server, the command cannot be executed, there is no such "
                + "command, a signal has ended it. Otherwise its status is that of the command, or 1 if a reason of --fail-on is met"
        ),
        (
            "3",
            "Something held an event loop when the daemon was to end, and it ended after the drain's time without it. Of check: "
                + "nothing differs, and not all stubs were compared"
        ),
    ]

    static let signals: [(name: String, meaning: String)] = [
        (
            "SIGTERM, SIGINT",
            "Stop accepting, finish the responses in flight within --drain-timeout, and exit; the log says what is waited for"
        ),
        ("a second SIGTERM or SIGINT", "Exit at once"),
        (
            "SIGHUP",
            "Without a controlling terminal, or with --reload-on-hup: read the stub files again. With a terminal, which was "
                + "closed then: like SIGTERM. Nothing under nohup"
        ),
    ]

    static let otherVariables: [(name: String, meaning: String)] = [
        ("WIREMOCK_OPTIONS", "More options, separated by spaces"),
        (
            "XDG_STATE_HOME",
            "The folder of the user's state, in place of ~/.local/state: stuntdouble in it holds the local certificate authority"
        ),
        ("NOTIFY_SOCKET", "The service manager's socket, notified when the daemon is ready and when it stops"),
    ]

    /// The generated pages of `docs/`, by file name.
    public static var pages: [(name: String, text: String)] {
        [("stuntdouble.1", ManualPage.text), ("command-line.md", ReferencePage.text)]
    }

    /// The rows of a group that a command's help shows.
    static func rows(of group: OptionGroup, for command: CommandName? = nil) -> [Option] {
        OptionTable.options.filter { option in
            option.group == group && option.isServed && (command.map { option.belongs(to: $0) } ?? true)
        }
    }

    /// What `mock` and `proxy` have beside the options of serve.
    static let prismOptions: [(usage: String, meaning: String)] = [
        ("-p, --port PORT", "The TCP port to listen on. Default: 4010."),
        ("-h, --host HOST", "The address to listen on. Default: 127.0.0.1."),
        ("-d, --dynamic", "Make bodies from schemas, and do not answer with examples."),
        ("--errors", "Answer with a problem where a request is not valid, and with a 500 where an answer is not."),
        ("--no-cors", "Send no CORS headers."),
    ]

    /// WireMock's unsupported options, with their treatment.
    static var wireMockRows: [(option: Option, verdict: String, reason: String)] {
        OptionTable.options.compactMap { option in
            switch option.standing {
            case .served: nil
            case .withoutEffect(let reason): (option, "no effect", reason)
            case .refused(let reason): (option, "refused", reason)
            }
        }
    }

    /// An option's help with its default.
    /// - Parameter command: the command whose help it is; nil where it is that of all.
    static func text(of option: Option, for command: CommandName? = nil) -> String {
        var text = option.help
        if let words = option.words(for: command ?? .serve), option.group != .wireMock {
            text += " One of \(words.joined(separator: ", "))."
        }
        if let defaultText = option.defaultText { text += " Default: \(defaultText)." }
        return text
    }
}
