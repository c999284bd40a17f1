/// The options of `stuntdouble wait`.
public struct WaitOptions: Sendable, Equatable {
    /// What is to answer.
    public var target = ServerTarget.file("")
    /// How long to wait for that.
    public var timeout = Duration.seconds(30)
    public var notices: [String] = []

    public init() {}
}

/// A server that is or was running, as commands name it.
public enum ServerTarget: Sendable, Hashable {
    case url(ServerURL)
    /// A server behind TLS, of which only the connection can be tried.
    case secured(host: String, port: Int)
    /// The file that `--port-file` has.
    case file(String)

    /// Reads a URL, an address such as `localhost:8080`, a port, or the path of a port file; nil for a URL that is none.
    init?(_ text: String) {
        let scheme = text.split(separator: ":", maxSplits: 1).first?.lowercased()
        if scheme == "https", text.dropFirst(5).hasPrefix("://") {
            guard let url = ServerURL("http" + text.dropFirst(5)) else { return nil }
            let hasPort = url.port != 80 || url.text.hasSuffix(":80")
            self = .secured(host: url.host, port: hasPort ? url.port : 443)
        } else if scheme == "http", text.dropFirst(4).hasPrefix("://") {
            guard let url = ServerURL(text) else { return nil }
            self = .url(url)
        } else if let url = ServerURL(text), decimal(text) != nil || Self.endsInPort(text) {
            self = .url(url)
        } else {
            self = .file(text)
        }
    }

    private static func endsInPort(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), !text.hasPrefix("/"), !text.hasPrefix(".") else { return false }
        return decimal(text[text.index(after: colon)...]) != nil
    }
}

extension OptionTable {
    /// The options of `stuntdouble wait` alone.
    static let wait: [Option] = []
}

extension CommandLineParser {
    func wait(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> WaitOptions {
        var options = WaitOptions()
        options.target = try target(settings, operands, of: .wait, scanner)
        options.timeout = settings.timeout ?? options.timeout
        options.notices = notices
        return options
    }

    /// The server that a command is about: its argument, or what `--url` or its variable says.
    func target(
        _ settings: Settings, _ operands: [String], of command: CommandName, _ scanner: ArgumentScanner
    ) throws(CommandLineError) -> ServerTarget {
        if operands.count > 1 { throw .unexpectedArgument(operands[1], command: command) }
        guard let operand = operands.first else {
            let usual = ServerURL(ReportOptions.usualServer)
            guard let server = settings.query.server ?? usual else { throw .missingArgument(command: command) }
            return .url(server)
        }
        if scanner.occurrences.contains(where: { $0.option.name == "url" }) {
            throw .contradictory(operand, "--url", reason: "each names a server")
        }
        guard let target = ServerTarget(operand) else {
            throw .invalidValue(
                .argument(command.rawValue), found: operand,
                expected: "a URL such as http://127.0.0.1:8080, a port, or the path of a port file")
        }
        return target
    }
}
